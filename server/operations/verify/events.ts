// Invariants of the event log. As in money.ts, `scope` is a condition on program_id.
import { sql } from 'kysely';
import type { ScopedInvariant } from './money.ts';

export const eventInvariants: readonly ScopedInvariant[] = [
  {
    name: 'the events of an object have positions in their order',
    breaks: (scope) => sql`
      select program_id, id, position from (
        select program_id, id, position, lag(position) over earlier as last_position, lag(object_sequence) over earlier as last_sequence
        from events where ${scope}
        window earlier as (partition by program_id, object_type, object_id order by object_sequence)
      ) as event
      where last_sequence is not null and position is not null and (last_position is null or last_position >= position)`,
  },
  {
    name: 'no event has a position after the end of its log',
    breaks: (scope) => sql`
      select program_id, max(event.position) as position, max(log.last_position) as last_position
      from (select * from events where position is not null and ${scope}) as event
      left join (select * from event_log_ends where ${scope}) as log using (program_id)
      group by program_id having max(event.position) > coalesce(max(log.last_position), 0)`,
  },
];
