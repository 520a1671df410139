-- Commissions and what holds or reverses them.

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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint commissions_pkey primary key (program_id, id),
  constraint commissions_adjusts_fkey foreign key (program_id, adjusts_commission_id) references commissions (program_id, id),
  constraint commissions_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint commissions_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint commissions_rule_fkey foreign key (program_id, rule_id, rule_version) references commission_rule_versions (program_id, rule_id, version),
  constraint commissions_flat_refunds_known check (flat_refunds in ('pro_rata', 'keep')),
  constraint commissions_kind_known check (kind in ('order', 'adjustment', 'bonus')),
  constraint commissions_level_known check (level in (1, 2)),
  constraint commissions_order_earned check ((kind <> 'order') or ((conversion_id is not null) and (amount_cents > 0))),
  constraint commissions_refunded_range check (refunded_cents between 0 and base_cents),
  constraint commissions_reversed_range check ((reversed_cents >= least(amount_cents, 0)) and (reversed_cents <= greatest(amount_cents, 0))),
  constraint commissions_status_known check (status in ('pending', 'held', 'approved', 'paid', 'reversed', 'rejected'))
);

comment on table commissions is
  'What one affiliate earns for a conversion, an adjustment or a bonus. `amount_cents` never changes: the amount '
  'owed is amount_cents - reversed_cents - settled_cents. `matures_at` is fixed when the commission is earned.';

comment on column commissions.budget_start is
  'The budget period that paid this commission; reversals return to it. Null without a budget.';

create index commissions_adjusting on commissions (program_id, adjusts_commission_id) where adjusts_commission_id is not null;
create index commissions_by_affiliate on commissions (program_id, affiliate_id, created_at);
create index commissions_by_conversion on commissions (program_id, conversion_id);
create index commissions_maturing on commissions (program_id, matures_at) where status = 'pending';
create index commissions_newest on commissions (program_id, created_at desc, id desc);
create index commissions_owing on commissions (program_id, affiliate_id, id) where (status <> all (array['pending', 'held'])) and (((amount_cents - reversed_cents) - settled_cents) <> 0);

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
  constraint commission_events_commission_fkey foreign key (program_id, commission_id) references commissions (program_id, id)
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
  constraint commission_holds_commission_fkey foreign key (program_id, commission_id) references commissions (program_id, id),
  constraint commission_holds_cause_known check (cause in ('manual', 'fraud_event', 'dispute'))
);

comment on table commission_holds is
  'A cause that holds a commission, and when it was open. `cause_id` is the dispute, the fraud event or, for '
  '`manual`, the commission itself. While any cause is open, the payable part is held.';

create index commission_holds_by_cause on commission_holds (program_id, cause_id, cause) where closed_at is null;
create unique index commission_holds_open on commission_holds (program_id, commission_id, cause, cause_id) where closed_at is null;

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
