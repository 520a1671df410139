-- What the lifetime totals of an affiliate are made of. For now just the facts that are counted.

create table clicks (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  created_at timestamptz not null,
  constraint clicks_pkey primary key (program_id, id),
  constraint clicks_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table clicks is
  'A visit that an affiliate brought.';

create index clicks_by_affiliate on clicks (program_id, affiliate_id, created_at);

create table conversions (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  order_id text not null,
  amount_cents bigint not null,
  created_at timestamptz not null,
  constraint conversions_pkey primary key (program_id, id),
  constraint conversions_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint conversions_order_unique unique (program_id, order_id),
  constraint conversions_amount_range check (amount_cents between 0 and 99999999999)
);

comment on table conversions is
  'A reported order, credited once: the order id is unique in its program.';

create index conversions_by_affiliate on conversions (program_id, affiliate_id, created_at);

create table commissions (
  program_id uuid not null,
  id uuid not null,
  conversion_id uuid not null,
  affiliate_id uuid not null,
  amount_cents bigint not null,
  created_at timestamptz not null,
  constraint commissions_pkey primary key (program_id, id),
  constraint commissions_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint commissions_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table commissions is
  'What an affiliate earned by a conversion.';

create index commissions_by_affiliate on commissions (program_id, affiliate_id, created_at);
create index commissions_by_conversion on commissions (program_id, conversion_id);
