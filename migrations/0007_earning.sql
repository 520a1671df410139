-- From an order to money owed: rules, customers, orders, commissions, refunds and the double-entry ledger.

create table ledger_heads (
  program_id uuid not null,
  seq bigint not null,
  hash bytea not null,
  commissions_cents bigint not null default 0,
  constraint ledger_heads_pkey primary key (program_id),
  constraint ledger_heads_program_fkey foreign key (program_id) references programs (id)
);

comment on table ledger_heads is
  'The ledger of a program: number and hash of its last entry, and the balance of the program''s account. Locked '
  'first by every operation that moves money, so entries are gapless and ordered.';

create table ledger_entries (
  program_id uuid not null,
  seq bigint not null,
  id uuid not null,
  kind text not null,
  ref text not null,
  affiliate_id uuid not null,
  commission_id uuid,
  debit text not null,
  credit text not null,
  cents bigint not null,
  currency text not null,
  hash bytea not null,
  created_at timestamptz not null,
  constraint ledger_entries_pkey primary key (program_id, seq),
  constraint ledger_entries_id_unique unique (program_id, id),
  constraint ledger_entries_once unique (program_id, kind, ref),
  constraint ledger_entries_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id),
  constraint ledger_entries_accounts_known
    check (debit in ('commissions', 'pending', 'available', 'in_transit', 'paid')
      and credit in ('commissions', 'pending', 'available', 'in_transit', 'paid')),
  constraint ledger_entries_cents_positive check (cents > 0),
  constraint ledger_entries_two_accounts check (debit <> credit)
);

comment on table ledger_entries is
  'One transfer between two accounts. `commissions` belongs to the program, the other four accounts to the '
  'affiliate. `ref` identifies the cause, once per kind. Append-only: mistakes are corrected by counter-entries. '
  'hash = sha256(hash of seq - 1 || this entry).';

create index ledger_entries_by_affiliate on ledger_entries (program_id, affiliate_id, seq);
create index ledger_entries_by_commission on ledger_entries (program_id, commission_id) where commission_id is not null;
-- The journal adds up the entries of a period.
create index ledger_entries_by_time on ledger_entries (program_id, created_at, seq)
  include (kind, debit, credit, currency, cents);

create table ledger_balances (
  program_id uuid not null,
  affiliate_id uuid not null,
  pending_cents bigint not null default 0,
  available_cents bigint not null default 0,
  in_transit_cents bigint not null default 0,
  paid_cents bigint not null default 0,
  constraint ledger_balances_pkey primary key (program_id, affiliate_id),
  constraint ledger_balances_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id)
);

comment on table ledger_balances is
  'The sums of an affiliate''s ledger entries by account, updated in the transaction that inserts them. '
  '`available` may be negative: a commission refunded after payment is owed back and netted by the next payout.';

create table ledger_counts (
  program_id uuid not null,
  day date not null,
  kind text not null,
  entries bigint not null,
  constraint ledger_counts_pkey primary key (program_id, day, kind),
  constraint ledger_counts_program_fkey foreign key (program_id) references programs (id)
);

comment on table ledger_counts is
  'The number of ledger entries per UTC day and kind. Updated in the transaction that posts them. `tributary '
  'verify` compares them.';

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
  constraint commission_rules_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id),
  constraint commission_rules_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint commission_rules_product_fkey foreign key (program_id, product_id) references products (program_id, id),
  constraint commission_rules_program_fkey foreign key (program_id) references programs (id),
  constraint commission_rules_effective_forward check (effective_from < effective_to),
  constraint commission_rules_level_known check (level in (1, 2)),
  constraint commission_rules_one_item_scope check (product_id is null or category is null),
  constraint commission_rules_one_person_scope check (group_id is null or affiliate_id is null),
  constraint commission_rules_status_known check (status in ('active', 'archived'))
);

comment on table commission_rules is
  'A commission rule in its current version. Product, category, group and affiliate determine its precedence; '
  '`terms` its rate and limits.';

create index commission_rules_active on commission_rules (program_id, affiliate_id, product_id) where status = 'active';
create index commission_rules_changed on commission_rules (program_id, updated_at);
create index commission_rules_newest on commission_rules (program_id, created_at desc, id desc);

