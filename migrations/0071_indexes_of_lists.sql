-- Indexes that contain what a list or report reads, so that it doesn't visit the rows.

-- Orders of a period, newest first: the period is collected with its times of recording, then sorted.
drop index conversion_summaries_by_time;
create index conversion_summaries_by_time on conversion_summaries (program_id, occurred_at, id) include (created_at);

-- The forecast adds up what matures.
drop index commissions_maturing;
create index commissions_maturing on commissions (program_id, matures_at) include (amount_cents, reversed_cents, settled_cents)
  where status = 'pending';

-- The journal adds up the entries of a period.
drop index ledger_entries_by_time;
create index ledger_entries_by_time on ledger_entries (program_id, created_at, seq) include (kind, debit, credit, currency, cents);
