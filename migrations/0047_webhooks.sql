-- Webhooks: addresses to which a program's events are pushed, and a log of what was sent.

create table webhooks (
  program_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  event_types text[] not null,
  group_ids uuid[] not null default '{}',
  status text not null,
  disabled_reason text,
  secrets bytea,
  previous_secret_until timestamptz,
  read_position bigint not null,
  read_event_id uuid not null,
  failing_since timestamptz,
  failures integer not null default 0,
  last_succeeded_at timestamptz,
  last_failed_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhooks_pkey primary key (program_id, id),
  constraint webhooks_program_fkey foreign key (program_id) references programs (id),
  constraint webhooks_status_known check (status in ('active', 'paused', 'disabled')),
  constraint webhooks_disabled_reason_known check (disabled_reason in ('gone', 'failing'))
);

comment on table webhooks is
  'An address to which events are pushed. `secrets` are encrypted. (read_position, read_event_id) is the last '
  'event that was considered; those after it follow. A deleted webhook stays without its address and secrets until its '
  'deliveries are deleted.';

create index webhooks_newest on webhooks (program_id, created_at desc, id desc);
create index webhooks_active on webhooks (program_id, id) where status = 'active';

create table webhook_deliveries (
  program_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null,
  attempts integer not null default 0,
  tries integer not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  claimed_by integer,
  response_status integer,
  last_error text,
  last_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_deliveries_pkey primary key (program_id, id),
  constraint webhook_deliveries_webhook_fkey foreign key (program_id, webhook_id) references webhooks (program_id, id),
  constraint webhook_deliveries_once unique (program_id, webhook_id, event_id),
  constraint webhook_deliveries_status_known check (status in ('pending', 'sending', 'delivered', 'failed'))
) with (fillfactor = 70);

comment on table webhook_deliveries is
  'One event for one webhook. `attempts` numbers all attempts; `tries` those since the delivery was last requested, '
  'which decide the pause before the next one.';

create index webhook_deliveries_due on webhook_deliveries (program_id, webhook_id, next_attempt_at, id) where status = 'pending';
create index webhook_deliveries_claimed on webhook_deliveries (lease_until) where status = 'sending';
create index webhook_deliveries_newest on webhook_deliveries (program_id, webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

create table webhook_attempts (
  program_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  outcome text not null,
  url text not null,
  signature text,
  duration_ms integer not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  created_at timestamptz not null,
  constraint webhook_attempts_pkey primary key (program_id, delivery_id, number),
  constraint webhook_attempts_delivery_fkey foreign key (program_id, delivery_id)
    references webhook_deliveries (program_id, id) on delete cascade,
  constraint webhook_attempts_outcome_known check (outcome in (
    'succeeded', 'rejected', 'timeout', 'unreachable', 'no_response', 'blocked', 'interrupted'))
);

comment on table webhook_attempts is
  'One request of a delivery with its response. `blocked`: the address was not public, and no socket was opened. '
  '`interrupted`: the process ended before the outcome was recorded.';

alter table emails
  drop constraint emails_kind_known,
  add constraint emails_kind_known check (kind in (
    'invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in', 'member_invitation',
    'page_review', 'application_received', 'webhook_disabled'));