create table commission_rule_versions (
  program_id uuid not null,
  rule_id uuid not null,
  version integer not null,
  rule jsonb not null,
  valid_from timestamptz not null,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  constraint commission_rule_versions_pkey primary key (program_id, rule_id, version),
  constraint commission_rule_versions_rule_fkey foreign key (program_id, rule_id)
    references commission_rules (program_id, id)
);

comment on table commission_rule_versions is
  'A commission rule as it was between two changes; never updated. Commissions refer to the version they were '
  'earned under. An order uses the highest version whose `valid_from` is not after the order.';

create table commission_rule_budgets (
  program_id uuid not null,
  rule_id uuid not null,
  period_start date not null,
  spent_cents bigint not null,
  constraint commission_rule_budgets_pkey primary key (program_id, rule_id, period_start),
  constraint commission_rule_budgets_rule_fkey foreign key (program_id, rule_id)
    references commission_rules (program_id, id)
);

comment on table commission_rule_budgets is
  'What a rule with a budget has paid in a period.';

create table conversion_totals (
  program_id uuid not null,
  day date not null,
  status text not null,
  method text not null,
  has_conflict boolean not null,
  orders bigint not null,
  amount_cents bigint not null,
  refunded_cents bigint not null,
  commission_cents bigint not null,
  reversed_cents bigint not null,
  created_day date not null,
  constraint conversion_totals_pkey primary key (program_id, day, created_day, status, method, has_conflict),
  constraint conversion_totals_program_fkey foreign key (program_id) references programs (id)
);

comment on table conversion_totals is
  'The number and the sums of the rows of conversion_summaries, per UTC day on which the orders occurred, UTC day '
  'on which they were recorded (`created_day`) and by what lists are filtered by. Updated in the transaction that '
  'writes the summaries, which holds the lock of the ledger. `tributary verify` compares them.';

create table commission_counts (
  program_id uuid not null,
  day date not null,
  status text not null,
  kind text not null,
  commissions bigint not null,
  constraint commission_counts_pkey primary key (program_id, day, status, kind),
  constraint commission_counts_program_fkey foreign key (program_id) references programs (id)
);

comment on table commission_counts is
  'The number of commissions per UTC day on which they were recorded, by status and kind. Updated in the '
  'transaction that writes the commissions, which holds the lock of the ledger. `tributary verify` compares them.';

create table owed_commissions (
  program_id uuid not null,
  affiliate_id uuid not null,
  commissions bigint not null,
  constraint owed_commissions_pkey primary key (program_id, affiliate_id),
  constraint owed_commissions_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id)
);

comment on table owed_commissions is
  'The number of commissions per affiliate whose amount is available and not settled: those that the available '
  'balance of the ledger adds up. Updated in the transaction that changes the commissions, which holds the lock '
  'of the ledger. `tributary verify` compares it with the commissions.';

create table customers (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid,
  bound_by text,
  bound_method text,
  bound_at timestamptz,
  changes integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint customers_pkey primary key (program_id, id),
  constraint customers_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint customers_program_fkey foreign key (program_id) references programs (id),
  constraint customers_bound_by_known check (bound_by in ('order', 'lead', 'member')),
  constraint customers_bound_whole
    check (((affiliate_id is null) = (bound_by is null)) and ((affiliate_id is null) = (bound_at is null)))
);

comment on table customers is
  'A buyer or lead of a program, and the affiliate that they are bound to: their later orders without another '
  'signal are credited to this affiliate. Changed only together with customer_bindings; `changes` is the last '
  'step there.';

create index customers_by_affiliate on customers (program_id, affiliate_id, created_at desc)
  where affiliate_id is not null;
create index customers_newest on customers (program_id, created_at desc, id desc);

create table customer_keys (
  program_id uuid not null,
  key text not null,
  first_order_at timestamptz,
  orders bigint not null,
  customer_id uuid not null,
  constraint customer_keys_pkey primary key (program_id, key),
  constraint customer_keys_customer_fkey foreign key (program_id, customer_id) references customers (program_id, id)
);

