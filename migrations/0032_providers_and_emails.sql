-- Providers are archived by their status, like every other resource. Emails that no mail server can send are stored.

alter table providers drop constraint providers_status_known;
update providers set status = 'archived' where archived_at is not null;
alter table providers add constraint providers_status_known
  check (status in ('connected', 'needs_attention', 'disabled', 'archived'));
alter table providers drop column archived_at;
create unique index providers_one_default on providers (program_id, kind) where is_default;
comment on table providers is
  'An external system that a program is connected to: a payout provider (kind payout) or a shop (kind commerce). '
  '`secrets` are encrypted and never returned by the API; `config` is.';

alter table emails drop constraint emails_status_known;
update emails set status = 'stored' where status = 'kept';
alter table emails add constraint emails_status_known
  check (status in ('queued', 'sent', 'stored', 'failed', 'unconfirmed'));
comment on table emails is
  'One email. `audit_id` is the change it follows from: one change sends an affiliate one email of a kind. '
  'queued: a job will send it · sent: accepted by the mail server · stored: no mail server is configured · failed: rejected '
  'at every attempt · unconfirmed: handed over twice without a response, so it may have arrived.';
