// Clicks that were not recorded, counted per program, day and reason, so that a brand sees what its settings
// keep out. Summed up in memory while the last sum is being written: nobody waits for it.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';

export type Refusals = {
  /** Counted for the day in the program's time zone. */
  note(program: { programId: string; timezone: string }, at: Date, reason: string): void;
  /** Resolves once everything noted so far was written (or given up). */
  idle(): Promise<void>;
};

const separator = ' ';

export function refusalCounter(ctx: Context): Refusals {
  let sums = new Map<string, number>();
  let writing: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    while (sums.size > 0) {
      const batch = sums;
      sums = new Map();
      try {
        await addUp(ctx, batch);
      } catch (error) {
        ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'refused clicks were not counted');
      }
    }
    writing = null;
  };
  return {
    note({ programId, timezone }, at, reason) {
      const key = [programId, localDate(at, timezone), reason].join(separator);
      sums.set(key, (sums.get(key) ?? 0) + 1);
      writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write);
    },
    idle: async () => writing ?? undefined,
  };
}

/** In the order of the key, so that several processes don't lock each other out. */
async function addUp(ctx: Context, sums: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, clicks]) => [...key.split(separator), clicks] as const);
  await sql`
    insert into click_refusals as kept (program_id, day, reason, clicks)
    select * from unnest(${rows.map(([programId]) => programId)}::uuid[], ${rows.map(([, day]) => day)}::date[],
      ${rows.map(([, , reason]) => reason)}::text[], ${rows.map(([, , , clicks]) => clicks)}::bigint[])
    on conflict on constraint click_refusals_pkey do update set clicks = kept.clicks + excluded.clicks`.execute(ctx.db);
}
