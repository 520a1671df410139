-- The event log: changes that are announced to integrations, in an order in which they can be read without gaps.

create table event_log (
  is_only_row boolean not null default true,
  position_base bigint not null,
  constraint event_log_pkey primary key (is_only_row),
  constraint event_log_only_row check (is_only_row)
);

comment on table event_log is
  'One row: the number that is added to the id of a transaction to get the position of its events. It grows when the '
  'database is restored into a cluster whose transaction ids are lower, so that positions never repeat.';

insert into event_log (position_base) values (0);

create table events (
  program_id uuid not null,
  id uuid not null,
  position bigint not null,
  type text not null,
  object_type text not null,
  object_id uuid not null,
  object_sequence bigint not null,
  affiliate_id uuid,
  data jsonb not null,
  previous jsonb,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  constraint events_pkey primary key (program_id, id),
  constraint events_program_fkey foreign key (program_id) references programs (id),
  constraint events_sequence_unique unique (program_id, object_type, object_id, object_sequence),
  constraint events_sequence_positive check (object_sequence > 0)
);

comment on table events is
  'A change that is announced to integrations, written in the transaction of the change by messaging/events. The log is '
  'read in the order of (position, id). A position is the id of a transaction, and readers stop at the oldest transaction '
  'that is still running, so that events that commit late are never behind a reader. object_sequence numbers the events '
  'of one object without gaps; 1 is its creation. affiliate_id is the affiliate that the event is about.';

create unique index events_in_order on events (program_id, position, id);
create index events_by_age on events using brin (created_at);

create table event_sequences (
  program_id uuid not null,
  object_type text not null,
  object_id uuid not null,
  last_sequence bigint not null,
  constraint event_sequences_pkey primary key (program_id, object_type, object_id),
  constraint event_sequences_program_fkey foreign key (program_id) references programs (id)
) with (fillfactor = 80);

comment on table event_sequences is
  'The number of the last event of an object. Locking this row orders simultaneous events of the object. Objects whose '
  'only event is their creation have no row, so that recording an order needs none.';
