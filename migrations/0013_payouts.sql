-- How money leaves: outside systems, where affiliates want to be paid, and what was sent.

alter table programs
  add column payout_approval_cents bigint,
  add column tax_forms text not null default 'off',
  add constraint programs_payout_approval_range check (payout_approval_cents between 0 and 99999999999),
  add constraint programs_tax_forms_known check (tax_forms in ('off', 'required'));

-- A commission leaves this index when nothing is owed for it, so it holds what a dispatch has to look at.
drop index commissions_unsettled;
create index commissions_owing on commissions (program_id, affiliate_id, id)
  where status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents <> 0;

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
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint providers_pkey primary key (program_id, id),
  constraint providers_program_fkey foreign key (program_id) references programs (id),
  constraint providers_kind_known check (kind in ('payout', 'commerce')),
  constraint providers_status_known check (status in ('connected', 'needs_attention', 'disabled')),
  constraint providers_mode_known check (mode in ('live', 'test'))
);

comment on table providers is
  'An outside system that a program is connected with: a way to pay (kind payout) or a shop (kind commerce). '
  '`secrets` are sealed and never leave; `config` is what may be shown.';

create unique index providers_one_default on providers (program_id, kind) where is_default and archived_at is null;
create index providers_newest on providers (program_id, created_at desc, id desc);

create table provider_addresses (
  provider_id uuid not null,
  program_id uuid not null,
  constraint provider_addresses_pkey primary key (provider_id),
  constraint provider_addresses_program_fkey foreign key (program_id) references programs (id)
);

comment on table provider_addresses is
  'Whose a provider is: its events arrive under its id alone, before the program is known.';

create table provider_events (
  program_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  external_id text not null,
  topic text not null,
  subject text,
  status text not null,
  payload bytea not null,
  outcome jsonb,
  error text,
  tries integer not null default 0,
  next_try_at timestamptz,
  occurred_at timestamptz,
  received_at timestamptz not null,
  done_at timestamptz,
  constraint provider_events_pkey primary key (program_id, id),
  constraint provider_events_provider_fkey foreign key (program_id, provider_id) references providers (program_id, id),
  constraint provider_events_once unique (program_id, provider_id, external_id),
  constraint provider_events_status_known check (status in ('received', 'waiting', 'done', 'ignored', 'failed'))
);

comment on table provider_events is
  'What a provider told us, once per event id of theirs, before anything is made of it. The payload is sealed: it '
  'may hold buyers and accounts. `waiting` stands for an event that came before what it speaks of.';

create index provider_events_newest on provider_events (program_id, provider_id, received_at desc, id desc);
create index provider_events_open on provider_events (program_id, next_try_at) where status in ('received', 'waiting');
create index provider_events_by_subject on provider_events (program_id, provider_id, subject) where subject is not null;

create table payout_details (
  program_id uuid not null,
  affiliate_id uuid not null,
  method text not null,
  sealed bytea not null,
  fingerprint text not null,
  usable_from timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payout_details_pkey primary key (program_id, affiliate_id),
  constraint payout_details_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint payout_details_method_known check (method in ('paypal', 'bank', 'stripe', 'wise', 'external'))
);

comment on table payout_details is
  'Where an affiliate wants to be paid, sealed: it is read only to pay. After a change nothing is paid before '
  '`usable_from`, so that whoever took over an account can be stopped. The fingerprint tells two alike.';

create index payout_details_alike on payout_details (program_id, fingerprint);

create table tax_forms (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  kind text not null,
  country text not null,
  sealed bytea not null,
  signed_at timestamptz not null,
  valid_until timestamptz,
  superseded_at timestamptz,
  created_at timestamptz not null,
  constraint tax_forms_pkey primary key (program_id, id),
  constraint tax_forms_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint tax_forms_kind_known check (kind in ('w9', 'w8ben', 'w8bene', 'dac7'))
);

comment on table tax_forms is
  'A tax form as it was signed, sealed. A newer one supersedes it; none is ever changed.';

create unique index tax_forms_current on tax_forms (program_id, affiliate_id) where superseded_at is null;

create table payout_batches (
  program_id uuid not null,
  id uuid not null,
  provider_id uuid,
  rail text not null,
  currency text not null,
  total_cents bigint not null,
  item_count bigint not null,
  as_of timestamptz not null,
  note text,
  dispatched_by text not null,
  needs_approval boolean not null,
  approved_by text,
  approved_at timestamptz,
  exported_at timestamptz,
  created_at timestamptz not null,
  constraint payout_batches_pkey primary key (program_id, id),
  constraint payout_batches_program_fkey foreign key (program_id) references programs (id),
  constraint payout_batches_provider_fkey foreign key (program_id, provider_id) references providers (program_id, id),
  constraint payout_batches_total_positive check (total_cents > 0 and item_count > 0),
  constraint payout_batches_two_people check (approved_by <> dispatched_by)
);

comment on table payout_batches is
  'One dispatch: one currency, one way to pay, frozen when it was made. How it stands is told by its items. '
  'Without a provider it is paid by hand.';

create index payout_batches_newest on payout_batches (program_id, created_at desc, id desc);

