import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Hold } from '../commissions/holds.ts';
import type { Suspicion } from './suspicions.ts';

type Suspected = { affiliateId: string; conversionId: string | null; suspicions: readonly Suspicion[] };

/** Opens an event for each suspicion, for a person to decide. Returns those that hold, by conversion. */
export async function openFraudEvents(tx: Tx, programId: string, orders: readonly Suspected[]): Promise<Map<string | null, Hold[]>> {
  const opened = orders.flatMap(({ affiliateId, conversionId, suspicions }) =>
    suspicions.map((suspicion) => ({ id: tx.ids.uuid(), affiliateId, conversionId, suspicion })),
  );
  const events = opened.map(({ id, affiliateId, conversionId, suspicion: { kind, action, evidence } }) => ({
    programId,
    id,
    kind,
    status: 'open',
    affiliateId,
    conversionId,
    evidence: { ...evidence, action },
    createdAt: tx.clock.now(),
  }));
  await insertRows(tx, 'fraudEvents', events);
  const holding = Map.groupBy(
    opened.filter(({ suspicion }) => suspicion.action === 'hold'),
    ({ conversionId }) => conversionId,
  );
  return new Map([...holding].map(([conversionId, ofOrder]) => [conversionId, ofOrder.map(toHold)]));
}

function toHold({ id, suspicion }: { id: string; suspicion: Suspicion }): Hold {
  return { cause: 'fraud_event', causeId: id, reason: suspicion.kind };
}
