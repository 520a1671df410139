// Deliveries that were refused, counted per provider, day and reason. Whoever knows a provider's address can send any
// number of them, so they are added up in memory and written at most every few seconds: a flood causes no writes.
import { sql } from 'kysely';
import { type Provider, recordRejectedDeliveries } from '../../connections/providers/provider.ts';
import type { BadSignature } from '../../connections/rails/rail.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';

const writeEveryMs = 5000;
/** Keys exist only for providers that exist; the bound holds for an installation with very many of them. */
const maxKeys = 10_000;

type Count = { programId: string; providerId: string; day: string; reason: string; deliveries: number; lastAt: Date };

export type RefusalCounter = {
  note(provider: Provider, error: BadSignature): void;
  /** Writes what was counted so far. */
  flush(): Promise<void>;
};

const counters = new WeakMap<Context, RefusalCounter>();

/** The counter of this process. */
export function refusalsOf(ctx: Context): RefusalCounter {
  const counter = counters.get(ctx) ?? openCounter(ctx);
  counters.set(ctx, counter);
  return counter;
}

function openCounter(ctx: Context): RefusalCounter {
  let counts = new Map<string, Count>();
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();
  let nextWriteAt = 0;
  const write = async (): Promise<void> => {
    timer = null;
    nextWriteAt = performance.now() + writeEveryMs;
    const batch = [...counts.values()];
    counts = new Map();
    if (batch.length === 0) return;
    await writeCounts(ctx, batch).catch((error: unknown) => ctx.log.warn({ err: error }, 'refused deliveries were not counted'));
  };
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    writing = writing.then(write);
    return writing;
  };
  return {
    note({ programId, id: providerId }, { reason }) {
      const lastAt = ctx.clock.now();
      const day = lastAt.toISOString().slice(0, 10);
      const key = `${providerId} ${day} ${reason}`;
      const deliveries = (counts.get(key)?.deliveries ?? 0) + 1;
      if (counts.has(key) || counts.size < maxKeys) counts.set(key, { programId, providerId, day, reason, deliveries, lastAt });
      // The first one is written at once, since somebody may be setting the provider up and looking.
      const pauseMs = nextWriteAt - performance.now();
      timer ??= setTimeout(() => void flush(), Math.max(0, pauseMs)).unref();
    },
    flush,
  };
}

/** In the order of the key, so that several processes don't lock each other out. */
async function writeCounts(ctx: Context, counts: readonly Count[]): Promise<void> {
  const rows = counts.toSorted((a, b) => (a.providerId + a.day + a.reason < b.providerId + b.day + b.reason ? -1 : 1));
  await transact(ctx, async (tx) => {
    await sql`
      insert into provider_refusals as kept (program_id, provider_id, day, reason, deliveries, last_at)
      select * from unnest(${rows.map((row) => row.programId)}::uuid[], ${rows.map((row) => row.providerId)}::uuid[],
        ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.reason)}::text[],
        ${rows.map((row) => row.deliveries)}::bigint[], ${rows.map((row) => row.lastAt)}::timestamptz[])
      on conflict (program_id, provider_id, day, reason)
        do update set deliveries = kept.deliveries + excluded.deliveries, last_at = greatest(kept.last_at, excluded.last_at)`.execute(
      tx.db,
    );
    await recordRejectedDeliveries(tx, rows);
  });
}
