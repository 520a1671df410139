-- The double-entry ledger.

create table ledger_heads (
  program_id uuid not null,
  seq bigint not null,
  hash bytea not null,
  commissions_cents bigint not null default 0,
  constraint ledger_heads_pkey primary key (program_id),
  constraint ledger_heads_program_fkey foreign key (program_id) references programs (id)
);

comment on table ledger_heads is
  'The ledger of a program: number and hash of its last entry, and the balance of the program''s account. Locked '
  'first by every operation that moves money, so entries are gapless and ordered.';

create table ledger_entries (
  program_id uuid not null,
  seq bigint not null,
  id uuid not null,
  kind text not null,
  ref text not null,
  affiliate_id uuid not null,
  commission_id uuid,
  debit text not null,
  credit text not null,
  cents bigint not null,
  currency text not null,
  hash bytea not null,
  created_at timestamptz not null,
  constraint ledger_entries_pkey primary key (program_id, seq),
  constraint ledger_entries_id_unique unique (program_id, id),
  constraint ledger_entries_once unique (program_id, kind, ref),
  constraint ledger_entries_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint ledger_entries_accounts_known check ((debit in ('commissions', 'pending', 'available', 'in_transit', 'paid')) and (credit in ('commissions', 'pending', 'available', 'in_transit', 'paid'))),
  constraint ledger_entries_cents_positive check (cents > 0),
  constraint ledger_entries_two_accounts check (debit <> credit)
);

comment on table ledger_entries is
  'One transfer between two accounts. `commissions` belongs to the program, the other four accounts to the '
  'affiliate. `ref` identifies the cause, once per kind. Append-only: mistakes are corrected by counter-entries. '
  'hash = sha256(hash of seq - 1 || this entry).';

create index ledger_entries_by_affiliate on ledger_entries (program_id, affiliate_id, seq);
create index ledger_entries_by_commission on ledger_entries (program_id, commission_id) where commission_id is not null;

create table ledger_balances (
  program_id uuid not null,
  affiliate_id uuid not null,
  pending_cents bigint not null default 0,
  available_cents bigint not null default 0,
  in_transit_cents bigint not null default 0,
  paid_cents bigint not null default 0,
  constraint ledger_balances_pkey primary key (program_id, affiliate_id),
  constraint ledger_balances_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table ledger_balances is
  'The sums of an affiliate''s ledger entries by account, updated in the transaction that inserts them. '
  '`available` may be negative: a commission refunded after payment is owed back and netted by the next payout.';
