-- Lists of orders are sorted by the time they were recorded, too. With that day among the totals, the position of a page in
-- the middle of a list is known without passing every row before it, and periods of that time are counted by days.

delete from conversion_totals;
alter table conversion_totals add column created_day date not null;
alter table conversion_totals drop constraint conversion_totals_pkey;
alter table conversion_totals add constraint conversion_totals_pkey
  primary key (program_id, day, created_day, status, method, has_conflict);

comment on table conversion_totals is
  'The number and the sums of the rows of conversion_summaries, per UTC day on which the orders occurred, UTC day on which '
  'they were recorded (`created_day`) and by what lists are filtered by. Updated in the transaction that writes the summaries, '
  'which holds the lock of the ledger. `tributary verify` compares them.';

insert into conversion_totals (program_id, day, created_day, status, method, has_conflict, orders, amount_cents, refunded_cents,
    commission_cents, reversed_cents)
  select program_id, (occurred_at at time zone 'UTC')::date, (created_at at time zone 'UTC')::date, status, method, has_conflict,
    count(*), sum(amount_cents), sum(refunded_cents), sum(commission_cents), sum(reversed_cents)
  from conversion_summaries group by 1, 2, 3, 4, 5, 6;
