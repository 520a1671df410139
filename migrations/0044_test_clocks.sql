-- Programs in test mode have a clock that can be advanced.

alter table programs add constraint programs_id_mode_unique unique (id, mode);

create table test_clocks (
  program_id uuid not null,
  mode text not null default 'test',
  offset_ms bigint not null default 0,
  advance_id uuid,
  from_at timestamptz,
  target_at timestamptz,
  last_error text,
  constraint test_clocks_pkey primary key (program_id),
  constraint test_clocks_program_fkey foreign key (program_id, mode) references programs (id, mode),
  constraint test_clocks_test_only check (mode = 'test'),
  constraint test_clocks_offset_range check (offset_ms between 0 and 315576000000),
  constraint test_clocks_advance_whole check ((advance_id is null) = (target_at is null) and (advance_id is null) = (from_at is null)),
  constraint test_clocks_advance_forward check (from_at <= target_at)
);

comment on table test_clocks is
  'How far the time of a program in test mode is ahead of the system clock. The reference to `mode` keeps live programs out, and '
  'a program with an advanced clock from going live.';

comment on column test_clocks.advance_id is
  'The advance that is in progress: from `from_at` to `target_at`. Null: the clock is ready.';

insert into test_clocks (program_id) select id from programs where mode = 'test';
