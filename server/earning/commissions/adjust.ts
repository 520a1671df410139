// Manual corrections. An adjustment is a commission of its own beside the one it corrects, so that the original never
// changes: it matures with it, is held with it, is paid with it, and is refunded with it.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { addToTotals } from '../../partners/affiliates/add-to-totals.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import { endpoint, type Principal } from '../../platform/http/declaration/endpoint.ts';
import { cents, line, maxCents, uuid } from '../../platform/http/declaration/fields.ts';
import { Invalid, NothingToDo } from '../../platform/lib/errors.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { move } from '../ledger/move.ts';
import { type LockedLedger, openLedger, post } from '../ledger/post.ts';
import { CommissionShape, commissionSlot, lockCommissions, type Row, readCommission, toAccount } from './commission.ts';
import { insertHolds, readOpenHolds } from './holds.ts';
import { deriveStatus } from './status.ts';

const reason = line(500).describe('Why; the affiliate may read it.');

export const adjustCommission = endpoint({
  id: 'commissions.adjust',
  route: 'POST /v1/programs/:programId/commissions/:id/adjust',
  scope: 'write',
  tag: 'Commissions',
  summary: 'Adjust a commission',
  description: 'Adds an entry of its own, above or below 0; the commission itself never changes. Returns the adjustment.',
  path: { id: commissionSlot },
  body: z
    .object({
      amountCents: z
        .int('must be an integer amount in cents')
        .min(-maxCents, `must not be below -${maxCents}`)
        .max(maxCents, `must not exceed ${maxCents}`)
        .refine((amount) => amount !== 0, { error: 'must not be 0' }),
      reason,
    })
    .meta({ id: 'Adjustment', example: { amountCents: -150, reason: 'Shipping was included by mistake' } }),
  statuses: [201],
  result: CommissionShape,
  refusals: {
    400: 'More would be taken away than the commission is worth.',
    422: 'It is reversed or rejected: nothing is left to adjust.',
  },
  async handle(tx, { actor, params, body }) {
    const ledger = await openLedger(tx, actor.programId);
    const [original] = await lockCommissions(tx, actor.programId, [params.id]);
    if (!original) throw new Error('A commission that was found is gone.');
    if (original.status === 'reversed' || original.status === 'rejected' || original.kind === 'adjustment')
      throw new NothingToDo(
        'nothing_to_adjust',
        `This commission is ${original.kind === 'adjustment' ? 'an adjustment' : original.status}.`,
      );
    const worth = await worthOf(tx, original);
    if (worth + body.amountCents < 0)
      throw new Invalid([{ path: ['amountCents'], message: `must not take away more than ${worth}, what is left of the commission` }]);
    return add(tx, ledger, actor, { original, affiliateId: original.affiliateId, kind: 'adjustment', ...body });
  },
});

export const grantBonus = endpoint({
  id: 'commissions.grant',
  route: 'POST /v1/programs/:programId/commissions',
  scope: 'write',
  tag: 'Commissions',
  summary: 'Grant a bonus',
  description: 'An amount for an affiliate without an order. Payable at once.',
  body: z
    .object({ affiliateId: uuid, amountCents: cents.min(1, 'must be at least 1'), reason })
    .meta({ id: 'Bonus', example: { affiliateId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', amountCents: 5000, reason: 'Speaker fee' } }),
  statuses: [201],
  result: CommissionShape,
  refusals: { 404: '`affiliateId` was not found in this program.' },
  async handle(tx, { actor, body }) {
    const ledger = await openLedger(tx, actor.programId);
    await requireRow(tx, { table: 'affiliates', programId: actor.programId, id: body.affiliateId, field: 'affiliateId' });
    return add(tx, ledger, actor, { original: null, kind: 'bonus', ...body });
  },
});

/** What is left of a commission with the adjustments it has. */
async function worthOf(tx: Tx, { programId, id, amountCents, reversedCents }: Row): Promise<number> {
  const others = await tx.db
    .selectFrom('commissions')
    .select(['amountCents', 'reversedCents'])
    .where('programId', '=', programId)
    .where('adjustsCommissionId', '=', id)
    .execute();
  return sumOf([amountCents - reversedCents, ...others.map((other) => other.amountCents - other.reversedCents)]);
}

type Addition = { original: Row | null; affiliateId: string; kind: 'adjustment' | 'bonus'; amountCents: number; reason: string };

async function add(tx: Tx, ledger: LockedLedger, actor: Principal, addition: Addition) {
  const { programId } = ledger;
  const { original, affiliateId, kind, amountCents, reason: why } = addition;
  const [id, now] = [tx.ids.uuid(), tx.clock.now()];
  const holds = original ? await readOpenHolds(tx, programId, original.id) : [];
  const status = original ? statusBeside(original, { amountCents, hasOpenHold: holds.length > 0, now }) : 'approved';
  await insertRows(tx, 'commissions', [
    { ...rowOf(addition, original), programId, id, status, currency: ledger.currency, ...datesOf(original, now) },
  ]);
  await insertHolds(
    tx,
    programId,
    holds.map((hold) => ({ ...hold, commissionId: id })),
  );
  const event = { id: tx.ids.uuid(), commissionId: id, step: 1, fromStatus: null, toStatus: status, reason: why };
  await insertRows(tx, 'commissionEvents', [{ programId, ...event, actorKind: 'api_key', actorId: actor.id, createdAt: now }]);
  const after = { affiliateId, amountCents, reason: why, adjusts: original?.id ?? null };
  const action = kind === 'bonus' ? 'commission.granted' : 'commission.adjusted';
  await recordChange(tx, { programId, actor, action, subjectId: id, after });
  await addToTotals(tx, programId, new Map([[affiliateId, { conversions: 0, commissionCents: amountCents }]]));
  const money = { kind: 'adjust' as const, ref: id, affiliateId, commissionId: id, from: 'commissions' as const, to: toAccount(status) };
  await post(tx, ledger, move({ ...money, cents: amountCents }));
  return readCommission(tx, programId, id);
}

type Beside = { amountCents: number; hasOpenHold: boolean; now: Date };

/** An adjustment stands where its commission's time and open causes put it; a correction of what was paid is payable now. */
function statusBeside({ status, maturesAt }: Row, { amountCents, hasOpenHold, now }: Beside) {
  return deriveStatus({ status, amountCents, reversedCents: 0, settledCents: 0, maturesAt }, { hasOpenHold, inTransitCents: 0, now });
}

function datesOf(original: Row | null, now: Date) {
  return { maturesAt: original?.maturesAt ?? now, createdAt: now, updatedAt: now };
}

/** What the new row takes over from the commission that it corrects. */
function rowOf({ affiliateId, kind, amountCents, reason: why }: Addition, original: Row | null) {
  // Of what is fully refunded no later refund takes anything, so the adjustment names no lines.
  const isRefunded = original !== null && original.reversedCents === original.amountCents;
  return {
    affiliateId,
    kind,
    amountCents,
    reason: why,
    conversionId: original?.conversionId ?? null,
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
