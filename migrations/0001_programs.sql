-- Organizations, programs, their API keys and settings, and the records of requests and changes.

create extension if not exists pg_trgm;

create table organizations (
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  constraint organizations_pkey primary key (id)
);

comment on table organizations is
  'A company that runs programs: a brand with one, or an agency with many.';

create table programs (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  slug text not null,
  mode text not null,
  currency text not null,
  timezone text not null,
  website_url text,
  hold_days integer not null default 30,
  minimum_payout_cents bigint not null default 5000,
  commission_cap_percent numeric(7,4) default 100,
  flat_refunds text not null default 'pro_rata',
  attribution_model text not null default 'last_click',
  attribution_priority text not null default 'coupon_first',
  attribution_window_days integer not null default 30,
  hijack_guard_seconds integer not null default 0,
  remembers_customers boolean not null default true,
  destination_hosts text[] not null default '{}',
  click_settings jsonb not null default '{}',
  fraud_settings jsonb not null default '{}',
  hash_key bytea not null default sha256(convert_to(((gen_random_uuid())::text || (gen_random_uuid())::text), 'UTF8'::name)),
  payout_approval_cents bigint,
  tax_forms text not null default 'off',
  contact_email text,
  created_at timestamptz not null,
  constraint programs_pkey primary key (id),
  constraint programs_slug_unique unique (slug),
  constraint programs_organization_fkey foreign key (organization_id) references organizations (id),
  constraint programs_cap_range check (commission_cap_percent between 0 and 1000),
  constraint programs_currency_iso check (currency ~ '^[A-Z]{3}$'),
  constraint programs_flat_refunds_known check (flat_refunds in ('pro_rata', 'keep')),
  constraint programs_hijack_guard_range check (hijack_guard_seconds between 0 and 86400),
  constraint programs_hold_range check (hold_days between 0 and 3650),
  constraint programs_minimum_payout_range check (minimum_payout_cents between 0 and 99999999999),
  constraint programs_mode_known check (mode in ('live', 'test')),
  constraint programs_model_known check (attribution_model in ('last_click', 'first_click')),
  constraint programs_payout_approval_range check (payout_approval_cents between 0 and 99999999999),
  constraint programs_priority_known check (attribution_priority in ('coupon_first', 'click_first')),
  constraint programs_tax_forms_known check (tax_forms in ('off', 'required')),
  constraint programs_window_range check (attribution_window_days between 1 and 3650)
);

comment on table programs is
  'An affiliate program: the tenant that every other row belongs to.';

create index programs_organization on programs (organization_id);

create table api_keys (
  id uuid not null,
  program_id uuid not null,
  key_hash bytea not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  rate_limit_per_minute integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_unique unique (key_hash),
  constraint api_keys_program_fkey foreign key (program_id) references programs (id),
  constraint api_keys_scopes_known check ((scopes <@ array['read', 'write']) and (cardinality(scopes) > 0))
);

comment on table api_keys is
  'An API key of a program. Only its SHA-256 is stored; prefix and last four identify it to people. A reference '
  'table, because keys are looked up by hash before the program is known.';

create index api_keys_program on api_keys (program_id, created_at);

create table setting_changes (
  program_id uuid not null,
  id uuid not null,
  field text not null,
  value jsonb not null,
  requested_by text not null,
  requested_at timestamptz not null,
  effective_at timestamptz not null,
  constraint setting_changes_pkey primary key (program_id, id),
  constraint setting_changes_one_per_field unique (program_id, field),
  constraint setting_changes_program_fkey foreign key (program_id) references programs (id)
);

comment on table setting_changes is
  'A pending change that makes payouts less safe. It takes effect when a second API key approves it or at '
  '`effective_at`, and is then deleted; the audit log keeps the history.';

create index setting_changes_effective on setting_changes (effective_at);

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
  'The stored response to a request with an Idempotency-Key, for 30 days. Inserted first in the transaction of '
  'the request, so that a concurrent duplicate waits for it to commit.';

create index idempotency_keys_age on idempotency_keys (program_id, created_at);

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
  constraint audit_log_actor_known check (actor_kind in ('api_key', 'user', 'provider', 'schedule', 'command'))
);

comment on table audit_log is
  'A change: its actor, action and object, and the changed fields before and after. Inserted in the transaction '
  'of the change.';

create index audit_log_subject on audit_log (program_id, subject_id, created_at, id);
create index audit_log_time on audit_log (program_id, created_at, id);
