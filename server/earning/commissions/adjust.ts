// Manual corrections. An adjustment is a separate commission, so that the original never changes: it matures, is held,
// paid and refunded together with the original. A bonus is a commission without an order; bounties grant it with a hold period.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { recordEvents } from '../../messaging/events/record.ts';
import { addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cents, line, maxCents, uuid } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { Invalid, InvalidState, NothingToDo } from '../../platform/lib/errors.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { type LockedLedger, move, openLedger, post } from '../ledger/post.ts';
import { insertHolds } from './accrue.ts';
import { CommissionShape, commissionExample, commissionSlot, lockCommissions, type Row, readCommission, toAccount } from './commission.ts';
import { addToCounts } from './counts.ts';
import { commissionAdjusted, commissionCreated } from './events.ts';
import { readOpenHolds } from './holds.ts';
import { deriveStatus } from './status.ts';

const note = line(500).describe('The reason for the adjustment or bonus; visible to the affiliate.');

const notCalculated = {
  orderId: null,
  conversionId: null,
  leadId: null,
  type: null,
  rate: null,
  source: null,
  ruleId: null,
  ruleVersion: null,
  productId: null,
  baseCents: 0,
};

const Adjustment = CommissionShape.meta({
  id: 'CommissionAdjustment',
  example: {
    ...commissionExample,
    id: '01980a53-9a20-7d31-8f5b-6c7d8e9fa0b1',
    kind: 'adjustment',
    amountCents: -150,
    owedCents: -150,
    type: null,
    rate: null,
    source: null,
    ruleId: null,
    ruleVersion: null,
    adjustsCommissionId: commissionExample.id,
    note: 'Shipping was included by mistake',
  },
});

const Bonus = CommissionShape.meta({
  id: 'CommissionBonus',
  example: {
    ...commissionExample,
    ...notCalculated,
    id: '01980a53-9b31-7e42-8a6c-7d8e9fa0b1c2',
    kind: 'bonus',
    status: 'approved',
    amountCents: 5000,
    owedCents: 5000,
    note: 'Speaker fee',
    maturesAt: commissionExample.createdAt,
  },
});

const balanceTooLarge = {
  status: 400,
  code: 'amount_too_large',
  when: 'The balance of the affiliate or of the program would exceed the largest amount that can be stored.',
} as const;

export const adjustCommission = endpoint({
  id: 'commissions.adjust',
  route: 'POST /v1/programs/:programId/commissions/:id/adjust',
  scope: 'write',
  requires: 'commissions.write',
  isSensitive: true,
  tag: 'Commissions',
  summary: 'Adjust a commission',
  description:
    'Creates a commission of kind `adjustment` with a positive or negative amount, and returns it. The original commission never ' +
    'changes.',
  path: { id: commissionSlot },
  body: z
    .object({
      amountCents: z
        .int('must be an integer amount in cents')
        .min(-maxCents, `must not be below -${maxCents}`)
        .max(maxCents, `must not exceed ${maxCents}`)
        .refine((amount) => amount !== 0, { error: 'must not be 0' }),
      note,
    })
    .meta({ id: 'Adjustment', example: { amountCents: -150, note: 'Shipping was included by mistake' } }),
  statuses: [201],
  result: Adjustment,
  errors: [
    { status: 400, code: 'adjustment_not_adjustable', when: 'This commission is an adjustment. Adjust the original commission.' },
    { status: 422, code: 'nothing_to_adjust', when: 'The commission is reversed or rejected.' },
    balanceTooLarge,
  ],
  async handle(tx, { actor, params, body }) {
    const ledger = await openLedger(tx, actor.programId);
    const [original] = await lockCommissions(tx, actor.programId, [params.id]);
    if (!original) throw new Error('The commission was found before and no longer exists.');
    if (original.kind === 'adjustment')
      throw new InvalidState('adjustment_not_adjustable', 'This commission is an adjustment. Adjust the original commission.');
    if (original.status === 'reversed' || original.status === 'rejected')
      throw new NothingToDo('nothing_to_adjust', `This commission is ${original.status}.`);
    const remainingCents = await sumRemaining(tx, original);
    if (remainingCents + body.amountCents < 0)
      throw new Invalid([
        { path: ['amountCents'], message: `must not deduct more than ${remainingCents}, the remaining amount of the commission` },
      ]);
    return addCommission(tx, ledger, actor, { original, affiliateId: original.affiliateId, kind: 'adjustment', ...body });
  },
});

