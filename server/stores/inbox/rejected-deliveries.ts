// Rejected deliveries, counted per provider, day and reason. Anyone who knows a provider's address can send any number
// of them, so they are counted in memory and written at most every few seconds: a flood causes no writes.
import { sql } from 'kysely';
import { type Provider, recordRejectedDeliveries } from '../../connections/providers/provider.ts';
import type { BadSignature } from '../../connections/rails/rail.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';

const writeIntervalMs = 5000;
/** Keys exist only for existing providers; the limit is for an installation with very many of them. */
const maxKeys = 10_000;

type Count = { programId: string; providerId: string; day: string; reason: string; deliveries: number; lastAt: Date };

export type RejectionCounter = {
  count(provider: Provider, error: BadSignature): void;
  /** Writes the counts collected so far. */
  flush(): Promise<void>;
};

const counters = new WeakMap<Context, RejectionCounter>();

/** The counter of this process. */
export function getRejectionCounter(ctx: Context): RejectionCounter {
  const counter = counters.get(ctx) ?? createCounter(ctx);
  counters.set(ctx, counter);
  return counter;
}

function createCounter(ctx: Context): RejectionCounter {
  let counts = new Map<string, Count>();
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();
  let nextWriteAt = 0;
  const write = async (): Promise<void> => {
    timer = null;
    nextWriteAt = performance.now() + writeIntervalMs;
    const batch = [...counts.values()];
    counts = new Map();
    if (batch.length === 0) return;
    await writeCounts(ctx, batch).catch((error: unknown) => ctx.log.warn({ err: error }, 'failed to count rejected deliveries'));
  };
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    writing = writing.then(write);
    return writing;
  };
  return {
    count({ programId, id: providerId }, { reason }) {
      const lastAt = ctx.clock.now();
      const day = lastAt.toISOString().slice(0, 10);
      const key = `${providerId} ${day} ${reason}`;
      const deliveries = (counts.get(key)?.deliveries ?? 0) + 1;
      if (counts.has(key) || counts.size < maxKeys) counts.set(key, { programId, providerId, day, reason, deliveries, lastAt });
      // The first rejection is written immediately, because someone may be setting up the provider.
      const delayMs = nextWriteAt - performance.now();
      timer ??= setTimeout(() => void flush(), Math.max(0, delayMs)).unref();
    },
    flush,
  };
}

/** Rows are sorted by their key, so that concurrent processes can't deadlock. */
async function writeCounts(ctx: Context, counts: readonly Count[]): Promise<void> {
  const rows = counts.toSorted((a, b) => (a.providerId + a.day + a.reason < b.providerId + b.day + b.reason ? -1 : 1));
  await transact(ctx, async (tx) => {
    await sql`
      insert into rejected_deliveries as counted (program_id, provider_id, day, reason, deliveries, last_at)
      select * from unnest(${rows.map((row) => row.programId)}::uuid[], ${rows.map((row) => row.providerId)}::uuid[],
        ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.reason)}::text[],
        ${rows.map((row) => row.deliveries)}::bigint[], ${rows.map((row) => row.lastAt)}::timestamptz[])
      on conflict (program_id, provider_id, day, reason)
        do update set deliveries = counted.deliveries + excluded.deliveries, last_at = greatest(counted.last_at, excluded.last_at)`.execute(
      tx.db,
    );
    await recordRejectedDeliveries(tx, rows);
  });
}
