-- Users and providers act too, and groups are archived by their status, like every other resource.

alter table audit_log drop constraint audit_log_actor_known;
alter table audit_log add constraint audit_log_actor_known
  check (actor_kind in ('api_key', 'user', 'provider', 'schedule', 'command'));

alter table groups
  add column status text not null default 'active',
  add constraint groups_status_known check (status in ('active', 'archived'));
update groups set status = 'archived' where archived_at is not null;
alter table groups alter column status drop default, drop column archived_at;
