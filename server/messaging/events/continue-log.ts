// Positions come from transaction ids, which start again where a dump is restored into another cluster. The log then
// continues after its last event instead of among events that readers have already passed.
import type pg from 'pg';

/**
 * Raises the base of new positions if the database has positions that its cluster has not reached, including those of
 * webhooks that wait for the next event. Runs before a process serves requests. True if the database was restored.
 */
export async function continueLog(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(`
    with highest as (
      select max(position) as position from (
        select latest.position from programs cross join lateral (
          select position from events where events.program_id = programs.id order by position desc, id desc limit 1
        ) as latest
        union all select max(read_position) from webhooks
        union all select max(read_position) from postback_readers
      ) as known (position)
    )
    update event_log set position_base = greatest(position_base, highest.position + 1) from highest
    where highest.position > position_base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`);
  return rowCount === 1;
}
