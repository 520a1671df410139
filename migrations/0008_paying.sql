-- From money owed to money paid: payout details, tax forms, payouts and reconciliation.

create table payout_details (
  program_id uuid not null,
  affiliate_id uuid not null,
  method text not null,
  encrypted_destination bytea not null,
  fingerprint text not null,
  usable_from timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payout_details_pkey primary key (program_id, affiliate_id),
  constraint payout_details_affiliate_fkey foreign key (program_id, affiliate_id)
    references affiliates (program_id, id),
  constraint payout_details_method_known check (method in ('paypal', 'bank', 'stripe', 'wise', 'external'))
);

comment on table payout_details is
  'Where an affiliate is paid, encrypted. After a change nothing is paid before `usable_from`, so that an account '
  'takeover can be stopped. The fingerprint detects equal destinations.';

create index payout_details_alike on payout_details (program_id, fingerprint);

create table tax_forms (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  kind text not null,
  country text not null,
  encrypted_form bytea not null,
  signed_at timestamptz not null,
  valid_until timestamptz,
  superseded_at timestamptz,
  created_at timestamptz not null,
  constraint tax_forms_pkey primary key (program_id, id),
  constraint tax_forms_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint tax_forms_kind_known check (kind in ('w9', 'w8ben', 'w8bene', 'dac7'))
);

comment on table tax_forms is
  'A signed tax form, encrypted. A newer form supersedes it; forms are never updated.';

create unique index tax_forms_current on tax_forms (program_id, affiliate_id) where superseded_at is null;

create table payout_batches (
  program_id uuid not null,
  id uuid not null,
  provider_id uuid,
  provider_type text not null,
  currency text not null,
  total_cents bigint not null,
  payout_count bigint not null,
  cutoff_at timestamptz not null,
  note text,
  dispatched_by_id text not null,
  needs_approval boolean not null,
  approved_by_id text,
  approved_at timestamptz,
  exported_at timestamptz,
  dispatched_by_kind text not null,
  approved_by_kind text,
  created_at timestamptz not null,
  constraint payout_batches_pkey primary key (program_id, id),
  constraint payout_batches_program_fkey foreign key (program_id) references programs (id),
  constraint payout_batches_provider_fkey foreign key (program_id, provider_id) references providers (program_id, id),
  constraint payout_batches_approved_by_known
    check (approved_by_kind in ('api_key', 'user', 'provider', 'schedule', 'command')),
  constraint payout_batches_approved_by_whole check ((approved_by_kind is null) = (approved_by_id is null)),
  constraint payout_batches_dispatched_by_known
    check (dispatched_by_kind in ('api_key', 'user', 'provider', 'schedule', 'command')),
  constraint payout_batches_total_positive check (total_cents > 0 and payout_count > 0),
  constraint payout_batches_two_actors
    check (approved_by_id <> dispatched_by_id or ((approved_at - created_at) >= interval '72:00:00'))
);

comment on table payout_batches is
  'A set of payouts dispatched together, in one currency through one payout method. Its status is derived from '
  'its payouts. Without a provider it is paid manually.';

create index payout_batches_newest on payout_batches (program_id, created_at desc, id desc);

create table payouts (
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
  period_start_at timestamptz not null,
  period_end_at timestamptz not null,
  provider_reference text,
  listed_reference text,
  failure_code text,
  failure_reason text,
  attempts integer not null default 0,
  changes integer not null default 1,
  lease_until timestamptz,
  next_check_at timestamptz,
  first_attempt_at timestamptz,
  settled_at timestamptz,
  claimed_by integer,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payouts_pkey primary key (program_id, id),
  constraint payouts_once_in_batch unique (program_id, batch_id, affiliate_id),
  constraint payouts_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint payouts_batch_fkey foreign key (program_id, batch_id) references payout_batches (program_id, id),
  constraint payouts_amount_positive check (amount_cents > 0),
  constraint payouts_leased check ((status = 'sending') = (lease_until is not null)),
  constraint payouts_status_known
    check (status in ('queued', 'sending', 'sent', 'unknown', 'paid', 'failed', 'returned', 'cancelled'))
);

comment on table payouts is
  'What one affiliate is paid by one batch. Amount and destination are fixed before the provider is called, and '
  'the id is permanently the idempotency key at the provider. `unknown` means that the outcome is not known: the '
  'provider is polled, and the payment is never resent with another key.';

comment on column payouts.claimed_by is
  'While the payout is being sent: the number of the advisory lock that the calling process holds '
  '(db/process-lock.ts). Null where only `lease_until` limits the claim.';

