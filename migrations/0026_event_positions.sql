-- Positions in the event log are numbers of the program, given after the commit, and no longer ids of transactions.

create table event_log_ends (
  program_id uuid not null,
  last_position bigint not null,
  constraint event_log_ends_pkey primary key (program_id),
  constraint event_log_ends_position_counted check (last_position >= 0),
  constraint event_log_ends_program_fkey foreign key (program_id) references programs (id)
) with (fillfactor = 50);

comment on table event_log_ends is
  'The last position that was given to an event of the program. Events are numbered under a lock on this row. A '
  'reader of the log whose position is lower has events to read, unless numbers were skipped by a restore.';

insert into event_log_ends (program_id, last_position)
select programs.id, (select count(*) from events where events.program_id = programs.id) from programs;

update webhooks set read_position = (
  select count(*) from events
  where events.program_id = webhooks.program_id and (events.position, events.id) <= (webhooks.read_position, webhooks.read_event_id)
);

update postback_readers set read_position = (
  select count(*) from events
  where events.program_id = postback_readers.program_id
    and (events.position, events.id) <= (postback_readers.read_position, postback_readers.read_event_id)
);

alter table webhooks drop column read_event_id;

alter table postback_readers drop column read_event_id;

drop index events_in_order;

alter table events alter column position drop not null;

update events set position = numbered.position
from (select program_id, id, row_number() over (partition by program_id order by position, id) as position from events) as numbered
where events.program_id = numbered.program_id and events.id = numbered.id;

alter table events add constraint events_position_positive check (position > 0);

create unique index events_in_order on events (program_id, position) where position is not null;

create index events_unnumbered on events (program_id, id) where position is null;

drop table event_log;

comment on table events is
  'A change that is announced to integrations, written in the transaction of the change by messaging/events. The '
  'log of a program is read in the order of position: 1, 2, 3 … A position is given after the commit, so that no '
  'event can appear behind a reader; until then it is null. Only a restore skips numbers. object_sequence numbers '
  'the events of one object without gaps, and positions follow it; 1 is its creation. affiliate_id is the '
  'affiliate that the event is about.';

comment on table webhooks is
  'An address to which events are pushed. `secrets` are encrypted. read_position is that of the last event that was '
  'considered; those after it follow. A deleted webhook stays without its address and secrets until its deliveries '
  'are deleted. With an affiliate_id, it is a postback: registered by that affiliate, for their own events, with '
  'macros in its url; it starts after its position, and `postback_readers` reads for all of a program.';
