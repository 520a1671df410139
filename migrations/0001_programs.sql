-- Programs, and what is looked up before the program is known.
-- Every other table is a tenant table: program_id is the first column of its keys and references,
-- so a row of one program can't point into another, and the data can be spread by program.

create extension if not exists pg_trgm;

create table programs (
  id uuid not null,
  name text not null,
  slug text not null,
  mode text not null,
  currency text not null,
  timezone text not null,
  website_url text,
  created_at timestamptz not null,
  constraint programs_pkey primary key (id),
  constraint programs_slug_unique unique (slug),
  constraint programs_mode_known check (mode in ('live', 'test')),
  constraint programs_currency_iso check (currency ~ '^[A-Z]{3}$')
);

comment on table programs is
  'A brand''s affiliate program: the tenant. Written by the CLI, later by the console.';

create table api_keys (
  id uuid not null,
  program_id uuid not null,
  key_hash bytea not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  rate_limit_per_minute integer,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_unique unique (key_hash),
  constraint api_keys_program_fkey foreign key (program_id) references programs (id),
  constraint api_keys_scopes_known check (scopes <@ array['read', 'write'] and cardinality(scopes) > 0)
);

comment on table api_keys is
  'A key of an integrator. Only the SHA-256 of the key is kept; prefix and last four are for people. Looked up '
  'by hash over all programs, so it is a reference table.';

create index api_keys_program on api_keys (program_id, created_at);

create table audit_log (
  program_id uuid not null,
  id uuid not null,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  subject_id uuid not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null,
  constraint audit_log_pkey primary key (program_id, id),
  constraint audit_log_program_fkey foreign key (program_id) references programs (id),
  constraint audit_log_actor_known check (actor_kind in ('api_key', 'command'))
);

comment on table audit_log is
  'What was done, by whom, and how it looked before and after. Appended in the transaction that did it.';

create index audit_log_subject on audit_log (program_id, subject_id, id);

create table idempotency_keys (
  program_id uuid not null,
  operation text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  body text,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (program_id, operation, key),
  constraint idempotency_keys_program_fkey foreign key (program_id) references programs (id)
);

comment on table idempotency_keys is
  'The answer to a request that carried an Idempotency-Key, for 30 days. Inserted first in the request''s own '
  'transaction: the second of two equal requests waits here for the first to commit.';

create index idempotency_keys_age on idempotency_keys (program_id, created_at);