comment on table customer_keys is
  'What a customer is recognized by: the program''s own id (`id:…`) or a keyed hash of the email address '
  '(`mail:…`), with the first time and the number of credited orders that named it.';

create index customer_keys_by_customer on customer_keys (program_id, customer_id);

create table leads (
  program_id uuid not null,
  id uuid not null,
  external_id text not null,
  name text,
  affiliate_id uuid not null,
  customer_id uuid not null,
  currency text not null,
  method text not null,
  click_id uuid,
  clicked_at timestamptz,
  coupon_id uuid,
  conflict jsonb,
  sub_id text,
  metadata jsonb,
  facts jsonb not null,
  decision jsonb not null,
  rejected_at timestamptz,
  rejection_note text,
  occurred_at timestamptz not null,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  constraint leads_pkey primary key (program_id, id),
  constraint leads_external_id_unique unique (program_id, external_id),
  constraint leads_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint leads_coupon_fkey foreign key (program_id, coupon_id) references coupons (program_id, id),
  constraint leads_customer_fkey foreign key (program_id, customer_id) references customers (program_id, id),
  constraint leads_method_known check (method in ('affiliate', 'coupon', 'click', 'referral_code', 'customer')),
  constraint leads_rejection_note check (rejection_note is null or rejected_at is not null)
);

comment on table leads is
  'A sign-up or another step before a purchase, credited to an affiliate. The external id is unique in its '
  'program. `facts` are the inputs of the calculation and `decision` its explanation; both never change.';

create index leads_by_affiliate on leads (program_id, affiliate_id, created_at desc);
create index leads_by_customer on leads (program_id, customer_id);
create index leads_newest on leads (program_id, created_at desc, id desc);

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
  sub_ids text[] not null default '{}',
  buyer_hash text,
  recorded_values jsonb not null default '{}',
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

comment on column conversions.sub_ids is
  'The sub IDs of the credited click; the first one is `sub_id`, which a store can also report. They belong to '
  'the affiliate who was credited first (facts -> affiliate), and are shown to no other.';

comment on column conversions.buyer_hash is
  'A keyed hash of the mailbox that the email address of the buyer reaches, to recognize the affiliate as the '
  'buyer when the order is moved. Null if no address was reported, and for orders that were recorded before the '
  'column existed.';

create index conversions_by_affiliate_time on conversions (program_id, affiliate_id, occurred_at);
create index conversions_by_coupon on conversions (program_id, coupon_id, occurred_at) where coupon_id is not null;
create index conversions_by_customer on conversions using gin (customer_keys);
create index conversions_search on conversions using gin (lower(order_id) gin_trgm_ops);

create table conversion_summaries (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  status text not null,
  method text not null,
  has_conflict boolean not null,
  amount_cents bigint not null,
  refunded_cents bigint not null default 0,
  commission_cents bigint not null,
  reversed_cents bigint not null default 0,
  product_ids uuid[] not null default '{}',
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  constraint conversion_summaries_pkey primary key (program_id, id),
  constraint conversion_summaries_conversion_fkey foreign key (program_id, id) references conversions (program_id, id),
  constraint conversion_summaries_status_known
    check (status in ('pending', 'held', 'approved', 'paid', 'reversed', 'rejected'))
);

comment on table conversion_summaries is
  'The figures of an order and the status of its commissions, written with them. Lists filter, sort and add up '
  'these narrow rows; `tributary verify` compares them with the orders and commissions.';

create index conversion_summaries_by_affiliate on conversion_summaries (program_id, affiliate_id, created_at desc, id desc);
create index conversion_summaries_by_amount on conversion_summaries (program_id, amount_cents, id);
create index conversion_summaries_by_commission on conversion_summaries (program_id, commission_cents, id);
create index conversion_summaries_by_method on conversion_summaries (program_id, method, created_at desc, id desc);
create index conversion_summaries_by_product on conversion_summaries using gin (product_ids);
create index conversion_summaries_by_status on conversion_summaries (program_id, status, created_at desc, id desc);
create index conversion_summaries_by_time on conversion_summaries (program_id, occurred_at, id) include (created_at);
create index conversion_summaries_conflicting on conversion_summaries (program_id, created_at desc, id desc)
  where has_conflict;
