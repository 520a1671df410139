-- History of another system: what was imported, so that it is imported once.

create table imports (
  program_id uuid not null,
  source text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  constraint imports_pkey primary key (program_id, source),
  constraint imports_program_fkey foreign key (program_id) references programs (id)
);

comment on table imports is
  'The last import of the history of another system into a program. While one has not finished, no payouts are dispatched: '
  'commissions that the other system paid may not be marked as paid yet.';

create table imported_records (
  program_id uuid not null,
  source text not null,
  kind text not null,
  external_id text not null,
  record_id uuid not null,
  imported_at timestamptz not null,
  constraint imported_records_pkey primary key (program_id, source, kind, external_id),
  constraint imported_records_program_fkey foreign key (program_id) references programs (id),
  constraint imported_records_kind_known
    check (kind in ('affiliate', 'customer', 'order', 'commission', 'payout'))
);

comment on table imported_records is
  'What a record of another system became here. A record is imported once: its row is written with what it becomes.';
