// Counts clicks that were not recorded per program, day and reason, so that a program sees the effect of its settings.
// Counts are summed in memory and written once a second: a rejected click costs no statement.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';

export type RejectedClickCounter = {
  /** Counts a click on the day in the program's time zone. */
  add(program: { programId: string; timezone: string }, at: Date, reason: string): void;
  /** Writes everything counted so far. Resolves when writing has succeeded or failed. */
  idle(): Promise<void>;
};

const separator = ' ';
const intervalMs = 1000;

export function createRejectedClickCounter(ctx: Context): RejectedClickCounter {
  let sums = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    if (sums.size === 0) return;
    const batch = sums;
    sums = new Map();
    try {
      await addCounts(ctx, batch);
    } catch (error) {
      ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'failed to count rejected clicks');
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
  const writeSoon = (): void => {
    timer = setTimeout(() => {
      timer = null;
      void flush();
    }, intervalMs);
    timer.unref();
  };
  return {
    add({ programId, timezone }, at, reason) {
      const key = [programId, localDate(at, timezone), reason].join(separator);
      sums.set(key, (sums.get(key) ?? 0) + 1);
      if (timer === null) writeSoon();
    },
    idle: flush,
  };
}

/** Writes in the order of the key, so that several processes can't deadlock. */
async function addCounts(ctx: Context, sums: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, clicks]) => [...key.split(separator), clicks] as const);
  await sql`
    insert into rejected_clicks as counted (program_id, day, reason, clicks)
    select * from unnest(${rows.map(([programId]) => programId)}::uuid[], ${rows.map(([, day]) => day)}::date[],
      ${rows.map(([, , reason]) => reason)}::text[], ${rows.map(([, , , clicks]) => clicks)}::bigint[])
    on conflict on constraint rejected_clicks_pkey do update set clicks = counted.clicks + excluded.clicks`.execute(ctx.db);
}
