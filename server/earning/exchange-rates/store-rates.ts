// Stores exchange rates, and processes the store events that wait for one.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { recordedValues } from '../../platform/db/recorded-values.ts';
import { jobName } from '../../platform/queue/job.ts';
import type { Exchange } from './exchange.ts';

/** `quotedOn` is ISO 8601; one rate per currency and day. */
export type NewRate = { currency: string; quotedOn: string; rate: string };

type Stored = { created: number; updated: number; unchanged: number };

/** In stores/inbox. */
const processUnconverted = jobName<{ programId: string }>('inbox.processUnconverted');

/** Stores rates, and returns how many are new or have changed. Fetched rates never replace stored ones. */
export async function storeRates(
  tx: Tx,
  programId: string,
  { rates, source }: { rates: readonly NewRate[]; source: Exchange['rateSource'] },
): Promise<Stored> {
  const now = tx.clock.now();
  const proposed = rates.map((rate) => ({ ...rate, id: tx.ids.uuid() }));
  const { rows: written } = await sql<{ id: string }>`
    insert into exchange_rates as stored (program_id, id, currency, quoted_on, rate, source, created_at, updated_at, recorded_values)
    select ${programId}::uuid, id, currency, "quotedOn", rate, ${source}, ${now}, ${now}, ${sql.raw(recordedValues('exchange_rates'))}
    from jsonb_to_recordset(${JSON.stringify(proposed)}::jsonb) as row (id uuid, currency text, "quotedOn" date, rate numeric)
    on conflict (program_id, currency, quoted_on) do update set rate = excluded.rate, source = excluded.source,
      updated_at = excluded.updated_at, recorded_values = excluded.recorded_values
    where excluded.source = 'uploaded' and (stored.rate <> excluded.rate or stored.source <> excluded.source)
    returning id`.execute(tx.db);
  if (written.length > 0) await tx.jobs.enqueue(tx, processUnconverted, { programId });
  // A stored rate that was replaced keeps its id.
  const proposedIds = new Set(proposed.map(({ id }) => id));
  const created = written.filter(({ id }) => proposedIds.has(id)).length;
  return { created, updated: written.length - created, unchanged: rates.length - written.length };
}