create index conversion_summaries_newest on conversion_summaries (program_id, created_at desc, id desc);
create index conversion_summaries_refunded on conversion_summaries (program_id, refunded_cents, id)
  where refunded_cents > 0;

create table commissions (
  program_id uuid not null,
  id uuid not null,
  conversion_id uuid,
  affiliate_id uuid not null,
  amount_cents bigint not null,
  kind text not null default 'order',
  level integer not null default 1,
  status text not null,
  currency text not null,
  type text,
  rate numeric(15,4),
  source text,
  rule_id uuid,
  rule_version integer,
  product_id uuid,
  positions integer[] not null default '{}'::integer[],
  base_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  reversed_cents bigint not null default 0,
  settled_cents bigint not null default 0,
  adjusts_commission_id uuid,
  reason text,
  changes integer not null default 1,
  matures_at timestamptz not null,
  flat_refunds text not null default 'pro_rata',
  budget_start date,
  note text,
  lead_id uuid,
  moved_at timestamptz,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint commissions_pkey primary key (program_id, id),
  constraint commissions_adjusts_fkey foreign key (program_id, adjusts_commission_id)
    references commissions (program_id, id),
  constraint commissions_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint commissions_conversion_fkey foreign key (program_id, conversion_id)
    references conversions (program_id, id),
  constraint commissions_lead_fkey foreign key (program_id, lead_id) references leads (program_id, id),
  constraint commissions_rule_fkey foreign key (program_id, rule_id, rule_version)
    references commission_rule_versions (program_id, rule_id, version),
  constraint commissions_flat_refunds_known check (flat_refunds in ('pro_rata', 'keep')),
  constraint commissions_kind_known check (kind in ('order', 'lead', 'adjustment', 'bonus')),
  constraint commissions_lead_earned
    check (kind <> 'lead' or (lead_id is not null and conversion_id is null and amount_cents > 0)),
  constraint commissions_level_known check (level in (1, 2)),
  constraint commissions_order_earned check (kind <> 'order' or (conversion_id is not null and amount_cents > 0)),
  constraint commissions_refunded_range check (refunded_cents between 0 and base_cents),
  constraint commissions_reversed_range
    check (reversed_cents >= least(amount_cents, 0) and reversed_cents <= greatest(amount_cents, 0)),
  constraint commissions_status_known check (status in ('pending', 'held', 'approved', 'paid', 'reversed', 'rejected'))
);

comment on table commissions is
  'What one affiliate earns for a conversion, an adjustment or a bonus. `amount_cents` never changes: the amount '
  'owed is amount_cents - reversed_cents - settled_cents. `matures_at` is fixed when the commission is earned.';

comment on column commissions.budget_start is
  'The budget period that paid this commission; reversals return to it. Null without a budget.';

comment on column commissions.moved_at is
  'When its order was moved to another affiliate. The order no longer counts it; the affiliate owes back what was '
  'paid.';

create index commissions_adjusting on commissions (program_id, adjusts_commission_id)
  where adjusts_commission_id is not null;
create index commissions_by_affiliate on commissions (program_id, affiliate_id, created_at);
create index commissions_by_conversion on commissions (program_id, conversion_id);
create index commissions_by_lead on commissions (program_id, lead_id) where lead_id is not null;
create index commissions_by_rule on commissions (program_id, rule_id, conversion_id) where rule_id is not null;
create index commissions_held on commissions (program_id, affiliate_id) where status = 'held';
-- The forecast adds up what matures.
create index commissions_maturing on commissions (program_id, matures_at)
  include (amount_cents, reversed_cents, settled_cents)
  where status = 'pending';
create index commissions_newest on commissions (program_id, created_at desc, id desc);
-- What is owed, but matures after the cutoff of a payout: the balance contains it, and the payout must not.
create index commissions_owed_by_maturity on commissions (program_id, matures_at)
  where status not in ('pending', 'held') and (((amount_cents - reversed_cents) - settled_cents) > 0);
