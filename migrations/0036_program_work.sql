-- The processes that look for work all the time ask one small table.

create table program_work (
  program_id uuid not null,
  kind text not null,
  due_at timestamptz not null,
  mark uuid not null,
  constraint program_work_pkey primary key (program_id, kind),
  constraint program_work_program_fkey foreign key (program_id) references programs (id),
  constraint program_work_kind_known check (kind in ('events', 'deliveries', 'click_figures'))
) with (fillfactor = 50);

comment on table program_work is
  'Programs with work for a process that looks for it: events that webhooks have not read, deliveries that are pending, '
  'and totals of clicks to copy into figures. A row is written in the transaction that causes the work; mark is then a '
  'new id, so that a process removes only a row whose work it has seen.';

insert into program_work (program_id, kind, due_at, mark)
select id, kind, created_at, gen_random_uuid()
from programs cross join (values ('events'), ('deliveries'), ('click_figures')) as work (kind);
