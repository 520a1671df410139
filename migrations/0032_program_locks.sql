-- Changes of a program wait for each other by a row of the program, and no longer by that of `programs`.

create table program_locks (
  program_id uuid not null,
  constraint program_locks_pkey primary key (program_id),
  constraint program_locks_program_fkey foreign key (program_id) references programs (id)
);

comment on table program_locks is
  'One row per program, which is only locked: changes that depend on each other, such as those of its settings, roles and '
  'uplines, take turns. `programs` is a reference table, which a cluster would lock on every node.';

insert into program_locks (program_id) select id from programs;