create index commissions_owing on commissions (program_id, affiliate_id, id)
  where status not in ('pending', 'held') and (((amount_cents - reversed_cents) - settled_cents) <> 0);

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
  note text,
  created_at timestamptz not null,
  constraint commission_events_pkey primary key (program_id, id),
  constraint commission_events_step_unique unique (program_id, commission_id, step),
  constraint commission_events_commission_fkey foreign key (program_id, commission_id)
    references commissions (program_id, id)
);

comment on table commission_events is
  'A change of a commission''s status with its actor and reason, inserted in the transaction of the change. `step` '
  'numbers the changes of a commission, since the clocks of several processes can''t order them.';

create table commission_holds (
  program_id uuid not null,
  id uuid not null,
  commission_id uuid not null,
  cause text not null,
  cause_id uuid not null,
  reason text,
  opened_at timestamptz not null,
  closed_at timestamptz,
  note text,
  constraint commission_holds_pkey primary key (program_id, id),
  constraint commission_holds_commission_fkey foreign key (program_id, commission_id)
    references commissions (program_id, id),
  constraint commission_holds_cause_known check (cause in ('manual', 'fraud_event', 'dispute'))
);

comment on table commission_holds is
  'A cause that holds a commission, and when it was open. `cause_id` is the dispute, the fraud event or, for '
  '`manual`, the commission itself. While any cause is open, the payable part is held.';

create index commission_holds_by_cause on commission_holds (program_id, cause_id, cause) where closed_at is null;
create unique index commission_holds_open on commission_holds (program_id, commission_id, cause, cause_id)
  where closed_at is null;

create table customer_bindings (
  program_id uuid not null,
  customer_id uuid not null,
  step integer not null,
  affiliate_id uuid,
  source text not null,
  method text,
  conversion_id uuid,
  lead_id uuid,
  note text,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  constraint customer_bindings_pkey primary key (program_id, customer_id, step),
  constraint customer_bindings_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id),
  constraint customer_bindings_conversion_fkey foreign key (program_id, conversion_id)
    references conversions (program_id, id),
  constraint customer_bindings_customer_fkey foreign key (program_id, customer_id)
    references customers (program_id, id),
  constraint customer_bindings_lead_fkey foreign key (program_id, lead_id) references leads (program_id, id),
  constraint customer_bindings_source_known check (source in ('order', 'lead', 'member', 'lead_rejected'))
);

comment on table customer_bindings is
  'Each change of the affiliate that a customer is bound to; never updated. Without an affiliate, the change '
  'ended the binding. `method` is the attribution signal of the order or lead.';

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
  lead_id uuid,
  created_at timestamptz not null,
  constraint fraud_events_pkey primary key (program_id, id),
  constraint fraud_events_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint fraud_events_conversion_fkey foreign key (program_id, conversion_id)
    references conversions (program_id, id),
  constraint fraud_events_lead_fkey foreign key (program_id, lead_id) references leads (program_id, id),
  constraint fraud_events_resolved_whole check ((status = 'open') = (resolved_at is null)),
  constraint fraud_events_status_known check (status in ('open', 'legitimate', 'fraud'))
);

comment on table fraud_events is
  'A fraud alert: suspicious activity on an order, with its evidence. Awaits a decision; the order itself is '
  'recorded.';

create index fraud_events_by_conversion on fraud_events (program_id, conversion_id);
create index fraud_events_by_lead on fraud_events (program_id, lead_id) where lead_id is not null;
create index fraud_events_newest on fraud_events (program_id, created_at desc, id desc);
create index fraud_events_open on fraud_events (program_id, created_at) where status = 'open';

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
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint unattributed_orders_pkey primary key (program_id, order_id),
  constraint unattributed_orders_id_unique unique (program_id, id),
  constraint unattributed_orders_conversion_fkey foreign key (program_id, conversion_id)
    references conversions (program_id, id),
  constraint unattributed_orders_program_fkey foreign key (program_id) references programs (id)
);

comment on table unattributed_orders is
  'A recorded order with no affiliate to credit, for coverage and claims. The order id remains available; '
  '`conversion_id` is set when a later report or a claim credits it.';

