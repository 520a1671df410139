-- Inbound events lose their body after its retention. Their ids stay, so that a repeated delivery is still recognized.
alter table provider_events alter column payload drop not null;
create index provider_events_with_payload on provider_events (created_at)
  where payload is not null and status in ('processed', 'ignored', 'failed');
