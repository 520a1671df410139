// Deciding a claim. Accepted, the order is credited to the claimant by the same code that credits a
// report, from the report as it came; whatever refuses it there refuses the claim.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { paragraph } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { ApiError, NothingToDo } from '../../platform/lib/errors.ts';
import { ReportedOrder } from '../conversions/order.ts';
import { recordOrders } from '../conversions/record.ts';
import { openLedger } from '../ledger/post.ts';
import { ClaimShape, claimSlot, toClaim } from './claim.ts';

export const decideClaim = endpoint({
  id: 'claims.decide',
  route: 'POST /v1/programs/:programId/claims/:id/decide',
  scope: 'write',
  tag: 'Claims',
  summary: 'Accept or reject a claim',
  description:
    'Accepting credits the order to the affiliate, at the rules of the time of the order. An order of their own is a self-referral: ' +
    'its commission is held with a fraud event, as if it had been reported for them.',
  path: { id: claimSlot },
  body: z
    .object({ decision: z.enum(['accepted', 'rejected']), note: paragraph(2000).nullable().optional() })
    .meta({ id: 'ClaimDecision', example: { decision: 'accepted' } }),
  statuses: [200],
  result: ClaimShape,
  refusals: { 422: 'It is decided already, or the order can’t be credited: nobody reported it, or another affiliate has it.' },
  async handle(tx, { actor, params, body: { decision, note } }) {
    const { programId } = actor;
    await openLedger(tx, programId);
    const claims = tx.db.selectFrom('claims').selectAll().where('programId', '=', programId).where('id', '=', params.id);
    const claim = await claims.forNoKeyUpdate().executeTakeFirstOrThrow();
    if (claim.status !== 'open') throw new NothingToDo('claim_decided', `This claim is ${claim.status} already.`);
    const conversionId = decision === 'accepted' ? await credit(tx, programId, claim, actor) : null;
    const decided = await tx.db
      .updateTable('claims')
      .set({ status: decision, decisionNote: note ?? null, conversionId, decidedAt: tx.clock.now() })
      .where('programId', '=', programId)
      .where('id', '=', claim.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: `claim.${decision}`, subjectId: claim.id, after: { conversionId, note } });
    return toClaim(decided);
  },
});

async function credit(tx: Tx, programId: string, claim: { affiliateId: string; orderId: string }, actor: Actor): Promise<string> {
  const shadow = await tx.db
    .selectFrom('unattributedOrders')
    .select(['report', 'occurredAt', 'customerKeys', 'buyerHash'])
    .where('programId', '=', programId)
    .where('orderId', '=', claim.orderId)
    .where('conversionId', 'is', null)
    .executeTakeFirst();
  if (!shadow) throw new NothingToDo('no_such_order', 'No uncredited order with this id was reported.');
  const occurredAt = shadow.occurredAt.toISOString();
  const order = ReportedOrder.parse({ ...(shadow.report as object), occurredAt, affiliateId: claim.affiliateId });
  const buyer = { customerKeys: shadow.customerKeys, mailboxHash: shadow.buyerHash };
  const [outcome] = await recordOrders(tx, programId, [{ order: { ...order, buyer }, actor }]);
  if (!outcome || outcome instanceof ApiError) throw outcome ?? new Error('A claim has no outcome.');
  return outcome.id;
}
