// Storing what arrives: each event once, with the job that processes it in the same transaction.

import { type Provider, recordProviderHealth } from '../../connections/providers/provider.ts';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Arrived } from './handlers.ts';
import { processEvents } from './process.ts';

/** Keeps events that are new. Repeats are left as they are. */
export async function keepEvents(ctx: Context, provider: Provider, events: readonly Arrived[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const eventIds: string[] = [];
    for (const event of events) eventIds.push(...(await keepEvent(tx, provider, event)));
    if (eventIds.length > 0) await tx.jobs.enqueue(tx, processEvents, { programId: provider.programId, eventIds });
    const isWell = provider.status === 'connected' && provider.lastError !== null;
    await recordProviderHealth(tx, provider, { lastEventAt: tx.clock.now(), ...(isWell && { lastError: null }) });
  });
}

async function keepEvent(tx: Tx, { programId, id: providerId }: Provider, { payload, ...event }: Arrived): Promise<string[]> {
  const [id, now] = [tx.ids.uuid(), tx.clock.now()];
  const sealed = tx.vault.encrypt(payload, `provider_events:${id}`);
  const rows = await tx.db
    .insertInto('providerEvents')
    .values({ programId, id, providerId, ...event, status: 'received', payload: sealed, nextTryAt: now, receivedAt: now })
    .onConflict((conflict) => conflict.columns(['programId', 'providerId', 'externalId']).doNothing())
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}
