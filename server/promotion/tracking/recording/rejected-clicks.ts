// Counts clicks that were not recorded per program, day and reason, so that a program sees the effect of its settings.
// Counts are summed in memory while the previous sums are being written, so that no visitor waits.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';

export type RejectedClickCounter = {
  /** Counts a click on the day in the program's time zone. */
  add(program: { programId: string; timezone: string }, at: Date, reason: string): void;
  /** Resolves once everything counted so far was written, or failed to be. */
  idle(): Promise<void>;
};

const separator = ' ';

export function createRejectedClickCounter(ctx: Context): RejectedClickCounter {
  let sums = new Map<string, number>();
  let writing: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    while (sums.size > 0) {
      const batch = sums;
      sums = new Map();
      try {
        await addCounts(ctx, batch);
      } catch (error) {
        ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'failed to count rejected clicks');
      }
    }
    writing = null;
  };
  return {
    add({ programId, timezone }, at, reason) {
      const key = [programId, localDate(at, timezone), reason].join(separator);
      sums.set(key, (sums.get(key) ?? 0) + 1);
      writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write);
    },
    idle: async () => writing ?? undefined,
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
