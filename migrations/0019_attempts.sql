-- Emails whose delivery was attempted and never confirmed.

alter table emails
  add column sending_at timestamptz,
  add column not_before timestamptz,
  add column unconfirmed integer not null default 0,
  drop constraint emails_status_known,
  add constraint emails_status_known check (status in ('queued', 'sent', 'kept', 'failed', 'unconfirmed')),
  add constraint emails_unconfirmed_counted check (unconfirmed >= 0);

comment on column emails.sending_at is
  'When the mail server was last given this email, without an outcome so far. Set before the first byte leaves.';
comment on column emails.not_before is
  'Until when no attempt is made, after one without an outcome.';
comment on column emails.unconfirmed is
  'How often the email was handed over without an answer. It may have arrived each time.';
comment on table emails is
  'One email. `audit_id` is the change it follows from: one change sends an affiliate one email of a kind. queued: a '
  'job will send it · sent: accepted by the mail server · kept: no mail server is set · failed: refused at every '
  'attempt · unconfirmed: handed over twice without an answer, so it may have arrived.';
