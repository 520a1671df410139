-- Products and coupons.

create table products (
  program_id uuid not null,
  id uuid not null,
  external_id text,
  name text not null,
  description text,
  category text,
  image_url text,
  price_cents bigint not null,
  checkout_url text not null,
  status text not null,
  sku text,
  brand text,
  compare_at_price_cents bigint,
  availability text not null default 'in_stock',
  search text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint products_pkey primary key (program_id, id),
  constraint products_external_id_unique unique (program_id, external_id),
  constraint products_program_fkey foreign key (program_id) references programs (id),
  constraint products_availability_known check (availability in ('in_stock', 'out_of_stock', 'preorder', 'discontinued')),
  constraint products_compare_at_price_range check (compare_at_price_cents between 0 and 99999999999),
  constraint products_price_range check (price_cents between 0 and 99999999999),
  constraint products_status_known check (status in ('active', 'draft', 'archived'))
);

comment on table products is
  'A product that affiliates promote. Storefronts show active products only.';

create index products_by_sku on products (program_id, sku) where sku is not null;
create index products_newest on products (program_id, created_at desc, id desc);

create table product_groups (
  program_id uuid not null,
  product_id uuid not null,
  group_id uuid not null,
  constraint product_groups_pkey primary key (program_id, product_id, group_id),
  constraint product_groups_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint product_groups_product_fkey foreign key (program_id, product_id) references products (program_id, id)
);

comment on table product_groups is
  'The groups that a product is restricted to. Without rows, every affiliate can promote it.';

create index product_groups_by_group on product_groups (program_id, group_id);

create table coupons (
  program_id uuid not null,
  id uuid not null,
  code text not null,
  code_key text not null,
  affiliate_id uuid not null,
  status text not null,
  discount_type text,
  discount_rate numeric(7,4),
  discount_cents bigint,
  min_order_cents bigint,
  product_ids uuid[] not null default '{}'::uuid[],
  starts_at timestamptz,
  ends_at timestamptz,
  max_redemptions bigint,
  redemptions bigint not null default 0,
  credit_policy text not null,
  commission_type text,
  commission_rate numeric(15,4),
  external_id text,
  leak_suspected_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint coupons_pkey primary key (program_id, id),
  constraint coupons_code_unique unique (program_id, code_key),
  constraint coupons_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint coupons_commission_range check (case commission_type when 'percentage' then (commission_rate between 0 and 100) when 'flat' then ((commission_rate between 0 and 99999999999) and (commission_rate = trunc(commission_rate))) else (commission_type is null) end),
  constraint coupons_commission_whole check ((commission_type is null) = (commission_rate is null)),
  constraint coupons_dates_forward check (starts_at < ends_at),
  constraint coupons_discount_range check (case discount_type when 'percentage' then ((discount_cents is null) and (discount_rate is not null) and (discount_rate between 0 and 100)) when 'flat' then ((discount_rate is null) and (discount_cents is not null) and (discount_cents between 0 and 99999999999)) else ((discount_type is null) and (discount_rate is null) and (discount_cents is null)) end),
  constraint coupons_max_redemptions_positive check (max_redemptions > 0),
  constraint coupons_min_order_range check (min_order_cents between 0 and 99999999999),
  constraint coupons_policy_known check (credit_policy in ('always', 'only_without_click', 'never_over_click')),
  constraint coupons_redemptions_range check (redemptions >= 0),
  constraint coupons_status_known check (status in ('active', 'archived'))
);

comment on table coupons is
  'A code that attributes orders to one affiliate. `redemptions` counts its credited orders; `leak_suspected_at` '
  'is when its use first suggested that it was shared publicly. `code_key` is the normalized code. Archived '
  'coupons keep their code.';

create index coupons_by_affiliate on coupons (program_id, affiliate_id);
create index coupons_newest on coupons (program_id, created_at desc, id desc);

create table coupon_past_terms (
  program_id uuid not null,
  id uuid not null,
  coupon_id uuid not null,
  valid_until timestamptz not null,
  product_ids uuid[] not null,
  commission_type text,
  commission_rate numeric(15,4),
  constraint coupon_past_terms_pkey primary key (program_id, id),
  constraint coupon_past_terms_coupon_fkey foreign key (program_id, coupon_id) references coupons (program_id, id)
);

comment on table coupon_past_terms is
  'The products and the commission rate of a coupon before a change, for earlier orders.';

create index coupon_past_terms_by_coupon on coupon_past_terms (program_id, coupon_id, valid_until);
