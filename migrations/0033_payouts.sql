-- One name for each thing in the payout tables, and one kind of actor: who dispatched, approved, paid or resolved.

alter table payout_items rename to payouts;
alter table payouts rename column rail_reference to provider_reference;
alter table payouts rename column period_start to period_start_at;
alter table payouts rename column period_end to period_end_at;
alter table payouts rename column tries to attempts;
alter table payouts rename column first_tried_at to first_attempt_at;
alter table payouts rename column next_look_at to next_check_at;
alter table payouts add column note text;
alter table payouts rename constraint payout_items_pkey to payouts_pkey;
alter table payouts rename constraint payout_items_once_in_batch to payouts_once_in_batch;
alter table payouts rename constraint payout_items_affiliate_fkey to payouts_affiliate_fkey;
alter table payouts rename constraint payout_items_batch_fkey to payouts_batch_fkey;
alter table payouts rename constraint payout_items_amount_positive to payouts_amount_positive;
alter table payouts rename constraint payout_items_leased to payouts_leased;
alter table payouts rename constraint payout_items_status_known to payouts_status_known;
alter index payout_items_by_affiliate rename to payouts_by_affiliate;
alter index payout_items_by_reference rename to payouts_by_reference;
alter index payout_items_newest rename to payouts_newest;
alter index payout_items_open rename to payouts_open;
alter index payout_items_paid rename to payouts_paid;
create index payouts_by_status on payouts (program_id, status, created_at desc, id desc);
comment on table payouts is
  'One payment to one affiliate. Amount and destination are stored before any provider is called, and the id is '
  'permanently the idempotency key of the payment. `unknown` is neither paid nor failed: the provider is polled, and '
  'the payment is never sent under another key.';

alter table payout_lines rename column item_id to payout_id;
alter table payout_lines rename constraint payout_lines_item_fkey to payout_lines_payout_fkey;
comment on table payout_lines is
  'The commissions that a payout pays; negative where a debt is netted. Live until the payout is final.';

alter table payout_events rename column item_id to payout_id;
alter table payout_events rename constraint payout_events_item_fkey to payout_events_payout_fkey;
alter table payout_events add column actor_kind text, add column actor_id text;
update payout_events set
  actor_kind = case when source like 'api_key:%' then 'api_key' when source ~ '^(event|reconcile):' then 'provider' else 'schedule' end,
  actor_id = regexp_replace(source, '^(api_key|event|reconcile|schedule):', '');
alter table payout_events
  alter column actor_kind set not null,
  alter column actor_id set not null,
  drop column source,
  add constraint payout_events_actor_known check (actor_kind in ('api_key', 'user', 'provider', 'schedule', 'command'));
comment on table payout_events is
  'Every change of status of a payout, and the actor that caused it. Rows are only ever inserted.';

alter table payout_batches rename column rail to provider_type;
alter table payout_batches rename column item_count to payout_count;
alter table payout_batches rename column as_of to cutoff_at;
alter table payout_batches drop constraint payout_batches_two_people;
alter table payout_batches rename column dispatched_by to dispatched_by_id;
alter table payout_batches rename column approved_by to approved_by_id;
update payout_batches set dispatched_by_id = regexp_replace(dispatched_by_id, '^reconcile:', '');
alter table payout_batches add column dispatched_by_kind text, add column approved_by_kind text;
update payout_batches set
  dispatched_by_kind = case when dispatched_by_id = provider_id::text then 'provider' else 'api_key' end,
  approved_by_kind = case when approved_by_id is not null then 'api_key' end;
alter table payout_batches
  alter column dispatched_by_kind set not null,
  add constraint payout_batches_dispatched_by_known
    check (dispatched_by_kind in ('api_key', 'user', 'provider', 'schedule', 'command')),
  add constraint payout_batches_approved_by_known
    check (approved_by_kind in ('api_key', 'user', 'provider', 'schedule', 'command')),
  add constraint payout_batches_approved_by_whole check ((approved_by_kind is null) = (approved_by_id is null)),
  add constraint payout_batches_two_actors check (approved_by_id <> dispatched_by_id);
comment on table payout_batches is
  'A set of payouts that are dispatched together, in one currency and through one provider. Its status follows from '
  'its payouts. Without a provider it is paid manually.';

alter table payout_differences rename to payout_discrepancies;
alter table payout_discrepancies rename column item_id to payout_id;
alter table payout_discrepancies rename column found_at to created_at;
alter table payout_discrepancies rename column resolution to note;
alter table payout_discrepancies rename column resolved_by to resolved_by_id;
alter table payout_discrepancies rename constraint payout_differences_pkey to payout_discrepancies_pkey;
alter table payout_discrepancies rename constraint payout_differences_once to payout_discrepancies_once;
alter table payout_discrepancies rename constraint payout_differences_provider_fkey to payout_discrepancies_provider_fkey;
alter table payout_discrepancies drop constraint payout_differences_kind_known;
alter table payout_discrepancies drop constraint payout_differences_resolved_whole;
alter index payout_differences_open rename to payout_discrepancies_open;
alter table payout_discrepancies add column resolution text, add column resolved_by_kind text;
update payout_discrepancies set
  kind = case kind when 'amount' then 'amount_mismatch' when 'missing' then 'missing_payment' when 'double' then 'duplicate_payment'
    else kind end,
  resolution = case when resolved_at is not null then case when note = 'adopted' then 'payment_recorded' else 'explained' end end,
  resolved_by_kind = case when resolved_at is not null then case when resolved_by_id = 'reconcile' then 'provider' else 'api_key' end end;
alter table payout_discrepancies
  add constraint payout_discrepancies_kind_known
    check (kind in ('unknown_payment', 'amount_mismatch', 'missing_payment', 'duplicate_payment')),
  add constraint payout_discrepancies_resolution_known check (resolution in ('payment_recorded', 'explained')),
  add constraint payout_discrepancies_resolved_by_known
    check (resolved_by_kind in ('api_key', 'user', 'provider', 'schedule', 'command')),
  add constraint payout_discrepancies_resolved_whole
    check ((resolved_at is null) = (resolution is null) and (resolved_at is null) = (resolved_by_kind is null));
comment on table payout_discrepancies is
  'Differences between the payouts and the records of a provider. An open one locks the payouts of the program.';

update payout_safety set lock_reason = case
  when lock_reason = 'the database is a restored one' then 'database_restored'
  when lock_reason like 'a rail told of another amount%' then 'provider_amount_mismatch'
  when lock_reason like 'a rail told of%' then 'provider_unknown_payout'
  when lock_reason = 'the clock of the server was changed by more than five minutes' then 'clock_changed'
  when lock_reason = 'the clock of the server shows an earlier time than before' then 'clock_set_back'
  when lock_reason like 'the clocks of the server%' then 'clocks_differ'
  else 'open_discrepancies' end
where lock_reason is not null;
alter table payout_safety add constraint payout_safety_lock_reason_known check (lock_reason in (
  'database_restored', 'clock_changed', 'clock_set_back', 'clocks_differ', 'open_discrepancies', 'provider_amount_mismatch',
  'provider_unknown_payout'));
comment on table payout_safety is
  'Whether a program can dispatch payouts. `database_mark` identifies the database in which the program was created or '
  'last reconciled. A restored database has another mark and may not know what was paid: payouts are locked until they '
  'are reconciled with the providers.';
