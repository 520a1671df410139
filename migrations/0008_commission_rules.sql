-- Commission rules, their versions and budgets.

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
  constraint commission_rules_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint commission_rules_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint commission_rules_product_fkey foreign key (program_id, product_id) references products (program_id, id),
  constraint commission_rules_program_fkey foreign key (program_id) references programs (id),
  constraint commission_rules_effective_forward check (effective_from < effective_to),
  constraint commission_rules_level_known check (level in (1, 2)),
  constraint commission_rules_one_item_scope check ((product_id is null) or (category is null)),
  constraint commission_rules_one_person_scope check ((group_id is null) or (affiliate_id is null)),
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
  created_at timestamptz not null,
  constraint commission_rule_versions_pkey primary key (program_id, rule_id, version),
  constraint commission_rule_versions_rule_fkey foreign key (program_id, rule_id) references commission_rules (program_id, id)
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
  constraint commission_rule_budgets_rule_fkey foreign key (program_id, rule_id) references commission_rules (program_id, id)
);

comment on table commission_rule_budgets is
  'What a rule with a budget has paid in a period.';