create table payout_items (
  program_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  affiliate_id uuid not null,
  amount_cents bigint not null,
  currency text not null,
  status text not null,
  method text,
  destination bytea,
  destination_fingerprint text,
  period_start timestamptz not null,
  period_end timestamptz not null,
  rail_reference text,
  listed_reference text,
  failure_code text,
  failure_reason text,
  tries integer not null default 0,
  changes integer not null default 1,
  lease_until timestamptz,
  next_look_at timestamptz,
  first_tried_at timestamptz,
  settled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payout_items_pkey primary key (program_id, id),
  constraint payout_items_batch_fkey foreign key (program_id, batch_id) references payout_batches (program_id, id),
  constraint payout_items_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint payout_items_once_in_batch unique (program_id, batch_id, affiliate_id),
  constraint payout_items_amount_positive check (amount_cents > 0),
  constraint payout_items_status_known check (
    status in ('queued', 'sending', 'sent', 'unknown', 'paid', 'failed', 'returned', 'cancelled')
  ),
  constraint payout_items_leased check ((status = 'sending') = (lease_until is not null))
) with (fillfactor = 80);

comment on table payout_items is
  'What one affiliate is paid by one batch: amount and destination are frozen here before any rail is called, and '
  'the id is the rail''s idempotency key for ever. `unknown` is neither paid nor failed: the rail is asked, never '
  'sent another key.';

create index payout_items_newest on payout_items (program_id, created_at desc, id desc);
create index payout_items_by_affiliate on payout_items (program_id, affiliate_id, created_at desc);
create index payout_items_open on payout_items (program_id, status, next_look_at, id)
  where status in ('queued', 'sending', 'sent', 'unknown');
create index payout_items_paid on payout_items (program_id, first_tried_at) where status = 'paid';
create index payout_items_by_reference on payout_items (program_id, rail_reference) where rail_reference is not null;

create table payout_lines (
  program_id uuid not null,
  item_id uuid not null,
  commission_id uuid not null,
  cents bigint not null,
  is_live boolean not null,
  constraint payout_lines_pkey primary key (program_id, item_id, commission_id),
  constraint payout_lines_item_fkey foreign key (program_id, item_id) references payout_items (program_id, id),
  constraint payout_lines_commission_fkey foreign key (program_id, commission_id) references commissions (program_id, id),
  constraint payout_lines_something check (cents <> 0)
) with (fillfactor = 80);

comment on table payout_lines is
  'Which commissions an item pays; below 0 where a debt is netted. Live until the item is final.';

-- The last wall against paying a commission twice. A refund may be netted while the payout of its order is open.
create unique index payout_lines_live on payout_lines (program_id, commission_id) where is_live and cents > 0;
create index payout_lines_by_commission on payout_lines (program_id, commission_id);

create table payout_events (
  program_id uuid not null,
  item_id uuid not null,
  step integer not null,
  from_status text,
  to_status text not null,
  source text not null,
  reason text,
  created_at timestamptz not null,
  constraint payout_events_pkey primary key (program_id, item_id, step),
  constraint payout_events_item_fkey foreign key (program_id, item_id) references payout_items (program_id, id)
);

comment on table payout_events is
  'Each change of a payout: from where to where, told by whom. Only ever inserted.';

create table payout_safety (
  program_id uuid not null,
  database_mark text not null,
  seen_at timestamptz not null,
  locked_at timestamptz,
  lock_reason text,
  reconciled_at timestamptz,
  constraint payout_safety_pkey primary key (program_id),
  constraint payout_safety_program_fkey foreign key (program_id) references programs (id)
);

comment on table payout_safety is
  'Whether a program may dispatch. `database_mark` names the database in which the program was made or reconciled last: a restored '
  'one is another, and may not know what was paid; nothing is dispatched until it was reconciled with the rails.';

insert into payout_safety (program_id, database_mark, seen_at)
select id,
  concat_ws('.', (pg_control_system()).system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
    (select oid from pg_database where datname = current_database()), 'payout_items'::regclass::oid),
  clock_timestamp()
from programs;

create table payout_differences (
  program_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  kind text not null,
  reference text not null,
  item_id uuid,
  affiliate_id uuid,
  amount_cents bigint,
  currency text,
  found_at timestamptz not null,
  resolved_at timestamptz,
  resolution text,
  resolved_by text,
  constraint payout_differences_pkey primary key (program_id, id),
  constraint payout_differences_provider_fkey foreign key (program_id, provider_id) references providers (program_id, id),
  constraint payout_differences_once unique (program_id, provider_id, kind, reference),
  constraint payout_differences_kind_known check (kind in ('unknown_payment', 'amount', 'missing', 'double')),
  constraint payout_differences_resolved_whole check ((resolved_at is null) = (resolution is null))
);

comment on table payout_differences is
  'Where a rail''s book and ours disagree. An open one stops the program''s dispatch.';

create index payout_differences_open on payout_differences (program_id, found_at) where resolved_at is null;

alter table emails
  drop constraint emails_kind_known,
  add constraint emails_kind_known check (kind in ('invitation', 'approval', 'payout_details_changed'));
