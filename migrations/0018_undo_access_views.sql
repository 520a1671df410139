-- Decisions of the inbox that can be undone, requests for a role, and members who view the portal as an affiliate.

create table pending_decisions (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  decision text not null,
  note text,
  user_id uuid not null,
  apply_at timestamptz not null,
  outcome text,
  ended_at timestamptz,
  created_at timestamptz not null,
  constraint pending_decisions_pkey primary key (program_id, id),
  constraint pending_decisions_program_fkey foreign key (program_id) references programs (id),
  constraint pending_decisions_user_fkey foreign key (user_id) references users (id),
  constraint pending_decisions_kind_known check (kind in ('claim', 'fraud_alert')),
  constraint pending_decisions_outcome_known check (outcome in ('applied', 'undone', 'dropped')),
  constraint pending_decisions_ended_whole check ((outcome is null) = (ended_at is null))
);

comment on table pending_decisions is
  'Decisions of members about claims and fraud alerts, which take effect at `apply_at` unless they are undone. '
  '`dropped`: the subject was decided otherwise in the meantime, or the decision was no longer possible.';

create unique index pending_decisions_open on pending_decisions (program_id, kind, subject_id) where outcome is null;

create table access_requests (
  program_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  role text not null,
  note text,
  status text not null default 'open',
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null,
  constraint access_requests_pkey primary key (program_id, id),
  constraint access_requests_program_fkey foreign key (program_id) references programs (id),
  constraint access_requests_user_fkey foreign key (user_id) references users (id),
  constraint access_requests_decided_by_fkey foreign key (decided_by) references users (id),
  constraint access_requests_role_known check (role in ('owner', 'admin', 'reviewer', 'finance', 'developer', 'viewer')),
  constraint access_requests_status_known check (status in ('open', 'granted', 'declined')),
  constraint access_requests_decided_whole check ((status = 'open') = (decided_at is null))
);

comment on table access_requests is
  'Members who asked for a role that opens a screen which theirs does not. A member has at most one open request.';

create unique index access_requests_open on access_requests (program_id, user_id) where status = 'open';
create index access_requests_newest on access_requests (program_id, created_at desc, id desc);

create table affiliate_views (
  program_id uuid not null,
  session_id uuid not null,
  affiliate_id uuid not null,
  user_id uuid not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  constraint affiliate_views_pkey primary key (program_id, session_id),
  constraint affiliate_views_session_fkey foreign key (session_id) references sessions (id) on delete cascade,
  constraint affiliate_views_user_fkey foreign key (user_id) references users (id),
  constraint affiliate_views_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table affiliate_views is
  'Sessions of members who view the portal as an affiliate, read-only, until `expires_at`. The audit log has the start and the end.';

create index affiliate_views_by_session on affiliate_views (session_id);

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known
  check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in',
    'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
    'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid', 'payout_request',
    'payout_failed', 'first_sale', 'statement', 'test', 'access_request'));
