// A restored backup lacks the events that were recorded after it. Integrations have read some of them: with the same
// positions, they would not be given the next events.
import type pg from 'pg';

/** Far more events than a program can record between a backup and the loss of its database. */
const lostPositions = 10_000_000_000;

/** Continues the log of each program beyond every position that could have been read. Runs in the transaction of the restore. */
export async function skipLostPositions(client: pg.ClientBase): Promise<void> {
  await client.query(
    `insert into event_log_ends as log (program_id, last_position) select id, $1 from programs
     on conflict on constraint event_log_ends_pkey do update set last_position = log.last_position + excluded.last_position`,
    [lostPositions],
  );
}
