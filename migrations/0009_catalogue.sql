-- The rest of the catalogue, and coupons.

alter table products
  add column sku text,
  add column brand text,
  add column compare_at_price_cents bigint,
  add column availability text not null default 'in_stock',
  add column search text not null default '',
  add constraint products_compare_at_price_range check (compare_at_price_cents between 0 and 99999999999),
  add constraint products_availability_known check (availability in ('in_stock', 'out_of_stock', 'preorder', 'discontinued'));

-- The form in which the list is searched, made in code from here on.
update products set search = lower(concat_ws(chr(31), name, external_id));
alter table products alter column search drop default;

create index products_by_sku on products (program_id, sku) where sku is not null;

alter table groups
  add column hold_days integer,
  add column minimum_payout_cents bigint,
  add column archived_at timestamptz,
  add constraint groups_hold_range check (hold_days between 0 and 3650),
  add constraint groups_minimum_payout_range check (minimum_payout_cents between 0 and 99999999999);

-- Some changes are found by a schedule, not asked for by anybody.
alter table audit_log drop constraint audit_log_actor_known;
alter table audit_log add constraint audit_log_actor_known check (actor_kind in ('api_key', 'command', 'schedule'));

create table coupons (
  program_id uuid not null,
  id uuid not null,
  code text not null,
  code_key text not null,
  affiliate_id uuid not null,
  status text not null,
  discount_type text,
  discount_rate numeric(7, 4),
  discount_cents bigint,
  min_order_cents bigint,
  product_ids uuid[] not null default '{}',
  starts_at timestamptz,
  ends_at timestamptz,
  max_redemptions bigint,
  redemptions bigint not null default 0,
  credit_policy text not null,
  commission_type text,
  commission_rate numeric(15, 4),
  external_id text,
  leak_suspected_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint coupons_pkey primary key (program_id, id),
  constraint coupons_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint coupons_code_unique unique (program_id, code_key),
  constraint coupons_status_known check (status in ('active', 'disabled')),
  constraint coupons_policy_known check (credit_policy in ('always', 'only_without_click', 'never_over_click')),
  constraint coupons_discount_range check (
    case discount_type
      when 'percentage' then discount_cents is null and discount_rate is not null and discount_rate between 0 and 100
      when 'flat' then discount_rate is null and discount_cents is not null and discount_cents between 0 and 99999999999
      else discount_type is null and discount_rate is null and discount_cents is null
    end
  ),
  constraint coupons_min_order_range check (min_order_cents between 0 and 99999999999),
  constraint coupons_dates_forward check (starts_at < ends_at),
  constraint coupons_max_redemptions_positive check (max_redemptions > 0),
  constraint coupons_commission_whole check ((commission_type is null) = (commission_rate is null)),
  constraint coupons_commission_range check (
    case commission_type
      when 'percentage' then commission_rate between 0 and 100
      when 'flat' then commission_rate between 0 and 99999999999 and commission_rate = trunc(commission_rate)
      else commission_type is null
    end
  ),
  constraint coupons_deleted_disabled check (deleted_at is null or status = 'disabled'),
  constraint coupons_redemptions_range check (redemptions >= 0)
);

comment on table coupons is
  'A code that credits one affiliate. A deleted one stays as a tombstone, so that nobody else can claim its '
  'code. `redemptions` counts the orders it was credited for; `leak_suspected_at` says when they first looked as '
  'if the code had left the affiliate''s own audience. `code_key` is the form in which codes are compared.';

create index coupons_newest on coupons (program_id, created_at desc, id desc);
create index coupons_by_affiliate on coupons (program_id, affiliate_id);
