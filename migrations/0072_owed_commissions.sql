-- What is due follows from the balances of the ledger, and from this number, instead of a million commissions.

create table owed_commissions (
  program_id uuid not null,
  affiliate_id uuid not null,
  commissions bigint not null,
  constraint owed_commissions_pkey primary key (program_id, affiliate_id),
  constraint owed_commissions_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table owed_commissions is
  'The number of commissions per affiliate whose amount is available and not settled: those that the available balance of '
  'the ledger adds up. Updated in the transaction that changes the commissions, which holds the lock of the ledger. '
  '`tributary verify` compares it with the commissions.';

insert into owed_commissions
  select program_id, affiliate_id, count(*) from commissions
  where status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents <> 0 group by 1, 2;

-- What is owed, but matures after the cutoff of a payout: the balance contains it, and the payout must not.
create index commissions_owed_by_maturity on commissions (program_id, matures_at)
  where status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents > 0;
