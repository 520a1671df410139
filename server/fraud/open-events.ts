import type { Tx } from '../context.ts';
import { insertRows } from '../db/insert-rows.ts';
import type { Suspicion } from './suspicions.ts';

type Suspected = { affiliateId: string; conversionId: string | null; suspicions: readonly Suspicion[] };

/** Opens an event for each suspicion, for a person to decide. */
export async function openFraudEvents(tx: Tx, programId: string, orders: readonly Suspected[]): Promise<void> {
  const events = orders.flatMap(({ affiliateId, conversionId, suspicions }) =>
    suspicions.map(({ kind, action, evidence }) => ({
      programId,
      id: tx.ids.uuid(),
      kind,
      status: 'open',
      affiliateId,
      conversionId,
      evidence: { ...evidence, action },
      createdAt: tx.clock.now(),
    })),
  );
  await insertRows(tx, 'fraudEvents', events);
}

/** Why the commission is held, or null when nothing holds it. */
export function heldBecause(suspicions: readonly Suspicion[]): string | null {
  const holding = suspicions.filter(({ action }) => action === 'hold').map(({ kind }) => kind);
  return holding.length > 0 ? holding.join(', ') : null;
}
