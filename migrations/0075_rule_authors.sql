-- Who made each version of a commission rule; null for versions from before this migration.

alter table commission_rule_versions add column actor_kind text;
alter table commission_rule_versions add column actor_id text;
alter table commission_rule_versions add constraint commission_rule_versions_actor_complete
  check ((actor_kind is null) = (actor_id is null));