create index payouts_by_affiliate on payouts (program_id, affiliate_id, created_at desc);
create index payouts_by_reference on payouts (program_id, provider_reference) where provider_reference is not null;
create index payouts_by_status on payouts (program_id, status, created_at desc, id desc);
create index payouts_newest on payouts (program_id, created_at desc, id desc);
create index payouts_open on payouts (program_id, status, next_check_at, id)
  where status in ('queued', 'sending', 'sent', 'unknown');
create index payouts_paid on payouts (program_id, first_attempt_at) where status = 'paid';
create index payouts_settled on payouts (program_id, settled_at, id)
  include (amount_cents, affiliate_id)
  where status = 'paid';
create index payouts_unknown on payouts (program_id, first_attempt_at) where status = 'unknown';

create table payout_lines (
  program_id uuid not null,
  payout_id uuid not null,
  commission_id uuid not null,
  cents bigint not null,
  is_live boolean not null,
  constraint payout_lines_pkey primary key (program_id, payout_id, commission_id),
  constraint payout_lines_commission_fkey foreign key (program_id, commission_id)
    references commissions (program_id, id),
  constraint payout_lines_payout_fkey foreign key (program_id, payout_id) references payouts (program_id, id),
  constraint payout_lines_something check (cents <> 0)
);

comment on table payout_lines is
  'A commission that a payout pays; negative where a debt is netted. Live until the payout is final.';

create index payout_lines_by_commission on payout_lines (program_id, commission_id);
create unique index payout_lines_live on payout_lines (program_id, commission_id) where is_live and cents > 0;

create table payout_events (
  program_id uuid not null,
  payout_id uuid not null,
  step integer not null,
  from_status text,
  to_status text not null,
  reason text,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  constraint payout_events_pkey primary key (program_id, payout_id, step),
  constraint payout_events_payout_fkey foreign key (program_id, payout_id) references payouts (program_id, id),
  constraint payout_events_actor_known check (actor_kind in ('api_key', 'user', 'provider', 'schedule', 'command'))
);

comment on table payout_events is
  'A change of a payout''s status with its actor and reason. Append-only.';

-- Payouts that were paid although they had been cancelled or had failed, which an alert reads every minute.
create index payout_events_late on payout_events (program_id, payout_id)
  where to_status = 'paid' and from_status in ('cancelled', 'failed');

create table payout_discrepancies (
  program_id uuid not null,
  id uuid not null,
  provider_id uuid not null,
  kind text not null,
  reference text not null,
  payout_id uuid,
  affiliate_id uuid,
  amount_cents bigint,
  currency text,
  resolved_at timestamptz,
  note text,
  resolved_by_id text,
  resolution text,
  resolved_by_kind text,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  constraint payout_discrepancies_pkey primary key (program_id, id),
  constraint payout_discrepancies_once unique (program_id, provider_id, kind, reference),
  constraint payout_discrepancies_provider_fkey foreign key (program_id, provider_id)
    references providers (program_id, id),
  constraint payout_discrepancies_kind_known
    check (kind in ('unknown_payment', 'amount_mismatch', 'missing_payment', 'duplicate_payment')),
  constraint payout_discrepancies_resolution_known check (resolution in ('payment_recorded', 'explained')),
  constraint payout_discrepancies_resolved_by_known
    check (resolved_by_kind in ('api_key', 'user', 'provider', 'schedule', 'command')),
  constraint payout_discrepancies_resolved_whole
    check (((resolved_at is null) = (resolution is null)) and ((resolved_at is null) = (resolved_by_kind is null)))
);

comment on table payout_discrepancies is
  'A difference between a payout provider''s records and ours. An open discrepancy locks the program''s dispatch.';

create index payout_discrepancies_open on payout_discrepancies (program_id, created_at) where resolved_at is null;

create table payout_safety (
  program_id uuid not null,
  database_identity text not null,
  seen_at timestamptz not null,
  locked_at timestamptz,
  lock_reason text,
  reconciled_at timestamptz,
  clock_accepted_at timestamptz not null,
  constraint payout_safety_pkey primary key (program_id),
  constraint payout_safety_program_fkey foreign key (program_id) references programs (id),
  constraint payout_safety_lock_reason_known
    check (lock_reason in ('database_restored', 'clock_changed', 'clock_set_back', 'clocks_differ',
      'open_discrepancies', 'provider_amount_mismatch', 'provider_unknown_payout'))
);

comment on table payout_safety is
  'Whether a program can dispatch payouts. `database_identity` identifies the database in which the program was '
  'created or last reconciled. A restored database has another identity and may lack recent payouts, so dispatch '
  'is locked until it is reconciled.';

comment on column payout_safety.clock_accepted_at is
  'When the program was created or last unlocked. Earlier changes of a server''s clock are accepted.';

create index payout_safety_locked on payout_safety (program_id) where locked_at is not null;
