// Crediting an unattributed order from the console: a claim for the affiliate that is decided immediately, so that the same
// rules, holds and audit entries apply. A dry run returns the conversion that would be created.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { rehearse } from '../../platform/db/rehearse.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { paragraph, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { InvalidState } from '../../platform/lib/errors.ts';
import { amountTooLarge, exchangeRateMissing } from '../conversions/outcome-error.ts';
import { openLedger } from '../ledger/post.ts';
import { ConversionShape } from '../orders/conversion-shape.ts';
import { findEvidence } from './claim.ts';
import { recordClaimedOrder } from './record-claimed-order.ts';

export const creditUnattributedOrder = endpoint({
  id: 'unattributedOrders.credit',
  route: 'POST /app/programs/:programId/unattributed-orders/:id/credit',
  scope: 'write',
  requires: 'claims.decide',
  isUserOnly: true,
  tag: 'Orders',
  summary: 'Credit an unattributed order to an affiliate',
  description:
    'Creates and accepts a claim of the affiliate: the order is recorded by the rules that were in effect when it occurred. An open ' +
    'claim of the affiliate for this order is accepted instead.',
  path: { id: idSlot('unattributedOrders', 'The id of the unattributed order.') },
  body: z
    .object({
      affiliateId: uuid,
      note: paragraph(2000).nullable().optional(),
      dryRun: z.boolean().default(false).describe('Returns the conversion without recording it.'),
    })
    .meta({ id: 'OrderCredit', example: { affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', note: 'Sold by phone' } }),
  statuses: [200],
  result: z
    .object({ claimId: uuidOut.nullable().describe('The accepted claim; null for a dry run.'), conversion: ConversionShape })
    .meta({ id: 'CreditedOrder', example: { claimId: '01980a5a-7c8d-7e9f-8a0b-1c2d3e4f5a6b', conversion: exampleOf(ConversionShape) } }),
  errors: [
    { status: 400, code: 'order_not_unattributed', when: 'An affiliate is already credited for this order.' },
    { status: 400, code: 'claim_decided', when: 'A claim of this affiliate for this order was rejected.' },
    { status: 400, code: 'affiliate_not_active', when: 'The affiliate is not active, so no order can be credited to them.' },
    amountTooLarge,
    exchangeRateMissing,
    { status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' },
  ],
  async handle(tx, { actor, params, body: { dryRun, affiliateId, note = null } }) {
    await requireRow(tx, { table: 'affiliates', programId: actor.programId, id: affiliateId, field: 'affiliateId' });
    const credit = { unattributedId: params.id, affiliateId, note, actor };
    if (!dryRun) return creditOrder(tx, actor.programId, credit);
    const credited = await rehearse(tx, (rehearsal) => creditOrder(rehearsal, actor.programId, credit));
    return { ...credited, claimId: null };
  },
});

type OrderCredit = { unattributedId: string; affiliateId: string; note: string | null; actor: Actor };

async function creditOrder(tx: Tx, programId: string, { unattributedId, affiliateId, note, actor }: OrderCredit) {
  await openLedger(tx, programId);
  const orders = tx.db.selectFrom('unattributedOrders').select('orderId').where('programId', '=', programId);
  const { orderId } = await orders.where('id', '=', unattributedId).executeTakeFirstOrThrow();
  const claimId = await openClaim(tx, programId, { affiliateId, orderId });
  const conversion = await recordClaimedOrder(tx, programId, { affiliateId, orderId }, actor);
  await tx.db
    .updateTable('claims')
    .set({ status: 'accepted', decisionNote: note, conversionId: conversion.id, decidedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', claimId)
    .execute();
  const after = { orderId, affiliateId, conversionId: conversion.id, note };
  await recordChange(tx, { programId, actor, action: 'claim.accepted', subjectId: claimId, after });
  return { claimId, conversion };
}

/** The open claim of the affiliate for the order, created unless it exists. The ledger must be open. */
async function openClaim(tx: Tx, programId: string, { affiliateId, orderId }: { affiliateId: string; orderId: string }): Promise<string> {
  const evidence = await findEvidence(tx, { programId, affiliateId, orderId });
  const claim = { programId, id: tx.ids.uuid(), affiliateId, orderId, status: 'open', evidence: JSON.stringify(evidence) };
  const created = await tx.db
    .insertInto('claims')
    .values({ ...claim, createdAt: tx.clock.now() })
    .onConflict((conflict) => conflict.columns(['programId', 'affiliateId', 'orderId']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created) return created.id;
  const existing = await tx.db
    .selectFrom('claims')
    .select(['id', 'status'])
    .where('programId', '=', programId)
    .where('affiliateId', '=', affiliateId)
    .where('orderId', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (existing.status !== 'rejected') return existing.id;
  throw new InvalidState('claim_decided', "This affiliate's claim for this order was rejected; a decision is final.");
}
