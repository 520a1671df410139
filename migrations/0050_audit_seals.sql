-- Where audited changes came from, and the hash chain over the audit log.

alter table audit_log add network text, add request_id text;

comment on column audit_log.network is
  'The network of the request, an IPv4 /24 or IPv6 /48; null for changes by the service itself and by commands.';

create table audit_seals (
  program_id uuid not null,
  number bigint not null,
  entry_ids uuid[] not null,
  hash bytea not null,
  created_at timestamptz not null,
  constraint audit_seals_pkey primary key (program_id, number),
  constraint audit_seals_program_fkey foreign key (program_id) references programs (id),
  constraint audit_seals_number_positive check (number > 0),
  constraint audit_seals_not_empty check (cardinality(entry_ids) > 0),
  constraint audit_seals_hash_length check (octet_length(hash) = 32)
);

comment on table audit_seals is
  'A link of the hash chain over a program''s audit log: the entries that it seals, in their order, and '
  'hash = sha256(hash of number - 1 || these entries).';

alter table api_keys add networks text[] not null default '{}';

comment on column api_keys.networks is
  'The last networks from which the key was used, at most 200. The first use from each is recorded in the audit log.';
