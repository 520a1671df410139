// A commission: what an affiliate earned by an order (or an adjustment of it, or a bonus), and how it
// stands. Its amount never changes; what is owed follows from what was reversed and what was paid.

import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import type { Commissions } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import type { AffiliateAccount } from '../ledger/chart.ts';

export const CommissionStatus = z.enum(['pending', 'held', 'approved', 'paid', 'reversed', 'rejected']).meta({ id: 'CommissionStatus' });
export type CommissionStatus = z.infer<typeof CommissionStatus>;

const holdCauses = z.enum(['manual', 'fraud_event', 'dispute']).meta({ id: 'HoldCause' });

/** What holds a commission. `causeId` is the dispute, the fraud event or, for `manual`, the commission put on hold. */
export type HoldCause = { cause: z.infer<typeof holdCauses>; causeId: string };

const HoldShape = z
  .object({
    cause: holdCauses.describe('`manual` is lifted by a release, the others when the fraud event or the dispute is closed.'),
    causeId: uuidOut.describe('The fraud event, the dispute or, for `manual`, the commission that was put on hold.'),
    reason: z.string().nullable(),
    openedAt: timestampOut,
  })
  .meta({ id: 'CommissionHold' });

export const CommissionShape = z
  .object({
    id: uuidOut,
    conversionId: uuidOut.nullable(),
    orderId: z.string().nullable(),
    affiliateId: uuidOut,
    kind: z.enum(['order', 'adjustment', 'bonus']),
    level: z.int().describe('1: the affiliate who was credited. 2: their upline.'),
    status: CommissionStatus.describe(
      '`pending` until `maturesAt`, `held` while any of `holds` is open and something is payable, `approved` is payable, `paid`, `reversed` by refunds, `rejected`.',
    ),
    amountCents: centsOut.describe('As earned; never changes.'),
    reversedCents: centsOut.describe('Taken back by refunds.'),
    owedCents: centsOut.describe('What is still to be paid; below 0 it is owed back.'),
    currency: z.string(),
    type: z.enum(['percentage', 'flat']).nullable(),
    rate: z.number().nullable().describe('Percent, or cents for a flat commission.'),
    source: z.enum(['rule', 'override', 'coupon']).nullable(),
    ruleId: uuidOut.nullable(),
    ruleVersion: countOut.nullable(),
    productId: uuidOut.nullable(),
    baseCents: centsOut.describe('What it was calculated on.'),
    adjustsCommissionId: uuidOut.nullable(),
    reason: z.string().nullable().describe('Why it is held, was rejected or adjusted.'),
    holds: z.array(HoldShape).describe('The open causes that hold it, the oldest first.'),
    maturesAt: timestampOut.describe('Frozen when it was earned.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Commission' });

export type Row = Selectable<Commissions>;

export const commissionSlot = idSlot('commissions', 'The id of the commission.');

const kinds = z.enum(['order', 'adjustment', 'bonus']);
const types = z.enum(['percentage', 'flat']).nullable();
const sources = z.enum(['rule', 'override', 'coupon']).nullable();

type Shown = Row & { orderId: string | null; holds: z.input<typeof HoldShape>[] };

export function toCommission(row: Shown): z.input<typeof CommissionShape> {
  return {
    ...row,
    kind: kinds.parse(row.kind),
    status: CommissionStatus.parse(row.status),
    type: types.parse(row.type),
    source: sources.parse(row.source),
    rate: row.rate === null ? null : Number(row.rate),
    owedCents: owedCents(row),
    holds: row.holds.map((hold) => ({ ...hold, openedAt: new Date(hold.openedAt).toISOString() })),
    maturesAt: row.maturesAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What is still to be paid for it; below 0 it is owed back. */
export function owedCents({
  amountCents,
  reversedCents,
  settledCents,
}: Pick<Row, 'amountCents' | 'reversedCents' | 'settledCents'>): number {
  return amountCents - reversedCents - settledCents;
}

/** Where the money of a commission in this status stands. */
export function toAccount(status: string): AffiliateAccount {
  return status === 'pending' || status === 'held' ? 'pending' : 'available';
}

/** Commissions with the order they belong to, for reading. */
export function selectCommissions(ctx: Pick<Context, 'db'>, programId: string) {
  return ctx.db
    .selectFrom('commissions as commission')
    .leftJoin('conversions as conversion', (join) =>
      join.onRef('conversion.programId', '=', 'commission.programId').onRef('conversion.id', '=', 'commission.conversionId'),
    )
    .where('commission.programId', '=', programId)
    .selectAll('commission')
    .select(['conversion.orderId', openHolds.as('holds')]);
}

const openHolds = sql<z.input<typeof HoldShape>[]>`(
  select coalesce(json_agg(json_build_object('cause', hold.cause, 'causeId', hold.cause_id, 'reason', hold.reason,
    'openedAt', hold.opened_at) order by hold.opened_at, hold.id), '[]')
  from commission_holds as hold
  where hold.program_id = commission.program_id and hold.commission_id = commission.id and hold.closed_at is null)`;

/** These commissions, locked; the ledger must be open. In the order of their ids. */
export async function lockCommissions(tx: Tx, programId: string, ids: readonly string[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  return tx.db
    .selectFrom('commissions')
    .selectAll()
    .where('programId', '=', programId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Every commission of an order, with its adjustments, locked; the ledger must be open. */
export async function lockOrderCommissions(tx: Tx, programId: string, conversionId: string): Promise<Row[]> {
  const commissions = tx.db.selectFrom('commissions').selectAll().where('programId', '=', programId);
  return commissions.where('conversionId', '=', conversionId).orderBy('id').forNoKeyUpdate().execute();
}

/** A commission with its adjustments, locked; the ledger must be open. */
export async function lockWithAdjustments(tx: Tx, programId: string, id: string): Promise<Row[]> {
  const commissions = tx.db.selectFrom('commissions').selectAll().where('programId', '=', programId);
  const both = commissions.where((row) => row.or([row('id', '=', id), row('adjustsCommissionId', '=', id)]));
  return both.orderBy('id').forNoKeyUpdate().execute();
}

/** Reads one again, as the API shows it. */
export async function readCommission(tx: Pick<Context, 'db'>, programId: string, id: string) {
  return toCommission(await selectCommissions(tx, programId).where('commission.id', '=', id).executeTakeFirstOrThrow());
}
