-- What follows an order: refunds, disputes, doubts, and orders that nobody was credited for.

create table refunds (
  program_id uuid not null,
  id uuid not null,
  external_id text not null,
  conversion_id uuid not null,
  amount_cents bigint not null,
  reason text not null,
  note text,
  occurred_at timestamptz not null,
  undone_at timestamptz,
  created_at timestamptz not null,
  constraint refunds_pkey primary key (program_id, id),
  constraint refunds_external_id_unique unique (program_id, external_id),
  constraint refunds_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint refunds_amount_positive check (amount_cents > 0)
);

comment on table refunds is
  'Money that went back to a buyer. Undone when a lost dispute is won after all.';

create index refunds_newest on refunds (program_id, created_at desc, id desc);
create index refunds_by_conversion on refunds (program_id, conversion_id);

create table refund_lines (
  program_id uuid not null,
  refund_id uuid not null,
  position integer not null,
  amount_cents bigint not null,
  constraint refund_lines_pkey primary key (program_id, refund_id, position),
  constraint refund_lines_refund_fkey foreign key (program_id, refund_id) references refunds (program_id, id),
  constraint refund_lines_amount_positive check (amount_cents > 0)
);

comment on table refund_lines is
  'How much of which line of the order a refund gave back.';

create table disputes (
  program_id uuid not null,
  id uuid not null,
  external_id text not null,
  conversion_id uuid not null,
  status text not null,
  amount_cents bigint,
  refund_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint disputes_pkey primary key (program_id, id),
  constraint disputes_external_id_unique unique (program_id, external_id),
  constraint disputes_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint disputes_refund_fkey foreign key (program_id, refund_id) references refunds (program_id, id),
  constraint disputes_status_known check (status in ('opened', 'won', 'lost'))
);

comment on table disputes is
  'A buyer''s bank asks the money back. Opened holds the commissions, lost reverses them, won lets them go on.';

create index disputes_by_conversion on disputes (program_id, conversion_id);

create table fraud_events (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null,
  affiliate_id uuid not null,
  conversion_id uuid,
  evidence jsonb not null,
  resolution_note text,
  created_at timestamptz not null,
  resolved_at timestamptz,
  constraint fraud_events_pkey primary key (program_id, id),
  constraint fraud_events_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint fraud_events_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint fraud_events_status_known check (status in ('open', 'legitimate', 'fraud')),
  constraint fraud_events_resolved_whole check ((status = 'open') = (resolved_at is null))
);

comment on table fraud_events is
  'Something that looks wrong about an order, with its evidence, for a person to decide. It never drops the order.';

create index fraud_events_newest on fraud_events (program_id, created_at desc, id desc);
create index fraud_events_open on fraud_events (program_id, created_at) where status = 'open';
create index fraud_events_by_conversion on fraud_events (program_id, conversion_id);

create table unattributed_orders (
  program_id uuid not null,
  order_id text not null,
  amount_cents bigint not null,
  currency text not null,
  reason text not null,
  hints jsonb not null,
  report jsonb not null,
  customer_key text,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reports bigint not null default 1,
  conversion_id uuid,
  constraint unattributed_orders_pkey primary key (program_id, order_id),
  constraint unattributed_orders_program_fkey foreign key (program_id) references programs (id),
  constraint unattributed_orders_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id)
);

comment on table unattributed_orders is
  'An order that was reported and credited to nobody: for coverage, and for claims of a missing sale. Its order '
  'id is not used up; `conversion_id` is set when a later report or a claim credits it.';

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
  'An order id that was reported again with another amount. Credited as first reported; a person looks at it.';

create index order_mismatches_by_conversion on order_mismatches (program_id, conversion_id);

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
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint claims_pkey primary key (program_id, id),
  constraint claims_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint claims_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint claims_once unique (program_id, affiliate_id, order_id),
  constraint claims_status_known check (status in ('open', 'accepted', 'rejected')),
  constraint claims_decided_whole check ((status = 'open') = (decided_at is null))
);

comment on table claims is
  'An affiliate says that an order was theirs. Matched to the order that was credited to nobody, with the '
  'evidence that was found; a person decides.';

create index claims_newest on claims (program_id, created_at desc, id desc);
