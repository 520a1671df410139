-- Money. One row is one transfer between two accounts, so debit and credit can't differ.

create table ledger_heads (
  program_id uuid not null,
  seq bigint not null,
  hash bytea not null,
  commissions_cents bigint not null default 0,
  written_off_cents bigint not null default 0,
  constraint ledger_heads_pkey primary key (program_id),
  constraint ledger_heads_program_fkey foreign key (program_id) references programs (id)
);

comment on table ledger_heads is
  'The books of a program: the last entry''s number and hash, and the balances of its own accounts. Whoever '
  'moves money locks this row first: entries have no gaps, and nothing that earns, refunds or pays can overtake.';

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
  created_at timestamptz not null,
  hash bytea not null,
  constraint ledger_entries_pkey primary key (program_id, seq),
  constraint ledger_entries_id_unique unique (program_id, id),
  constraint ledger_entries_once unique (program_id, kind, ref),
  constraint ledger_entries_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint ledger_entries_cents_positive check (cents > 0),
  constraint ledger_entries_two_accounts check (debit <> credit),
  constraint ledger_entries_accounts_known check (
    debit in ('commissions', 'written_off', 'pending', 'available', 'in_transit', 'paid')
    and credit in ('commissions', 'written_off', 'pending', 'available', 'in_transit', 'paid')
  )
);

comment on table ledger_entries is
  'One transfer: `cents` leave the debit account for the credit account. commissions and written_off belong to '
  'the program, the other four to the affiliate. `ref` is what caused it, once per kind. Only ever inserted: a '
  'mistake is undone by a counter-entry. hash = sha256(hash of seq - 1 || this entry).';

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
) with (fillfactor = 70);

comment on table ledger_balances is
  'What the entries of an affiliate add up to, kept in the transaction that adds them. Available may be negative: '
  'a refund after payment is owed back, and the next payout nets it.';
