-- Payout schedules: batches that are prepared at the paydays of a program.

alter table programs add column scheduled_payout_limit_cents bigint;
alter table programs add constraint programs_scheduled_payout_limit_range check (scheduled_payout_limit_cents between 0 and 99999999999);

-- The copy of what decides money has the new column, too.
update programs set recorded_values = recorded_values || '{"scheduled_payout_limit_cents": null}'::jsonb
where recorded_values <> '{}'::jsonb;

create table payout_schedules (
  program_id uuid not null,
  is_active boolean not null,
  frequency text not null,
  day_of_month integer not null,
  day_of_week integer not null,
  hour integer not null,
  shift text not null,
  holidays text[] not null,
  timezone text not null,
  paydays_after timestamptz not null,
  next_run_at timestamptz,
  database_identity text not null,
  blocked_period text,
  changed_by_id text not null,
  updated_at timestamptz not null,
  constraint payout_schedules_pkey primary key (program_id),
  constraint payout_schedules_program_fkey foreign key (program_id) references programs (id),
  constraint payout_schedules_day_of_month_range check (day_of_month between 1 and 31),
  constraint payout_schedules_day_of_week_range check (day_of_week between 1 and 7),
  constraint payout_schedules_frequency_known check (frequency in ('monthly', 'weekly')),
  constraint payout_schedules_hour_range check (hour between 0 and 23),
  constraint payout_schedules_next_while_active check ((next_run_at is not null) = is_active),
  constraint payout_schedules_shift_known check (shift in ('none', 'before', 'after'))
);

comment on table payout_schedules is
  'When the payout batches of a program are prepared. `next_run_at` is computed in `timezone`, that of the program at the '
  'time: it only says when to look, and is computed again when the program has another one.';

comment on column payout_schedules.paydays_after is 'Paydays until then never run: the schedule was activated or changed.';

comment on column payout_schedules.database_identity is
  'The database that last ran the schedule. Another one was restored: paydays that have passed may have been paid, so they '
  'are skipped.';

comment on column payout_schedules.blocked_period is
  'The last period whose batch could not be prepared, of which the approvers were informed.';

create table payout_schedule_runs (
  program_id uuid not null,
  period text not null,
  pay_on text not null,
  outcome text not null,
  batch_id uuid,
  requested_by_id text,
  started_at timestamptz not null,
  constraint payout_schedule_runs_pkey primary key (program_id, period),
  constraint payout_schedule_runs_program_fkey foreign key (program_id) references programs (id),
  constraint payout_schedule_runs_batch_fkey foreign key (program_id, batch_id) references payout_batches (program_id, id),
  constraint payout_schedule_runs_batch_unique unique (program_id, batch_id),
  constraint payout_schedule_runs_batch_known check ((batch_id is not null) = (outcome = 'dispatched')),
  constraint payout_schedule_runs_outcome_known check (outcome in ('dispatched', 'nothing_due', 'skipped')),
  constraint payout_schedule_runs_pay_on_form check (pay_on ~ '^\d{4}-\d{2}-\d{2}$'),
  constraint payout_schedule_runs_period_form check (period ~ '^\d{4}-(\d{2}|W\d{2})$')
);

comment on table payout_schedule_runs is
  'A month or week for which the schedule ran. The primary key decides which process runs it, so a period has one batch at '
  'most; the batch commits with the row. `requested_by_id` is who must not approve the batch; null: any approver can.';

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known
  check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change',
    'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
    'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid', 'payout_request',
    'payout_failed', 'first_sale', 'statement', 'test', 'tax_form_submitted', 'access_request', 'payout_schedule'));
