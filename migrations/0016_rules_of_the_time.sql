-- Terms as they were when an order happened, and what a fully refunded order no longer counts for.

alter table commission_rule_versions add column valid_from timestamptz;
update commission_rule_versions set valid_from = created_at;
alter table commission_rule_versions alter column valid_from set not null;

comment on table commission_rule_versions is
  'A rule as it was from one change to the next. Never changed: commissions name the version they were earned by. '
  'An order uses the highest version whose `valid_from` is not after the order.';

-- Finds the rules that changed since an order that is reported late.
create index commission_rules_changed on commission_rules (program_id, updated_at);

create table affiliate_past_terms (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  valid_until timestamptz not null,
  status text not null,
  group_id uuid,
  parent_affiliate_id uuid,
  commission_override_type text,
  commission_override_rate numeric(15, 4),
  constraint affiliate_past_terms_pkey primary key (program_id, id),
  constraint affiliate_past_terms_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table affiliate_past_terms is
  'What decided an affiliate''s commissions until a change: status, group, upline and override. An order uses the '
  'earliest row whose `valid_until` is after the order, and the affiliate as it is now when there is none.';

create index affiliate_past_terms_by_affiliate on affiliate_past_terms (program_id, affiliate_id, valid_until);

create table coupon_past_terms (
  program_id uuid not null,
  id uuid not null,
  coupon_id uuid not null,
  valid_until timestamptz not null,
  product_ids uuid[] not null,
  commission_type text,
  commission_rate numeric(15, 4),
  constraint coupon_past_terms_pkey primary key (program_id, id),
  constraint coupon_past_terms_coupon_fkey foreign key (program_id, coupon_id) references coupons (program_id, id)
);

comment on table coupon_past_terms is
  'The products and the commission rate of a coupon until a change, for orders that happened before it.';

create index coupon_past_terms_by_coupon on coupon_past_terms (program_id, coupon_id, valid_until);

alter table unattributed_orders
  add column customer_keys text[] not null default '{}',
  add column buyer_hash text;

update unattributed_orders set customer_keys = array[customer_key] where customer_key is not null;

comment on column unattributed_orders.buyer_hash is
  'Keyed hash of the buyer''s mailbox: a claim on one''s own purchase is a self-referral. The address is not kept.';

alter table conversions
  add column customer_keys text[] not null default '{}',
  add column voided_at timestamptz;

update conversions set customer_keys = array[customer_key] where customer_key is not null;

comment on column conversions.voided_at is
  'When the order stopped counting because it was refunded in full. It is then not a customer''s '
  'order, a coupon redemption or part of a tier. Null again when the refund is undone.';

alter table commissions add column budget_start date;

comment on column commissions.budget_start is
  'The period of the rule''s budget that paid this commission; reversals return to it. Null without a budget.';
