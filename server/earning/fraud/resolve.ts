// A person resolves a fraud event. Legitimate: the event no longer holds the order's commissions; other open causes
// still do. Fraud: the commissions are rejected, and what was earned is taken back.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { type Addition, addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { paragraph } from '../../platform/http/declaration/fields.ts';
import { NothingToDo } from '../../platform/lib/errors.ts';
import type { Actor } from '../commissions/change.ts';
import { closeHold } from '../commissions/holds.ts';
import { rejectCommissions } from '../commissions/reject.ts';
import { type LockedLedger, openLedger, post } from '../ledger/post.ts';
import { FraudEventShape, fraudEventSlot, toFraudEvent } from './fraud-event.ts';

export const resolveFraudEvent = endpoint({
  id: 'fraudEvents.resolve',
  route: 'POST /v1/programs/:programId/fraud-events/:id/resolve',
  scope: 'write',
  tag: 'Fraud',
  summary: 'Resolve a fraud event',
  description: '`legitimate` lifts the hold of this event; the commissions stay held while another cause is open. `fraud` rejects them.',
  path: { id: fraudEventSlot },
  body: z
    .object({ resolution: z.enum(['legitimate', 'fraud']), note: paragraph(2000).nullable().optional() })
    .meta({ id: 'FraudResolution', example: { resolution: 'legitimate', note: 'Bought a gift for her mother' } }),
  statuses: [200],
  result: FraudEventShape,
  refusals: { 422: 'It has already been resolved.' },
  async handle(tx, { actor, params, body: { resolution, note } }) {
    const ledger = await openLedger(tx, actor.programId);
    const resolved = await tx.db
      .updateTable('fraudEvents')
      .set({ status: resolution, resolutionNote: note ?? null, resolvedAt: tx.clock.now() })
      .where('programId', '=', actor.programId)
      .where('id', '=', params.id)
      .where('status', '=', 'open')
      .returningAll()
      .executeTakeFirst();
    if (!resolved) throw new NothingToDo('fraud_event_resolved', 'This event has already been resolved.');
    const { id, conversionId } = resolved;
    if (conversionId) await follow(tx, ledger, { id, conversionId, resolution, actor: actor });
    const after = { resolution, note };
    await recordChange(tx, { programId: actor.programId, actor, action: 'fraud.resolved', subjectId: resolved.id, after });
    return toFraudEvent(resolved);
  },
});

type Resolved = { id: string; conversionId: string; resolution: 'legitimate' | 'fraud'; actor: Actor };

/** An event that holds nothing (it only left a note) closes no cause. */
async function follow(tx: Tx, ledger: LockedLedger, { id, conversionId, resolution, actor }: Resolved): Promise<void> {
  const rejected =
    resolution === 'fraud'
      ? await rejectCommissions(tx, ledger, conversionId, { actor, reason: 'fraud' })
      : { transfers: [], changes: new Map<string, Addition>() };
  await addToTotals(tx, ledger.programId, rejected.changes);
  const reason = resolution === 'fraud' ? 'fraud' : 'found legitimate';
  const { transfers } = await closeHold(tx, ledger, { cause: 'fraud_event', causeId: id }, { actor, reason });
  await post(tx, ledger, [...rejected.transfers, ...transfers]);
}
