-- Alerts: what stopped working and needs a person, one open row per condition.

create table alerts (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  subject text not null default '',
  name text,
  reason text not null,
  status text not null,
  resolved_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint alerts_pkey primary key (program_id, id),
  constraint alerts_program_fkey foreign key (program_id) references programs (id),
  constraint alerts_kind_known check (kind in (
    'payouts_locked', 'payouts_unknown', 'invariant_broken', 'provider_failing', 'emails_failing')),
  constraint alerts_status_known check (status in ('open', 'resolved')),
  constraint alerts_resolved_whole check ((status = 'resolved') = (resolved_at is not null))
);

comment on table alerts is
  'Something that stopped working. `subject` distinguishes the alerts of a kind: the id of a provider, the name of an '
  'invariant, or empty. Of each, one is open at a time: the unique index decides which process opens it, and announces it.';

create unique index alerts_open on alerts (program_id, kind, subject) where status = 'open';
create index alerts_by_kind on alerts (kind, created_at desc);
create index alerts_newest on alerts (program_id, created_at desc, id desc);

-- An alert is sent to several people.
alter table emails
  drop constraint emails_once_per_change,
  add constraint emails_once_per_change unique (program_id, audit_id, kind, to_address),
  drop constraint emails_kind_known,
  add constraint emails_kind_known check (kind in (
    'invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in', 'member_invitation',
    'page_review', 'application_received', 'webhook_disabled', 'alert'));

create index emails_failing on emails (program_id, created_at) where last_error is not null and status in ('queued', 'failed', 'unconfirmed');
create index payouts_unknown on payouts (program_id, first_attempt_at) where status = 'unknown';
