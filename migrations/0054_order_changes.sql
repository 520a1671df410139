-- Moving an order to another affiliate, increasing and cancelling it. The order keeps its id; its ledger entries and
-- commissions stay, and counter-entries and new commissions follow.

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
  created_at timestamptz not null,
  constraint order_changes_pkey primary key (program_id, id),
  constraint order_changes_increase_unique unique (program_id, external_id),
  constraint order_changes_conversion_fkey foreign key (program_id, conversion_id) references conversions (program_id, id),
  constraint order_changes_from_fkey foreign key (program_id, from_affiliate_id) references affiliates (program_id, id),
  constraint order_changes_to_fkey foreign key (program_id, to_affiliate_id) references affiliates (program_id, id),
  constraint order_changes_kind_known check (kind in ('moved', 'increased', 'cancelled')),
  constraint order_changes_amount_range check (amount_cents between 0 and 99999999999),
  constraint order_changes_move_complete check (
    (kind = 'moved') = (from_affiliate_id is not null and to_affiliate_id is not null and before is not null)
  ),
  constraint order_changes_increase_complete check ((kind = 'increased') = (external_id is not null))
);

comment on table order_changes is
  'What happened to an order after it was recorded, with the actor and their note. `amount_cents` is what was added or '
  'cancelled; `before` is the attribution of a moved order before the move.';

create index order_changes_by_conversion on order_changes (program_id, conversion_id, id);
create index order_changes_by_from on order_changes (program_id, from_affiliate_id) where from_affiliate_id is not null;
create index order_changes_by_to on order_changes (program_id, to_affiliate_id) where to_affiliate_id is not null;
create unique index order_changes_cancelled_once on order_changes (program_id, conversion_id) where kind = 'cancelled';

alter table commissions add column moved_at timestamptz;

comment on column commissions.moved_at is
  'When its order was moved to another affiliate. The order no longer counts it; the affiliate owes back what was paid.';
