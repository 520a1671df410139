-- Events of providers: attempts, an error code, and the same column names as every other resource.

alter table provider_events rename column tries to attempts;
alter table provider_events rename column next_try_at to next_attempt_at;
alter table provider_events rename column received_at to created_at;
alter table provider_events rename column done_at to processed_at;
alter table provider_events add column error_code text;
alter table provider_events drop constraint provider_events_status_known;
update provider_events set status = 'processed' where status = 'done';
update provider_events set error_code = 'unreadable' where status = 'failed';
alter table provider_events
  add constraint provider_events_status_known check (status in ('received', 'waiting', 'processed', 'ignored', 'failed'));
create index provider_events_by_time on provider_events (program_id, created_at desc, id desc);

comment on table provider_events is
  'Events that providers sent, once per event id of the provider. Payloads are encrypted, because they may contain '
  'personal data. `waiting`: the order of the event has not arrived yet.';

alter table provider_orders rename column seen_at to created_at;
comment on table provider_orders is
  'Every reference by which a store refers to an order (its charge, payment or checkout), and the order id. The row '
  'whose reference is the order id itself also contains what the store reported about the order.';

alter table provider_refusals rename to rejected_deliveries;
alter table rejected_deliveries rename constraint provider_refusals_pkey to rejected_deliveries_pkey;
alter table rejected_deliveries rename constraint provider_refusals_provider_fkey to rejected_deliveries_provider_fkey;
comment on table rejected_deliveries is
  'How many deliveries to a provider''s address were rejected, and why. Nothing else is stored of them.';
