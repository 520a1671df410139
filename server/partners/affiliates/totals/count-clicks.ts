// The number of recorded clicks of a program, from the totals that are stored anyway, including pending clicks.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { type Period, sumByDay } from '../../../platform/db/day-totals.ts';
import { pendingClicks } from './pending.ts';
import { movedPrograms } from './rebuild-daily-totals.ts';

/** All clicks of a program in a period. Null if the stored days can't be used, because its time zone has just changed. */
export async function countClicks(ctx: Pick<Context, 'db'>, programId: string, { from, to }: Period): Promise<number | null> {
  if (!from && !to) return countAll(ctx, programId);
  const { rows } = await sql<{ timezone: string; isMoved: boolean }>`
    select timezone, exists (${movedPrograms(sql`program_id = ${programId}`)}) as is_moved
    from programs where id = ${programId}`.execute(ctx.db);
  const [program] = rows;
  if (!program || program.isMoved) return null;
  const { clicks } = await sumByDay(ctx, {
    stored: sql`select day, clicks from daily_totals where program_id = ${programId}
      union all select day, clicks from (${pendingClicks(programId)}) as pending`,
    rows: sql`from clicks where program_id = ${programId}`,
    at: sql`created_at`,
    timezone: program.timezone,
    period: { from, to },
    measures: { clicks: sql`1` },
  });
  return clicks;
}

async function countAll({ db }: Pick<Context, 'db'>, programId: string): Promise<number> {
  const { rows } = await sql<{ clicks: number }>`
    select (select coalesce(sum(clicks), 0) from affiliates where program_id = ${programId})::bigint
      + (select coalesce(sum(clicks), 0) from (${pendingClicks(programId)}) as pending)::bigint as clicks`.execute(db);
  return rows[0]?.clicks ?? 0;
}
