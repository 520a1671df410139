-- Jobs commit with the change that causes them in a table of the program, wherever the queue is stored.

create table job_outbox (
  program_id uuid not null,
  id uuid not null,
  name text not null,
  data jsonb not null,
  start_at timestamptz not null,
  created_at timestamptz not null,
  constraint job_outbox_pkey primary key (program_id, id),
  constraint job_outbox_program_fkey foreign key (program_id) references programs (id)
);

comment on table job_outbox is
  'Background jobs of a program, written in the transaction that enqueues them. Each second, a process that runs jobs '
  'hands them to the queue under their id and then deletes them; the queue ignores a job that it has already.';
