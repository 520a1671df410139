-- Announcements: emails that a program writes to its affiliates.

create table announcements (
  program_id uuid not null,
  id uuid not null,
  status text not null,
  texts jsonb not null,
  statuses text[] not null,
  group_ids uuid[] not null,
  locale text,
  send_at timestamptz,
  audit_id uuid,
  written_to uuid,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint announcements_pkey primary key (program_id, id),
  constraint announcements_program_fkey foreign key (program_id) references programs (id),
  constraint announcements_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint announcements_locale_known check (locale in ('en', 'de')),
  constraint announcements_scheduled_dated check (status <> 'scheduled' or send_at is not null),
  constraint announcements_started_whole check ((started_at is not null) = (audit_id is not null)),
  constraint announcements_started_known check ((started_at is not null) = (status in ('sending', 'sent', 'cancelled'))),
  constraint announcements_finished_known check ((finished_at is not null) = (status in ('sent', 'cancelled'))),
  constraint announcements_status_known check (status in ('draft', 'scheduled', 'sending', 'sent', 'cancelled')),
  constraint announcements_statuses_known check (statuses <@ '{pending,active,suspended}' and cardinality(statuses) > 0)
);

comment on table announcements is
  'An email that a program writes to its affiliates. `texts` has it by language; `statuses`, `group_ids` (none: all) and '
  '`locale` (null: all) choose the recipients. `sending`: a job writes one row of `emails` after the other, in the order of '
  'affiliates; `sent`: all are written. `cancelled`: stopped while they were written.';

comment on column announcements.audit_id is 'The change that started it. Its emails refer to this change.';

comment on column announcements.written_to is
  'The last affiliate whose email was written. It changes in the transaction that writes the emails, so that a job that was '
  'interrupted continues where it stopped.';

create index announcements_newest on announcements (program_id, created_at desc, id desc);
create index announcements_waiting on announcements (program_id) where status in ('scheduled', 'sending');

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known
  check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change',
    'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
    'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid', 'payout_request',
    'payout_failed', 'first_sale', 'statement', 'test', 'tax_form_submitted', 'access_request', 'payout_schedule', 'invoice',
    'group_changed', 'announcement'));

-- Decides between processes that write the same email at the same time.
create unique index emails_announcement_once on emails (program_id, affiliate_id, audit_id) where kind = 'announcement';

alter table email_recipients drop constraint email_recipients_kinds_known;
alter table email_recipients add constraint email_recipients_kinds_known
  check (opted_out_kinds <@ '{announcement,invitation,page_review,payout_paid,payout_failed,first_sale,statement}');

-- Who opted out of every optional email gets no announcements either.
update email_recipients set opted_out_kinds = opted_out_kinds || '{announcement}'::text[]
where opted_out_kinds @> '{invitation,page_review,payout_paid,payout_failed,first_sale,statement}';
