-- Shops that report orders by themselves.

create table provider_refusals (
  program_id uuid not null,
  provider_id uuid not null,
  day date not null,
  reason text not null,
  deliveries bigint not null,
  last_at timestamptz not null,
  constraint provider_refusals_pkey primary key (program_id, provider_id, day, reason),
  constraint provider_refusals_provider_fkey foreign key (program_id, provider_id) references providers (program_id, id)
);

comment on table provider_refusals is
  'How often a delivery to a provider''s address was refused, and why: all that is kept of one.';

create table provider_orders (
  program_id uuid not null,
  provider_id uuid not null,
  reference text not null,
  order_id text not null,
  amount_cents bigint,
  facts jsonb,
  occurred_at timestamptz,
  seen_at timestamptz not null,
  constraint provider_orders_pkey primary key (program_id, provider_id, reference),
  constraint provider_orders_provider_fkey foreign key (program_id, provider_id) references providers (program_id, id)
);

comment on table provider_orders is
  'Every name by which a shop speaks of an order (its charge, its payment, its checkout), and the order id it is '
  'reported under. The row whose reference is the order id itself also says what the shop knows of the order.';

create index provider_orders_by_order on provider_orders (program_id, provider_id, order_id);
create index provider_orders_by_time on provider_orders (program_id, provider_id, occurred_at) where amount_cents is not null;
