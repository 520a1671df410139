-- Clicks are only appended; what they add to the totals of affiliates waits here for at most a second or so.

create table click_deltas (
  program_id uuid not null,
  id uuid not null,
  day date not null,
  affiliate_ids uuid[] not null,
  clicks integer[] not null,
  constraint click_deltas_pkey primary key (program_id, id),
  constraint click_deltas_program_fkey foreign key (program_id) references programs (id),
  constraint click_deltas_aligned check (cardinality(affiliate_ids) = cardinality(clicks))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

comment on table click_deltas is
  'Recorded clicks that are not yet in the totals of their affiliates: one row per batch and day in the program''s '
  'time zone, written in the transaction of the clicks. Each second, a process adds them to affiliates and '
  'daily_totals and deletes them, in one transaction. A reader of those totals adds the rows that are still here.';

comment on table daily_totals is
  'Sums per affiliate and day in the program''s time zone, updated in the transaction that writes an order, refund or '
  'commission; clicks are added from click_deltas. Orders, their refunds, commissions, adjustments and reversals count '
  'on the day of the order, bonuses on the day they were granted. `tributary verify` compares them with the rows they '
  'sum up.';
