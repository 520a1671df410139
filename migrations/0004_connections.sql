-- Connected external systems: payout providers and stores.

create table providers (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  type text not null,
  name text not null,
  status text not null,
  is_default boolean not null,
  mode text not null,
  currencies text[] not null,
  config jsonb not null,
  secrets bytea,
  last_event_at timestamptz,
  last_error text,
  reconciled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint providers_pkey primary key (program_id, id),
  constraint providers_program_fkey foreign key (program_id) references programs (id),
  constraint providers_kind_known check (kind in ('payout', 'commerce')),
  constraint providers_mode_known check (mode in ('live', 'test')),
  constraint providers_status_known check (status in ('connected', 'needs_attention', 'disabled', 'archived'))
);

comment on table providers is
  'A connected external system: a payout provider or a store. `secrets` are encrypted and never returned; '
  '`config` is returned.';

-- Read by every reading of the metrics.
create index providers_failing on providers (program_id) where status = 'needs_attention';
create index providers_needing_attention on providers (program_id, id) where status = 'needs_attention';
create index providers_newest on providers (program_id, created_at desc, id desc);
create unique index providers_one_default on providers (program_id, kind) where is_default;

create table provider_addresses (
  provider_id uuid not null,
  program_id uuid not null,
  constraint provider_addresses_pkey primary key (provider_id),
  constraint provider_addresses_program_fkey foreign key (program_id) references programs (id)
);

comment on table provider_addresses is
  'The program of each provider. A reference table, because inbound events carry only the provider''s id.';