comment on column unattributed_orders.buyer_hash is
  'Keyed hash of the buyer''s email address, to detect claims on one''s own purchase. The address is not stored.';

create index unattributed_orders_newest on unattributed_orders (program_id, created_at desc);
create index unattributed_orders_open on unattributed_orders (program_id, created_at desc, id desc)
  where conversion_id is null;
create index unattributed_orders_search on unattributed_orders using gin (lower(order_id) gin_trgm_ops);

create table order_mismatches (
  program_id uuid not null,
  id uuid not null,
  conversion_id uuid not null,
  reported jsonb not null,
  created_at timestamptz not null,
  constraint order_mismatches_pkey primary key (program_id, id),
  constraint order_mismatches_conversion_fkey foreign key (program_id, conversion_id)
    references conversions (program_id, id)
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
create index claims_open on claims (program_id, created_at) where status = 'open';

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
  constraint refunds_amount_range check (amount_cents >= 0)
);

comment on table refunds is
  'Money returned to a buyer. Undone when a lost dispute is won after all.';

create index refunds_by_conversion on refunds (program_id, conversion_id);
create index refunds_newest on refunds (program_id, created_at desc, id desc);

create table refund_lines (
  program_id uuid not null,
  refund_id uuid not null,
  position integer not null,
  amount_cents bigint not null,
  constraint refund_lines_pkey primary key (program_id, refund_id, "position"),
  constraint refund_lines_refund_fkey foreign key (program_id, refund_id) references refunds (program_id, id),
  constraint refund_lines_amount_range check (amount_cents >= 0)
);

comment on table refund_lines is
  'The refunded amount of one order line. 0 for a free line that was refunded in full.';

create table disputes (
  program_id uuid not null,
  id uuid not null,
  external_id text not null,
  conversion_id uuid not null,
  status text not null,
  amount_cents bigint,
  refund_id uuid,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint disputes_pkey primary key (program_id, id),
  constraint disputes_external_id_unique unique (program_id, external_id),
  constraint disputes_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint disputes_refund_fkey foreign key (program_id, refund_id) references refunds (program_id, id),
  constraint disputes_status_known check (status in ('opened', 'won', 'lost'))
);

comment on table disputes is
  'A chargeback. An open dispute holds the commissions of its order, a lost one reverses them, a won one releases '
  'them.';

create index disputes_by_conversion on disputes (program_id, conversion_id);

create table order_changes (
  program_id uuid not null,
  id uuid not null,
  conversion_id uuid not null,
  kind text not null,
  external_id text,
  from_affiliate_id uuid,
  to_affiliate_id uuid,
  amount_cents bigint not null,
  note text,
  before jsonb,
  actor_kind text not null,
  actor_id text not null,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  constraint order_changes_pkey primary key (program_id, id),
  constraint order_changes_increase_unique unique (program_id, external_id),
  constraint order_changes_conversion_fkey foreign key (program_id, conversion_id)
    references conversions (program_id, id),
  constraint order_changes_from_fkey foreign key (program_id, from_affiliate_id) references affiliates (program_id, id),
  constraint order_changes_to_fkey foreign key (program_id, to_affiliate_id) references affiliates (program_id, id),
  constraint order_changes_amount_range check (amount_cents between 0 and 99999999999),
  constraint order_changes_increase_complete check ((kind = 'increased') = (external_id is not null)),
  constraint order_changes_kind_known check (kind in ('moved', 'increased', 'cancelled')),
  constraint order_changes_move_complete
    check ((kind = 'moved') = (from_affiliate_id is not null and to_affiliate_id is not null and before is not null))
);

comment on table order_changes is
  'What happened to an order after it was recorded, with the actor and their note. `amount_cents` is what was '
  'added or cancelled; `before` is the attribution of a moved order before the move.';

create index order_changes_by_conversion on order_changes (program_id, conversion_id, id);
create index order_changes_by_from on order_changes (program_id, from_affiliate_id) where from_affiliate_id is not null;
create index order_changes_by_to on order_changes (program_id, to_affiliate_id) where to_affiliate_id is not null;
create unique index order_changes_cancelled_once on order_changes (program_id, conversion_id) where kind = 'cancelled';
