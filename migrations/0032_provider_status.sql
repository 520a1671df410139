-- Providers are archived by their status, like every other resource.

alter table providers drop constraint providers_status_known;
update providers set status = 'archived' where archived_at is not null;
alter table providers add constraint providers_status_known
  check (status in ('connected', 'needs_attention', 'disabled', 'archived'));
alter table providers drop column archived_at;
create unique index providers_one_default on providers (program_id, kind) where is_default;
