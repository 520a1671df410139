-- Orders: credited, unattributed, mismatching and claimed.

create table conversions (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  order_id text not null,
  amount_cents bigint not null,
  currency text not null,
  occurred_at timestamptz not null,
  method text not null,
  click_id uuid,
  clicked_at timestamptz,
  coupon_id uuid,
  conflict jsonb,
  customer_key text,
  sub_id text,
  discount_cents bigint,
  tax_cents bigint,
  shipping_cents bigint,
  subscription jsonb,
  metadata jsonb,
  facts jsonb not null,
  decision jsonb not null,
  cap_cents bigint,
  refunded_cents bigint not null default 0,
  customer_keys text[] not null default '{}',
  voided_at timestamptz,
  created_at timestamptz not null,
  constraint conversions_pkey primary key (program_id, id),
  constraint conversions_order_unique unique (program_id, order_id),
  constraint conversions_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint conversions_coupon_fkey foreign key (program_id, coupon_id) references coupons (program_id, id),
  constraint conversions_amount_range check (amount_cents between 0 and 99999999999),
  constraint conversions_method_known check (method in ('affiliate', 'coupon', 'click', 'referral_code', 'customer')),
  constraint conversions_refunded_range check (refunded_cents between 0 and amount_cents)
);

comment on table conversions is
  'A recorded order. The order id is unique in its program. `facts` are the inputs of the calculation and '
  '`decision` its explanation; both never change.';

comment on column conversions.voided_at is
  'When the order was refunded in full. It then no longer counts as a customer''s order, a coupon redemption or '
  'part of a tier. Null again when the refund is undone.';

create index conversions_by_affiliate on conversions (program_id, affiliate_id, created_at);
create index conversions_by_affiliate_time on conversions (program_id, affiliate_id, occurred_at);
create index conversions_by_coupon on conversions (program_id, coupon_id, occurred_at) where coupon_id is not null;
create index conversions_by_time on conversions (program_id, occurred_at);
create index conversions_newest on conversions (program_id, created_at desc, id desc);

create table customers (
  program_id uuid not null,
  key text not null,
  affiliate_id uuid not null,
  first_order_at timestamptz not null,
  orders bigint not null,
  constraint customers_pkey primary key (program_id, key),
  constraint customers_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table customers is
  'A buyer, identified by the store''s id (`id:…`) or a keyed hash of the email address (`mail:…`): the affiliate '
  'of the first order, its time, and the number of credited orders.';

create table unattributed_orders (
  program_id uuid not null,
  order_id text not null,
  amount_cents bigint not null,
  currency text not null,
  reason text not null,
  signals jsonb not null,
  report jsonb not null,
  customer_key text,
  occurred_at timestamptz not null,
  reports bigint not null default 1,
  conversion_id uuid,
  customer_keys text[] not null default '{}',
  buyer_hash text,
  id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint unattributed_orders_pkey primary key (program_id, order_id),
  constraint unattributed_orders_id_unique unique (program_id, id),
  constraint unattributed_orders_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint unattributed_orders_program_fkey foreign key (program_id) references programs (id)
);

comment on table unattributed_orders is
  'A recorded order with no affiliate to credit, for coverage and claims. The order id remains available; '
  '`conversion_id` is set when a later report or a claim credits it.';

comment on column unattributed_orders.buyer_hash is
  'Keyed hash of the buyer''s email address, to detect claims on one''s own purchase. The address is not stored.';

create index unattributed_orders_newest on unattributed_orders (program_id, created_at desc);

create table order_mismatches (
  program_id uuid not null,
  id uuid not null,
  conversion_id uuid not null,
  reported jsonb not null,
  created_at timestamptz not null,
  constraint order_mismatches_pkey primary key (program_id, id),
  constraint order_mismatches_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id)
);

comment on table order_mismatches is
  'An order id that was reported again with a different amount. The first report counts; the mismatch is listed '
  'for review.';

create index order_mismatches_by_conversion on order_mismatches (program_id, conversion_id);
create index order_mismatches_newest on order_mismatches (program_id, created_at desc, id desc);

create table claims (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  order_id text not null,
  status text not null,
  note text,
  decision_note text,
  evidence jsonb not null,
  conversion_id uuid,
  decided_at timestamptz,
  created_at timestamptz not null,
  constraint claims_pkey primary key (program_id, id),
  constraint claims_once unique (program_id, affiliate_id, order_id),
  constraint claims_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint claims_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint claims_decided_whole check ((status = 'open') = (decided_at is null)),
  constraint claims_status_known check (status in ('open', 'accepted', 'rejected'))
);

comment on table claims is
  'An affiliate''s statement that an unattributed order is theirs, with the evidence found. Awaits a decision.';

create index claims_newest on claims (program_id, created_at desc, id desc);

create table fraud_events (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null,
  affiliate_id uuid not null,
  conversion_id uuid,
  evidence jsonb not null,
  resolution_note text,
  resolved_at timestamptz,
  created_at timestamptz not null,
  constraint fraud_events_pkey primary key (program_id, id),
  constraint fraud_events_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint fraud_events_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint fraud_events_resolved_whole check ((status = 'open') = (resolved_at is null)),
  constraint fraud_events_status_known check (status in ('open', 'legitimate', 'fraud'))
);

comment on table fraud_events is
  'A fraud alert: suspicious activity on an order, with its evidence. Awaits a decision; the order itself is '
  'recorded.';

create index fraud_events_by_conversion on fraud_events (program_id, conversion_id);
create index fraud_events_newest on fraud_events (program_id, created_at desc, id desc);
create index fraud_events_open on fraud_events (program_id, created_at) where status = 'open';
