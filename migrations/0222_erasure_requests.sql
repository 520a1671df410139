-- Affiliates ask a program to erase their data.

create table erasure_requests (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  status text not null,
  decision_note text,
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint erasure_requests_pkey primary key (program_id, id),
  constraint erasure_requests_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint erasure_requests_status_known check (status in ('open', 'withdrawn', 'accepted', 'rejected')),
  constraint erasure_requests_decided_dated check ((status = 'open') = (decided_at is null)),
  constraint erasure_requests_rejected_explained check (status <> 'rejected' or decision_note is not null)
);

comment on table erasure_requests is
  'An affiliate who asks a program to erase their data. A member accepts it, once nothing is owed, or rejects it with a reason; the '
  'affiliate can withdraw it before. The operator of the installation erases the person of an accepted request.';

create unique index erasure_requests_open on erasure_requests (program_id, affiliate_id) where status = 'open';
create index erasure_requests_newest on erasure_requests (program_id, created_at desc, id desc);

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known
  check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change',
    'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
    'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid', 'payout_request',
    'payout_failed', 'first_sale', 'statement', 'test', 'tax_form_submitted', 'access_request', 'payout_schedule',
    'invoice', 'group_changed', 'announcement', 'bounty_decision', 'rate_changed', 'notifications', 'erasure_request'));
