-- Erasure of a person over all programs.

create table person_erasures (
  id uuid not null,
  encrypted_person bytea not null,
  created_at timestamptz not null,
  constraint person_erasures_pkey primary key (id)
);

comment on table person_erasures is
  'An erasure that has not finished: the address and the names to look for, encrypted, so that an interrupted '
  'erasure can continue after the rows with them were erased. Deleted when every program is done. A reference table.';

create table audit_redactions (
  program_id uuid not null,
  number bigint not null,
  content_hash bytea not null,
  audit_id uuid not null,
  created_at timestamptz not null,
  constraint audit_redactions_pkey primary key (program_id, number),
  constraint audit_redactions_seal_fkey foreign key (program_id, number) references audit_seals (program_id, number),
  constraint audit_redactions_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint audit_redactions_hash_length check (octet_length(content_hash) = 32)
);

comment on table audit_redactions is
  'A seal some of whose entries named a person who was erased: the SHA-256 of its entries after the erasure that '
  '`audit_id` records. The hash of the seal stays, so that the chain and every hash noted elsewhere remain valid.';
