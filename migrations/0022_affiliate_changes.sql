-- Changes to affiliates in the console: undoing them, notes, and long-running work.

alter table emails
  drop constraint emails_kind_known,
  add constraint emails_kind_known
    check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in', 'member_invitation')),
  drop constraint emails_status_known,
  add constraint emails_status_known
    check (status in ('queued', 'sent', 'stored', 'failed', 'unconfirmed', 'cancelled'));

comment on table emails is
  'An outgoing email. `audit_id` is the change that caused it: one change sends an affiliate one email of a kind. '
  'Status queued: waiting for a job; sent: accepted by the mail server; stored: no mail server is configured; '
  'failed: rejected at every attempt; unconfirmed: sent twice without a response, so it may have arrived; '
  'cancelled: the change was undone before the email was sent.';

comment on column emails.not_before is
  'No attempt is made before this time: after an attempt without an outcome, or while the change can be undone.';

create table affiliate_change_sets (
  program_id uuid not null,
  id uuid not null,
  actor_kind text not null,
  actor_id text not null,
  undo_until timestamptz not null,
  undone_at timestamptz,
  created_at timestamptz not null,
  constraint affiliate_change_sets_pkey primary key (program_id, id),
  constraint affiliate_change_sets_program_fkey foreign key (program_id) references programs (id)
);

comment on table affiliate_change_sets is
  'Changes to affiliates that were made together and can be undone together until `undo_until`.';

create table affiliate_changes (
  program_id uuid not null,
  set_id uuid not null,
  audit_id uuid not null,
  affiliate_id uuid not null,
  constraint affiliate_changes_pkey primary key (program_id, set_id, audit_id),
  constraint affiliate_changes_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint affiliate_changes_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint affiliate_changes_set_fkey foreign key (program_id, set_id) references affiliate_change_sets (program_id, id)
);

comment on table affiliate_changes is
  'A change in a set. The audit row has the fields before and after.';

create table affiliate_notes (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  author_kind text not null,
  author_id text not null,
  note text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint affiliate_notes_pkey primary key (program_id, id),
  constraint affiliate_notes_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id)
);

comment on table affiliate_notes is
  'A note about an affiliate, for members of the program. Only its author can change it.';

create index affiliate_notes_by_affiliate on affiliate_notes (program_id, affiliate_id, created_at desc, id desc);

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
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint background_tasks_pkey primary key (program_id, id),
  constraint background_tasks_program_fkey foreign key (program_id) references programs (id),
  constraint background_tasks_status_known check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  constraint background_tasks_finished check ((finished_at is not null) = (status in ('succeeded', 'failed', 'cancelled')))
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
  constraint background_task_inputs_task_fkey foreign key (program_id, task_id) references background_tasks (program_id, id)
);

comment on table background_task_inputs is
  'What one step of a background task works on. Deleted when the task ends.';
