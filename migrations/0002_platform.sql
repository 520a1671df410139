-- Records of requests and changes, long-running work, and what the whole installation shares.

create table service_freeze (
  is_only_row boolean not null default true,
  frozen_at timestamptz not null,
  frozen_by text not null,
  note text,
  constraint service_freeze_pkey primary key (is_only_row),
  constraint service_freeze_only_row check (is_only_row)
);

comment on table service_freeze is
  'One row while the service is frozen: no payout, email or webhook is sent by any process. What is queued is '
  'sent after the row was deleted.';

create table idempotency_keys (
  program_id uuid not null,
  operation text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  body text,
  media_type text,
  file_name text,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (program_id, operation, key),
  constraint idempotency_keys_program_fkey foreign key (program_id) references programs (id)
);

comment on table idempotency_keys is
  'The stored response to a request with an Idempotency-Key, for 30 days. Inserted first in the transaction of '
  'the request, so that a concurrent duplicate waits for it to commit.';

comment on column idempotency_keys.media_type is
  'Of a response that is a file; null for JSON.';

create index idempotency_keys_age on idempotency_keys (program_id, created_at);

create table untrusted_proxies (
  address text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint untrusted_proxies_pkey primary key (address),
  constraint untrusted_proxies_address_size check (length(address) >= 2 and length(address) <= 45)
);

comment on table untrusted_proxies is
  'Addresses that sent forwarded headers without being trusted. Belongs to the installation: every process adds '
  'what it sees, and `doctor` and alerts of every program read it. An address is deleted a month after its last '
  'request.';

create table audit_log (
  program_id uuid not null,
  id uuid not null,
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  subject_id uuid not null,
  before jsonb,
  after jsonb,
  network text,
  request_id text,
  created_at timestamptz not null,
  constraint audit_log_pkey primary key (program_id, id),
  constraint audit_log_program_fkey foreign key (program_id) references programs (id),
  constraint audit_log_actor_known check (actor_kind in ('api_key', 'user', 'provider', 'schedule', 'command'))
);

comment on table audit_log is
  'A change: its actor, action and object, and the changed fields before and after. Inserted in the transaction '
  'of the change.';

comment on column audit_log.network is
  'The network of the request, an IPv4 /24 or IPv6 /48; null for changes by the service itself and by commands.';

create index audit_log_subject on audit_log (program_id, subject_id, created_at, id);
create index audit_log_time on audit_log (program_id, created_at, id);

create table audit_seals (
  program_id uuid not null,
  number bigint not null,
  entry_ids uuid[] not null,
  hash bytea not null,
  created_at timestamptz not null,
  constraint audit_seals_pkey primary key (program_id, number),
  constraint audit_seals_program_fkey foreign key (program_id) references programs (id),
  constraint audit_seals_hash_length check (octet_length(hash) = 32),
  constraint audit_seals_not_empty check (cardinality(entry_ids) > 0),
  constraint audit_seals_number_positive check (number > 0)
);

comment on table audit_seals is
  'A link of the hash chain over a program''s audit log: the entries that it seals, in their order, and hash = '
  'sha256(hash of number - 1 || these entries).';

create table background_tasks (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null,
  total bigint not null,
  done bigint not null default 0,
  input jsonb not null,
  progress jsonb not null default '{}',
  error text,
  actor_kind text not null,
  actor_id text not null,
  finished_at timestamptz,
  created_at timestamptz not null,
  constraint background_tasks_pkey primary key (program_id, id),
  constraint background_tasks_program_fkey foreign key (program_id) references programs (id),
  constraint background_tasks_finished
    check ((finished_at is not null) = (status in ('succeeded', 'failed', 'cancelled'))),
  constraint background_tasks_status_known check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled'))
);

comment on table background_tasks is
  'Long-running work with progress. `progress` holds where the next step continues, and the counts of its result.';

create index background_tasks_newest on background_tasks (program_id, created_at desc, id desc);

create table background_task_inputs (
  program_id uuid not null,
  task_id uuid not null,
  step integer not null,
  input jsonb not null,
  constraint background_task_inputs_pkey primary key (program_id, task_id, step),
  constraint background_task_inputs_task_fkey foreign key (program_id, task_id)
    references background_tasks (program_id, id)
);

comment on table background_task_inputs is
  'What one step of a background task works on. Deleted when the task ends.';
