// Positions come from transaction ids, which start again where a dump is restored into another cluster. The log then
// continues after its last event instead of among events that readers have already passed.
import type pg from 'pg';

/** Far more transactions than can have been committed between a backup and the loss of its database. */
const lostPositions = 10_000_000_000;

const highestPosition = `
    with highest as (
      select max(position) as position from (
        select latest.position from programs cross join lateral (
          select position from events where events.program_id = programs.id order by position desc, id desc limit 1
        ) as latest
        union all select max(read_position) from webhooks
        union all select max(read_position) from postback_readers
      ) as known (position)
    )`;

/**
 * Raises the base of new positions if the database has positions that its cluster has not reached, including those of
 * webhooks that wait for the next event. Runs before a process serves requests. True if the database was restored.
 */
export async function continueLog(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(`${highestPosition}
    update event_log set position_base = greatest(position_base, highest.position + 1) from highest
    where highest.position > position_base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`);
  return rowCount === 1;
}

/**
 * Continues the log of a restored backup beyond every position of events that were lost: integrations have read some of
 * them, and would otherwise not be given the next events. Runs in the transaction of the restore.
 */
export async function continueLogAfterRestore(client: pg.ClientBase): Promise<void> {
  await client.query(
    `${highestPosition}
    update event_log set position_base = greatest(position_base, coalesce(highest.position, 0)) + $1 from highest`,
    [lostPositions],
  );
}
