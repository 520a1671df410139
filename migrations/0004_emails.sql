-- Outgoing emails.

create table emails (
  program_id uuid not null,
  id uuid not null,
  audit_id uuid not null,
  affiliate_id uuid,
  kind text not null,
  to_address text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  status text not null,
  last_error text,
  sent_at timestamptz,
  sending_at timestamptz,
  not_before timestamptz,
  unconfirmed integer not null default 0,
  created_at timestamptz not null,
  constraint emails_pkey primary key (program_id, id),
  constraint emails_once_per_change unique (program_id, audit_id, kind),
  constraint emails_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint emails_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint emails_kind_known check (kind in ('invitation', 'approval', 'payout_details_changed', 'setting_change')),
  constraint emails_status_known check (status in ('queued', 'sent', 'stored', 'failed', 'unconfirmed')),
  constraint emails_unconfirmed_counted check (unconfirmed >= 0)
);

comment on table emails is
  'An outgoing email. `audit_id` is the change that caused it: one change sends an affiliate one email of a kind. '
  'Status queued: waiting for a job; sent: accepted by the mail server; stored: no mail server is configured; '
  'failed: rejected at every attempt; unconfirmed: sent twice without a response, so it may have arrived.';

comment on column emails.sending_at is
  'When the current attempt was started, while it has no outcome. Committed before the message is sent.';

comment on column emails.not_before is
  'No attempt is made before this time, after one without an outcome.';

comment on column emails.unconfirmed is
  'How many attempts ended without a response. The email may have arrived each time.';

create index emails_by_affiliate on emails (program_id, affiliate_id);
create index emails_newest on emails (program_id, created_at desc, id desc);
