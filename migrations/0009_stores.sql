-- Events from stores and payout providers.

create table provider_orders (
  program_id uuid not null,
  provider_id uuid not null,
  reference text not null,
  order_id text not null,
  amount_cents bigint,
  facts jsonb,
  occurred_at timestamptz,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  constraint provider_orders_pkey primary key (program_id, provider_id, reference),
  constraint provider_orders_provider_fkey foreign key (program_id, provider_id) references providers (program_id, id)
);

comment on table provider_orders is
  'A reference by which a store identifies an order (charge, payment, checkout), with the order id it is recorded '
  'under. The row whose reference is the order id also stores the store''s amounts.';

create index provider_orders_by_order on provider_orders (program_id, provider_id, order_id);
create index provider_orders_by_time on provider_orders (program_id, provider_id, occurred_at)
  where amount_cents is not null;

create table provider_events (
  program_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  external_id text not null,
  topic text not null,
  subject text,
  status text not null,
  payload bytea,
  outcome jsonb,
  error text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  occurred_at timestamptz,
  processed_at timestamptz,
  error_code text,
  created_at timestamptz not null,
  constraint provider_events_pkey primary key (program_id, id),
  constraint provider_events_once unique (program_id, provider_id, external_id),
  constraint provider_events_provider_fkey foreign key (program_id, provider_id) references providers (program_id, id),
  constraint provider_events_status_known check (status in ('received', 'waiting', 'processed', 'ignored', 'failed'))
);

comment on table provider_events is
  'An inbound event of a provider, stored once per event id before it is processed. The payload is encrypted, '
  'since it may contain customer and account data. `waiting`: the order it refers to has not arrived yet.';

create index provider_events_by_subject on provider_events (program_id, provider_id, subject) where subject is not null;
create index provider_events_by_time on provider_events (program_id, created_at desc, id desc);
create index provider_events_newest on provider_events (program_id, provider_id, created_at desc, id desc);
create index provider_events_open on provider_events (program_id, next_attempt_at)
  where status in ('received', 'waiting');
-- Retention: what is erased is found by its age, without reading what stays.
create index provider_events_with_payload on provider_events (created_at)
  where payload is not null and status in ('processed', 'ignored', 'failed');

create table rejected_deliveries (
  program_id uuid not null,
  provider_id uuid not null,
  day date not null,
  reason text not null,
  deliveries bigint not null,
  last_at timestamptz not null,
  constraint rejected_deliveries_pkey primary key (program_id, provider_id, day, reason),
  constraint rejected_deliveries_provider_fkey foreign key (program_id, provider_id)
    references providers (program_id, id)
);

comment on table rejected_deliveries is
  'Rejected deliveries to a provider''s address, counted per day and reason.';
