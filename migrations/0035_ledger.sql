-- The account for debts that were written off was never used.
alter table ledger_entries drop constraint ledger_entries_accounts_known;
alter table ledger_entries add constraint ledger_entries_accounts_known check (
  debit in ('commissions', 'pending', 'available', 'in_transit', 'paid')
  and credit in ('commissions', 'pending', 'available', 'in_transit', 'paid')
);
alter table ledger_heads drop column written_off_cents;

comment on table ledger_heads is
  'The ledger of a program: the number and hash of its last entry, and the balance of the program''s own account. Every '
  'operation that moves money locks this row first: entries have no gaps, and no two of them interleave.';

comment on table ledger_entries is
  'One transfer: `cents` move from the debit account to the credit account. `commissions` belongs to the program, the '
  'other four accounts to the affiliate. `ref` identifies the cause, once per kind. Rows are only ever inserted: a '
  'mistake is corrected by a counter-entry. hash = sha256(hash of seq - 1 || this entry).';

comment on table ledger_balances is
  'The sums of an affiliate''s entries, updated in the transaction that inserts them. `available` may be negative: '
  'a commission that is refunded after payment is owed back, and the next payout nets it.';
