-- What is earned, by which rule, and how it stands.

create table commission_rules (
  program_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  level integer not null,
  product_id uuid,
  category text,
  group_id uuid,
  affiliate_id uuid,
  effective_from timestamptz,
  effective_to timestamptz,
  terms jsonb not null,
  version integer not null,
  search text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint commission_rules_pkey primary key (program_id, id),
  constraint commission_rules_program_fkey foreign key (program_id) references programs (id),
  constraint commission_rules_product_fkey foreign key (program_id, product_id) references products (program_id, id),
  constraint commission_rules_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint commission_rules_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint commission_rules_status_known check (status in ('active', 'archived')),
  constraint commission_rules_level_known check (level in (1, 2)),
  constraint commission_rules_one_item_scope check (product_id is null or category is null),
  constraint commission_rules_one_person_scope check (group_id is null or affiliate_id is null),
  constraint commission_rules_effective_forward check (effective_from < effective_to)
);

comment on table commission_rules is
  'A rule by which a line of an order earns, as it stands now. Which columns of product, category, group and '
  'affiliate are set says how specific it is; `terms` says what it pays and when.';

create index commission_rules_newest on commission_rules (program_id, created_at desc, id desc);
create index commission_rules_active on commission_rules (program_id, affiliate_id, product_id) where status = 'active';

create table commission_rule_versions (
  program_id uuid not null,
  rule_id uuid not null,
  version integer not null,
  rule jsonb not null,
  created_at timestamptz not null,
  constraint commission_rule_versions_pkey primary key (program_id, rule_id, version),
  constraint commission_rule_versions_rule_fkey foreign key (program_id, rule_id) references commission_rules (program_id, id)
);

comment on table commission_rule_versions is
  'A rule as it was from one change to the next. Never changed: commissions name the version they were earned by.';

create table commission_rule_budgets (
  program_id uuid not null,
  rule_id uuid not null,
  period_start date not null,
  spent_cents bigint not null,
  constraint commission_rule_budgets_pkey primary key (program_id, rule_id, period_start),
  constraint commission_rule_budgets_rule_fkey foreign key (program_id, rule_id) references commission_rules (program_id, id)
);

comment on table commission_rule_budgets is
  'What a rule with a budget has paid in a period.';

alter table conversions
  add column currency text not null,
  add column occurred_at timestamptz not null,
  add column method text not null,
  add column click_id uuid,
  add column clicked_at timestamptz,
  add column coupon_id uuid,
  add column conflict jsonb,
  add column customer_key text,
  add column sub_id text,
  add column discount_cents bigint,
  add column tax_cents bigint,
  add column shipping_cents bigint,
  add column subscription jsonb,
  add column metadata jsonb,
  add column facts jsonb not null,
  add column decision jsonb not null,
  add column cap_cents bigint,
  add column refunded_cents bigint not null default 0,
  add constraint conversions_coupon_fkey foreign key (program_id, coupon_id) references coupons (program_id, id),
  add constraint conversions_method_known check (method in ('affiliate', 'coupon', 'click', 'referral_code', 'customer')),
  add constraint conversions_refunded_range check (refunded_cents between 0 and amount_cents);

comment on table conversions is
  'A reported order, credited once: the order id is unique in its program. `facts` are the inputs of the '
  'calculation as they were, `decision` is why it was credited and paid so: both are never changed.';

create index conversions_newest on conversions (program_id, created_at desc, id desc);
create index conversions_by_time on conversions (program_id, occurred_at);
create index conversions_by_affiliate_time on conversions (program_id, affiliate_id, occurred_at);
create index conversions_by_coupon on conversions (program_id, coupon_id, occurred_at) where coupon_id is not null;

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
  'A buyer, by the shop''s own id (id:…) or a keyed hash of the address (mail:…): who brought them first, since '
  'when, and how many credited orders they made.';

alter table commissions
  alter column conversion_id drop not null,
  add column kind text not null default 'order',
  add column level integer not null default 1,
  add column status text not null,
  add column currency text not null,
  add column type text,
  add column rate numeric(15, 4),
  add column source text,
  add column rule_id uuid,
  add column rule_version integer,
  add column product_id uuid,
  add column positions integer[] not null default '{}',
  add column base_cents bigint not null default 0,
  add column refunded_cents bigint not null default 0,
  add column reversed_cents bigint not null default 0,
  add column settled_cents bigint not null default 0,
  add column adjusts_commission_id uuid,
  add column reason text,
  add column held_from text,
  add column changes integer not null default 1,
  add column matures_at timestamptz not null,
  add column updated_at timestamptz not null,
  add constraint commissions_rule_fkey foreign key (program_id, rule_id, rule_version)
    references commission_rule_versions (program_id, rule_id, version),
  add constraint commissions_adjusts_fkey foreign key (program_id, adjusts_commission_id) references commissions (program_id, id),
  add constraint commissions_kind_known check (kind in ('order', 'adjustment', 'bonus')),
  add constraint commissions_level_known check (level in (1, 2)),
  add constraint commissions_status_known check (status in ('pending', 'held', 'approved', 'paid', 'reversed', 'rejected')),
  add constraint commissions_held_from_whole check ((status = 'held') = (held_from is not null)),
  add constraint commissions_order_earned check (kind <> 'order' or (conversion_id is not null and amount_cents > 0)),
  add constraint commissions_reversed_range check (reversed_cents between least(amount_cents, 0) and greatest(amount_cents, 0)),
  add constraint commissions_refunded_range check (refunded_cents between 0 and base_cents);

comment on table commissions is
  'What an affiliate earned by a conversion (or an adjustment, a bonus). `amount_cents` never changes: what is '
  'owed is amount_cents - reversed_cents - settled_cents. `matures_at` is frozen when it is earned.';

create index commissions_newest on commissions (program_id, created_at desc, id desc);
create index commissions_maturing on commissions (program_id, matures_at) where status = 'pending';
create index commissions_unsettled on commissions (program_id, affiliate_id) where status in ('approved', 'paid', 'reversed');
create index commissions_adjusting on commissions (program_id, adjusts_commission_id) where adjusts_commission_id is not null;

create table commission_events (
  program_id uuid not null,
  id uuid not null,
  commission_id uuid not null,
  step integer not null,
  from_status text,
  to_status text not null,
  reason text,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  constraint commission_events_pkey primary key (program_id, id),
  constraint commission_events_step_unique unique (program_id, commission_id, step),
  constraint commission_events_commission_fkey foreign key (program_id, commission_id) references commissions (program_id, id)
);

comment on table commission_events is
  'Each change of a commission''s status: who, when, why. Appended in the transaction that changes it; `step` '
  'counts a commission''s changes, since the clocks of several processes can''t order them.';
