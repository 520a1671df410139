// A person decides about a doubt. Legitimate: once no other doubt about the order is open, what was held
// goes on. Fraud: the order's commissions are rejected, and what was earned is taken back.
import { z } from 'zod';
import { addToTotals } from '../affiliates/add-to-totals.ts';
import { recordChange } from '../audit/record.ts';
import type { Actor } from '../commissions/change.ts';
import { releaseCommissions } from '../commissions/hold.ts';
import { rejectCommissions } from '../commissions/reject.ts';
import type { Tx } from '../context.ts';
import { endpoint } from '../http/endpoint.ts';
import { paragraph } from '../http/fields.ts';
import { type Books, openBooks, post } from '../ledger/books.ts';
import { NothingToDo } from '../lib/errors.ts';
import { FraudEventShape, fraudEventSlot, toFraudEvent } from './fraud-event.ts';

export const resolveFraudEvent = endpoint({
  id: 'fraudEvents.resolve',
  route: 'POST /v1/programs/:programId/fraud-events/:id/resolve',
  scope: 'write',
  tag: 'Fraud',
  summary: 'Resolve a fraud event',
  description: '`legitimate` releases the commissions once nothing else is open about the order; `fraud` rejects them.',
  path: { id: fraudEventSlot },
  body: z
    .object({ resolution: z.enum(['legitimate', 'fraud']), note: paragraph(2000).nullable().optional() })
    .meta({ id: 'FraudResolution', example: { resolution: 'legitimate', note: 'Bought a gift for her mother' } }),
  statuses: [200],
  result: FraudEventShape,
  refusals: { 422: 'It is resolved already.' },
  async handle(tx, { actor, params, body: { resolution, note } }) {
    const books = await openBooks(tx, actor.programId);
    const resolved = await tx.db
      .updateTable('fraudEvents')
      .set({ status: resolution, resolutionNote: note ?? null, resolvedAt: tx.clock.now() })
      .where('programId', '=', actor.programId)
      .where('id', '=', params.id)
      .where('status', '=', 'open')
      .returningAll()
      .executeTakeFirst();
    if (!resolved) throw new NothingToDo('fraud_event_resolved', 'This event is resolved already.');
    const doer = { kind: 'api_key' as const, id: actor.keyId };
    if (resolved.conversionId) await follow(tx, books, { conversionId: resolved.conversionId, resolution, actor: doer });
    const after = { resolution, note };
    await recordChange(tx, { programId: actor.programId, doer, action: 'fraud.resolved', subjectId: resolved.id, after });
    return toFraudEvent(resolved);
  },
});

type Resolved = { conversionId: string; resolution: 'legitimate' | 'fraud'; actor: Actor };

async function follow(tx: Tx, books: Books, { conversionId, resolution, actor }: Resolved): Promise<void> {
  if (resolution === 'fraud') {
    const { transfers, changes } = await rejectCommissions(tx, books, conversionId, { actor, reason: 'fraud' });
    await addToTotals(tx, books.programId, changes);
    return post(tx, books, transfers);
  }
  const open = await tx.db
    .selectFrom('fraudEvents')
    .select('evidence')
    .where('programId', '=', books.programId)
    .where('conversionId', '=', conversionId)
    .where('status', '=', 'open')
    .execute();
  const stillHolds = open.some(({ evidence }) => (evidence as { action?: string }).action === 'hold');
  if (!stillHolds) await post(tx, books, await releaseCommissions(tx, books, conversionId, { actor, reason: 'found legitimate' }));
}
