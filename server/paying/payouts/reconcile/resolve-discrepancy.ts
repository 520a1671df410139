// Resolves a discrepancy with a note, or by recording an unknown payment for the affiliate who received it.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { requireRow } from '../../../platform/db/require-row.ts';
import { endpoint, type Principal } from '../../../platform/http/declaration/endpoint.ts';
import { line, uuid } from '../../../platform/http/declaration/fields.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { Invalid, NothingToDo } from '../../../platform/lib/errors.ts';
import { openMaturedLedger } from '../open-matured-ledger.ts';
import { DiscrepancyShape, type discrepancyResolutions, discrepancySlot, selectDiscrepancies, toDiscrepancy } from './discrepancy.ts';
import { type NotRecorded, recordUnknownPayment } from './record-unknown-payment.ts';

export const resolveDiscrepancy = endpoint({
  id: 'payoutDiscrepancies.resolve',
  route: 'POST /v1/programs/:programId/payouts/discrepancies/:id/resolve',
  scope: 'write',
  requires: 'payouts.reconcile',
  tag: 'Payouts',
  summary: 'Resolve a discrepancy',
  description:
    'Stores how the discrepancy was settled. With `affiliateId`, an unknown payment is recorded as a paid payout of this ' +
    'affiliate, so that it is not paid again. Once no discrepancy is open, `POST …/payouts/reconcile` unlocks the payouts of the ' +
    'program.',
  path: { id: discrepancySlot },
  body: z
    .object({ note: line(500), affiliateId: uuid.optional().describe('Only for an `unknown_payment`: the affiliate who was paid.') })
    .meta({ id: 'ResolveDiscrepancy', example: { note: 'Refunded by the provider on November 3' } }),
  statuses: [200],
  result: DiscrepancyShape,
  errors: [{ status: 422, code: 'discrepancy_resolved', when: 'The discrepancy is already resolved.' }],
  async handle(tx, { actor, params: { id }, body: { note, affiliateId } }) {
    const { programId } = actor;
    if (affiliateId) await recordPayment(tx, actor, id, affiliateId);
    const resolution = affiliateId ? 'payment_recorded' : 'explained';
    await closeDiscrepancy(tx, programId, { id, resolution, note }, actor);
    const after = { resolution, note, affiliateId: affiliateId ?? null };
    await recordChange(tx, { programId, actor, action: 'payouts.discrepancy_resolved', subjectId: id, after });
    return toDiscrepancy(await selectDiscrepancies(tx, programId).where('id', '=', id).executeTakeFirstOrThrow());
  },
});

type Closing = { id: string; resolution: (typeof discrepancyResolutions)[number]; note: string | null };

export async function closeDiscrepancy(tx: Tx, programId: string, { id, resolution, note }: Closing, actor: Actor): Promise<void> {
  const closed = await tx.db
    .updateTable('payoutDiscrepancies')
    .set({ resolvedAt: tx.clock.now(), resolution, note, resolvedByKind: actor.kind, resolvedById: actor.id })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();
  if (closed.numUpdatedRows === 0n) throw alreadyResolved();
}

async function recordPayment(tx: Tx, actor: Principal, id: string, affiliateId: string): Promise<void> {
  const { programId } = actor;
  const ledger = await openMaturedLedger(tx, programId);
  await requireRow(tx, { table: 'affiliates', programId, id: affiliateId, field: 'affiliateId' });
  const discrepancy = await selectDiscrepancies(tx, programId).where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
  if (discrepancy.resolvedAt) throw alreadyResolved();
  const fault = await recordUnknownPayment(tx, ledger, { discrepancy, affiliateId }, actor);
  if (fault) throw new Invalid([{ path: ['affiliateId'], message: faults[fault] }]);
}

const faults: Record<NotRecorded, string> = {
  not_lost: 'is only allowed for an unknown payment of this installation',
  rate_missing: "requires an exchange rate of the payment's currency from the last 7 days",
  never_earned: "must be an affiliate with earnings; otherwise the payment can't be recorded",
};

function alreadyResolved(): NothingToDo {
  return new NothingToDo('discrepancy_resolved', 'This discrepancy is already resolved.');
}
