-- What background tasks write, such as the file of an export.

create table background_task_outputs (
  program_id uuid not null,
  task_id uuid not null,
  number integer not null,
  content text not null,
  created_at timestamptz not null,
  constraint background_task_outputs_pkey primary key (program_id, task_id, number),
  constraint background_task_outputs_task_fkey foreign key (program_id, task_id)
    references background_tasks (program_id, id),
  constraint background_task_outputs_number_positive check (number > 0)
);

comment on table background_task_outputs is
  'A part of the file that a background task writes. Each step adds one, in the transaction that records its progress. '
  'Deleted after a week, and when the task is cancelled or fails.';

create index background_task_outputs_oldest on background_task_outputs (created_at);
