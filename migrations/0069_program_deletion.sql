-- Deleting a program: marked first and inaccessible from then on, deleted with all of its rows after a grace period.

alter table programs
  add column deletion_requested_at timestamptz,
  add column delete_after timestamptz,
  add constraint programs_deletion_whole check ((deletion_requested_at is null) = (delete_after is null));

create index programs_deleting on programs (delete_after) where delete_after is not null;

create table deleted_programs (
  id uuid not null,
  name text not null,
  requested_at timestamptz not null,
  deleted_at timestamptz not null,
  ledger_seq bigint not null,
  ledger_hash bytea,
  deleted_rows jsonb not null,
  constraint deleted_programs_pkey primary key (id)
);

comment on table deleted_programs is
  'A program that was deleted: the end of its ledger, which proves that an exported copy is complete, and how many rows '
  'each table had. A reference table, because the program no longer exists.';
