// Resolving a fraud alert. Legitimate: the alert no longer holds the order's commissions; other open causes still do.
// Fraud: the commissions are rejected, and the amounts earned are reversed.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { paragraph } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { InvalidState, NothingToDo } from '../../platform/lib/errors.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { lockOrderCommissions } from '../commissions/commission.ts';
import { closeHold } from '../commissions/holds.ts';
import { rejectCommissions } from '../commissions/reject.ts';
import { rejectLead } from '../customers/reject-lead.ts';
import { type LockedLedger, openLedger, post, type Transfer } from '../ledger/post.ts';
import { fraudResolved } from './events.ts';
import { FraudEventShape, fraudEventSlot, toFraudEvent } from './fraud-event.ts';

export const fraudErrors = [
  { status: 400, code: 'fraud_event_resolved', when: 'The fraud alert has already been resolved differently.' },
  { status: 422, code: 'fraud_event_resolved', when: 'The fraud alert already has this resolution.' },
] as const;

export const resolveFraudEvent = endpoint({
  id: 'fraudEvents.resolve',
  route: 'POST /v1/programs/:programId/fraud-events/:id/resolve',
  scope: 'write',
  requires: 'fraud.decide',
  tag: 'Fraud',
  summary: 'Resolve a fraud alert',
  description: '`legitimate` lifts the hold of this alert; the commissions stay held while another cause is open. `fraud` rejects them.',
  path: { id: fraudEventSlot },
  body: z
    .object({ resolution: z.enum(['legitimate', 'fraud']), note: paragraph(2000).nullable().optional() })
    .meta({ id: 'FraudResolution', example: { resolution: 'legitimate', note: 'Bought a gift for her mother' } }),
  statuses: [200],
  result: FraudEventShape,
  errors: fraudErrors,
  handle: (tx, { actor, params, body }) => resolve(tx, actor.programId, { actor, id: params.id, ...body }),
});

type Resolution = { id: string; resolution: 'legitimate' | 'fraud'; note?: string | null | undefined; actor: Actor };

/** Resolves an open fraud alert. Throws if it has been resolved. */
export async function resolve(
  tx: Tx,
  programId: string,
  { id, resolution, note, actor }: Resolution,
): Promise<z.input<typeof FraudEventShape>> {
  const ledger = await openLedger(tx, programId);
  const resolved = await tx.db
    .updateTable('fraudEvents')
    .set({ status: resolution, resolutionNote: note ?? null, resolvedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst();
  if (!resolved) throw await alreadyResolved(tx, programId, { id, resolution });
  const { conversionId, leadId } = resolved;
  if (conversionId ?? leadId) await applyResolution(tx, ledger, { id, conversionId, leadId, resolution, note: note ?? null, actor });
  const after = { resolution, note };
  await recordChange(tx, { programId, actor, action: 'fraud.resolved', subjectId: resolved.id, after });
  const event = toFraudEvent(resolved);
  const occurrence = { objectId: id, affiliateId: resolved.affiliateId, data: event, previous: { status: 'open' } };
  await recordEvent(tx, { programId, actor }, fraudResolved.of(occurrence));
  return event;
}

async function alreadyResolved(tx: Tx, programId: string, { id, resolution }: { id: string; resolution: string }): Promise<Error> {
  const events = tx.db.selectFrom('fraudEvents').select('status').where('programId', '=', programId);
  const { status } = await events.where('id', '=', id).executeTakeFirstOrThrow();
  const message = `This fraud alert is already resolved as \`${status}\`.`;
  return status === resolution ? new NothingToDo('fraud_event_resolved', message) : new InvalidState('fraud_event_resolved', message);
}

type Resolved = {
  id: string;
  conversionId: string | null;
  leadId: string | null;
  resolution: 'legitimate' | 'fraud';
  note: string | null;
  actor: Actor;
};

/** An alert that only flagged the order or lead holds nothing, so it closes no cause. */
async function applyResolution(tx: Tx, ledger: LockedLedger, resolved: Resolved): Promise<void> {
  const { id, resolution, actor } = resolved;
  const rejected = resolution === 'fraud' ? await rejectSubject(tx, ledger, resolved) : [];
  const reason = resolution === 'fraud' ? 'fraud' : 'legitimate';
  const { transfers } = await closeHold(tx, ledger, { cause: 'fraud_event', causeId: id }, { actor, reason });
  await post(tx, ledger, [...rejected, ...transfers]);
}

async function rejectSubject(tx: Tx, ledger: LockedLedger, { conversionId, leadId, note, actor }: Resolved): Promise<Transfer[]> {
  if (conversionId) return rejectOrder(tx, ledger, conversionId, actor);
  return leadId ? ((await rejectLead(tx, ledger, leadId, { actor, reason: 'fraud', note }))?.transfers ?? []) : [];
}

async function rejectOrder(tx: Tx, ledger: LockedLedger, conversionId: string, actor: Actor): Promise<Transfer[]> {
  const { programId, timezone } = ledger;
  const rows = await lockOrderCommissions(tx, programId, [conversionId]);
  const { transfers, reversals } = await rejectCommissions(tx, ledger, rows, { actor, reason: 'fraud' });
  const orders = tx.db.selectFrom('conversions').select('occurredAt').where('programId', '=', programId);
  const { occurredAt } = await orders.where('id', '=', conversionId).executeTakeFirstOrThrow();
  const day = localDate(occurredAt, timezone);
  const additions = reversals.map((reversal) => ({ ...reversal, day }));
  await addToTotals(tx, ledger, additions);
  return transfers;
}
