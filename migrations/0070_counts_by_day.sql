-- Lists show their exact total: counting a million rows for each page takes longer than reading the page. What lists
-- are filtered by most is counted per day (UTC), so that any period is whole days and the rows of at most two others.

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
  constraint conversion_totals_pkey primary key (program_id, day, status, method, has_conflict),
  constraint conversion_totals_program_fkey foreign key (program_id) references programs (id)
);

comment on table conversion_totals is
  'The number and the sums of the rows of conversion_summaries, per UTC day on which the orders occurred and by what '
  'lists are filtered by. Updated in the transaction that writes the summaries, which holds the lock of the ledger. '
  '`tributary verify` compares them.';

insert into conversion_totals
  select program_id, (occurred_at at time zone 'UTC')::date, status, method, has_conflict, count(*), sum(amount_cents),
    sum(refunded_cents), sum(commission_cents), sum(reversed_cents)
  from conversion_summaries group by 1, 2, 3, 4, 5;

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
  'The number of commissions per UTC day on which they were recorded, by status and kind. Updated in the transaction '
  'that writes the commissions, which holds the lock of the ledger. `tributary verify` compares them.';

insert into commission_counts
  select program_id, (created_at at time zone 'UTC')::date, status, kind, count(*) from commissions group by 1, 2, 3, 4;

create table ledger_counts (
  program_id uuid not null,
  day date not null,
  kind text not null,
  entries bigint not null,
  constraint ledger_counts_pkey primary key (program_id, day, kind),
  constraint ledger_counts_program_fkey foreign key (program_id) references programs (id)
);

comment on table ledger_counts is
  'The number of ledger entries per UTC day and kind. Updated in the transaction that posts them. `tributary verify` '
  'compares them.';

insert into ledger_counts
  select program_id, (created_at at time zone 'UTC')::date, kind, count(*) from ledger_entries group by 1, 2, 3;

-- Entries of a period: lists, and the journal.
create index ledger_entries_by_time on ledger_entries (program_id, created_at, seq);