export const grantBonus = endpoint({
  id: 'commissions.grant',
  route: 'POST /v1/programs/:programId/commissions',
  scope: 'write',
  requires: 'commissions.write',
  isSensitive: true,
  tag: 'Commissions',
  summary: 'Grant a bonus',
  description: 'Creates a commission of kind `bonus`, without an order. The bonus is payable immediately.',
  body: z
    .object({ affiliateId: uuid, amountCents: cents.min(1, 'must be at least 1'), note })
    .meta({ id: 'Bonus', example: { affiliateId: commissionExample.affiliateId, amountCents: 5000, note: 'Speaker fee' } }),
  statuses: [201],
  result: Bonus,
  errors: [{ status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' }, balanceTooLarge],
  async handle(tx, { actor, body }) {
    const ledger = await openLedger(tx, actor.programId);
    await requireRow(tx, { table: 'affiliates', programId: actor.programId, id: body.affiliateId, field: 'affiliateId' });
    return addBonus(tx, ledger, actor, body);
  },
});

type NewBonus = { affiliateId: string; amountCents: number; note: string; maturesAt?: Date };

/** Grants a bonus to an affiliate of the program, payable immediately unless `maturesAt` is later. The ledger must be locked. */
export function addBonus(tx: Tx, ledger: LockedLedger, actor: Grantor, bonus: NewBonus) {
  return addCommission(tx, ledger, actor, { original: null, kind: 'bonus', ...bonus });
}

/** The rest of a commission and its adjustments after reversals. */
async function sumRemaining(tx: Tx, { programId, id, amountCents, reversedCents }: Row): Promise<number> {
  const adjustments = await tx.db
    .selectFrom('commissions')
    .select(['amountCents', 'reversedCents'])
    .where('programId', '=', programId)
    .where('adjustsCommissionId', '=', id)
    .execute();
  return sumOf([amountCents - reversedCents, ...adjustments.map((other) => other.amountCents - other.reversedCents)]);
}

type Grantor = Actor & { programId: string };

type NewCommission = NewBonus & { original: Row | null; kind: 'adjustment' | 'bonus' };

async function addCommission(tx: Tx, ledger: LockedLedger, actor: Grantor, commission: NewCommission) {
  const { programId, currency } = ledger;
  const { original, affiliateId, kind, amountCents } = commission;
  const [id, now] = [tx.ids.uuid(), tx.clock.now()];
  const holds = original ? await readOpenHolds(tx, programId, original.id) : [];
  const maturesAt = original?.maturesAt ?? commission.maturesAt ?? now;
  const initial = { amountCents, hasOpenHold: holds.length > 0, now };
  const status = original ? deriveInitialStatus(original, initial) : maturesAt > now ? 'pending' : 'approved';
  const row = { ...toRow(commission), programId, id, status, currency, maturesAt, createdAt: now, updatedAt: now };
  await insertRows(tx, 'commissions', [row]);
  await addToCounts(tx, programId, [{ before: null, after: row }]);
  await insertHolds(
    tx,
    programId,
    holds.map((hold) => ({ ...hold, commissionId: id })),
  );
  await insertRows(tx, 'commissionEvents', [
    {
      programId,
      id: tx.ids.uuid(),
      commissionId: id,
      step: 1,
      fromStatus: null,
      toStatus: status,
      reason: null,
      note: commission.note,
      actorKind: actor.kind,
      actorId: actor.id,
      createdAt: now,
    },
  ]);
  const after = { affiliateId, amountCents, note: commission.note, adjustsCommissionId: original?.id ?? null };
  const action = kind === 'bonus' ? 'commission.granted' : 'commission.adjusted';
  await recordChange(tx, { programId, actor, action, subjectId: id, after });
  const day = localDate(await findTimeOf(tx, programId, original, now), ledger.timezone);
  await addToTotals(tx, ledger, [{ affiliateId, day, commissionsCents: amountCents }]);
  const transfer = { kind: 'adjust', ref: id, affiliateId, commissionId: id, from: 'commissions', to: toAccount(status) } as const;
  await post(tx, ledger, move({ ...transfer, cents: amountCents }));
  return announce(tx, actor, { id, original });
}

/** Records the event of the new commission, and of the one that it adjusts. */
async function announce(tx: Tx, actor: Grantor, { id, original }: { id: string; original: Row | null }) {
  const { programId } = actor;
  const added = await readCommission(tx, programId, id);
  const events = [commissionCreated.of({ objectId: id, affiliateId: added.affiliateId, data: added })];
  if (original) {
    const adjusted = await readCommission(tx, programId, original.id);
    events.push(commissionAdjusted.of({ objectId: original.id, affiliateId: added.affiliateId, data: adjusted }));
  }
  await recordEvents(tx, { programId, actor }, events);
  return added;
}

/** The time at which it counts: that of the order, or when the bonus was granted. */
async function findTimeOf(tx: Tx, programId: string, original: Row | null, now: Date): Promise<Date> {
  if (!original?.conversionId) return original?.createdAt ?? now;
  const orders = tx.db.selectFrom('conversions').select('occurredAt').where('programId', '=', programId);
  const { occurredAt } = await orders.where('id', '=', original.conversionId).executeTakeFirstOrThrow();
  return occurredAt;
}

type Initial = { amountCents: number; hasOpenHold: boolean; now: Date };

/** An adjustment has its original's time and open holds; if the original has been paid, it is payable immediately. */
function deriveInitialStatus({ status, maturesAt }: Row, { amountCents, hasOpenHold, now }: Initial) {
  return deriveStatus({ status, amountCents, reversedCents: 0, settledCents: 0, maturesAt }, { hasOpenHold, inTransitCents: 0, now });
}

/** The columns of the new commission, some of them from the original. */
function toRow({ original, affiliateId, kind, amountCents, note: text }: NewCommission) {
  // Later refunds don't reverse a fully refunded commission further, so its adjustment refers to no lines.
  const isRefunded = original !== null && original.reversedCents === original.amountCents;
  return {
    affiliateId,
    kind,
    amountCents,
    note: text,
    conversionId: original?.conversionId ?? null,
    leadId: original?.leadId ?? null,
    adjustsCommissionId: original?.id ?? null,
    level: original?.level ?? 1,
    productId: original?.productId ?? null,
    positions: isRefunded ? [] : (original?.positions ?? []),
    baseCents: original ? original.baseCents - original.refundedCents : 0,
    flatRefunds: original?.flatRefunds ?? 'pro_rata',
    refundedCents: 0,
    reversedCents: 0,
    settledCents: 0,
    changes: 1,
  };
}
