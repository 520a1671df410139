// Deciding a claim. Accepting it records the order from its stored report, with the same code as a new report; what
// rejects the order there also prevents the claim from being accepted.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { paragraph } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { InvalidState, NothingToDo } from '../../platform/lib/errors.ts';
import { amountTooLarge, exchangeRateMissing } from '../conversions/outcome-error.ts';
import { openLedger } from '../ledger/post.ts';
import { ClaimShape, claimSlot, toClaim } from './claim.ts';
import { recordClaimedOrder } from './record-claimed-order.ts';

export const claimErrors = [
  { status: 400, code: 'claim_decided', when: 'The claim has already been decided differently.' },
  { status: 400, code: 'order_not_unattributed', when: 'The order was not reported, or an affiliate is already credited for it.' },
  { status: 400, code: 'affiliate_not_active', when: 'The affiliate is not active, so no order can be credited to them.' },
  amountTooLarge,
  exchangeRateMissing,
  { status: 422, code: 'claim_decided', when: 'The claim already has this decision.' },
] as const;

export const decideClaim = endpoint({
  id: 'claims.decide',
  route: 'POST /v1/programs/:programId/claims/:id/decide',
  scope: 'write',
  requires: 'claims.decide',
  tag: 'Claims',
  summary: 'Accept or reject a claim',
  description:
    'Accepting a claim credits the order to the affiliate by the rules that were in effect when the order occurred. If the order ' +
    "is the affiliate's own, its commission is held with a fraud alert (`self_referral`), as for any reported order.",
  path: { id: claimSlot },
  body: z
    .object({ decision: z.enum(['accepted', 'rejected']), note: paragraph(2000).nullable().optional() })
    .meta({ id: 'ClaimDecision', example: { decision: 'accepted' } }),
  statuses: [200],
  result: ClaimShape,
  errors: claimErrors,
  handle: (tx, { actor, params, body }) => decide(tx, actor.programId, { actor, id: params.id, ...body }),
});

type Decision = { id: string; decision: 'accepted' | 'rejected'; note?: string | null | undefined; actor: Actor };

/** Decides an open claim. Throws if it has been decided, or can't be accepted. */
export async function decide(tx: Tx, programId: string, { id, decision, note, actor }: Decision): Promise<z.input<typeof ClaimShape>> {
  const { currency } = await openLedger(tx, programId);
  const claims = tx.db.selectFrom('claims').selectAll().where('programId', '=', programId).where('id', '=', id);
  const claim = await claims.forNoKeyUpdate().executeTakeFirstOrThrow();
  if (claim.status === decision) throw new NothingToDo('claim_decided', `This claim is already ${claim.status}.`);
  if (claim.status !== 'open') throw new InvalidState('claim_decided', `This claim is already ${claim.status}; a decision is final.`);
  const conversion = decision === 'accepted' ? await recordClaimedOrder(tx, programId, claim, actor) : null;
  const conversionId = conversion?.id ?? null;
  const decided = await tx.db
    .updateTable('claims')
    .set({ status: decision, decisionNote: note ?? null, conversionId, decidedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', claim.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordChange(tx, { programId, actor, action: `claim.${decision}`, subjectId: claim.id, after: { conversionId, note } });
  return toClaim(decided, currency);
}
