-- Groups that affiliates reach by their volume.

create table group_moves (
  program_id uuid not null,
  is_enabled boolean not null,
  metric text not null,
  days integer not null,
  can_move_down boolean not null,
  keep_days integer not null,
  done_on date,
  last_run_at timestamptz,
  updated_at timestamptz not null,
  constraint group_moves_pkey primary key (program_id),
  constraint group_moves_program_fkey foreign key (program_id) references programs (id),
  constraint group_moves_metric_known check (metric in ('conversions', 'amountCents')),
  constraint group_moves_days_range check (days between 1 and 366),
  constraint group_moves_keep_days_range check (keep_days between 0 and 366)
);

comment on table group_moves is
  'How affiliates move between groups by their volume: what counts, over how many days, how long a group is kept. `done_on` is '
  'the last day, in the program''s time zone, on which all affiliates were moved; null after a change of the settings.';

create index group_moves_enabled on group_moves (program_id) where is_enabled;

create table group_move_steps (
  program_id uuid not null,
  group_id uuid not null,
  reached_from bigint not null,
  constraint group_move_steps_pkey primary key (program_id, group_id),
  constraint group_move_steps_group_fkey foreign key (program_id, group_id) references groups (program_id, id),
  constraint group_move_steps_moves_fkey foreign key (program_id) references group_moves (program_id),
  constraint group_move_steps_from_unique unique (program_id, reached_from),
  constraint group_move_steps_from_range check (reached_from between 0 and 99999999999)
);

comment on table group_move_steps is
  'The volume from which an affiliate belongs to a group: a number of orders, or cents.';

alter table affiliates add column group_reached_on date;

comment on column affiliates.group_reached_on is
  'The day, in the program''s time zone, on which the affiliate reached its group by its volume; null if a person chose the group.';

-- Orders that were refunded in full don't count.
create index conversions_voided on conversions (program_id, occurred_at) include (affiliate_id) where voided_at is not null;
