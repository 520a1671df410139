-- Daily totals: what a program's affiliates brought per day.

create table daily_totals (
  program_id uuid not null,
  day date not null,
  affiliate_id uuid not null,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  sales_cents bigint not null default 0,
  refunds_cents bigint not null default 0,
  commissions_cents bigint not null default 0,
  reversals_cents bigint not null default 0,
  constraint daily_totals_pkey primary key (program_id, day, affiliate_id),
  constraint daily_totals_program_fkey foreign key (program_id) references programs (id)
) with (fillfactor = 80);

comment on table daily_totals is
  'Sums per affiliate and day in the program''s time zone, updated in the transaction that writes a click, order, '
  'refund or commission. Orders, their refunds, commissions, adjustments and reversals count on the day of the order, '
  'bonuses on the day they were granted. `tributary verify` compares them with the rows they sum up.';

create index daily_totals_earning on daily_totals (program_id, day)
  include (affiliate_id, conversions, sales_cents, refunds_cents, commissions_cents, reversals_cents)
  where conversions <> 0 or commissions_cents <> 0 or reversals_cents <> 0;
