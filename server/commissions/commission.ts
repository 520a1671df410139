// A commission: what an affiliate earned by an order (or an adjustment of it, or a bonus), and how it
// stands. Its amount never changes; what is owed follows from what was reversed and what was paid.

import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../context.ts';
import type { Commissions } from '../db/schema.gen.ts';
import { centsOut, countOut, timestampOut, uuidOut } from '../http/fields.ts';
import { idSlot } from '../http/id-slot.ts';
import type { AffiliateAccount } from '../ledger/chart.ts';

export const CommissionStatus = z.enum(['pending', 'held', 'approved', 'paid', 'reversed', 'rejected']).meta({ id: 'CommissionStatus' });
export type CommissionStatus = z.infer<typeof CommissionStatus>;

export const CommissionShape = z
  .object({
    id: uuidOut,
    conversionId: uuidOut.nullable(),
    orderId: z.string().nullable(),
    affiliateId: uuidOut,
    kind: z.enum(['order', 'adjustment', 'bonus']),
    level: z.int().describe('1: the affiliate who was credited. 2: their upline.'),
    status: CommissionStatus.describe(
      '`pending` until `maturesAt`, `held` for a person to look at, `approved` is payable, `paid`, `reversed` by refunds, `rejected`.',
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

export function toCommission(row: Row & { orderId: string | null }): z.input<typeof CommissionShape> {
  return {
    ...row,
    kind: kinds.parse(row.kind),
    status: CommissionStatus.parse(row.status),
    type: types.parse(row.type),
    source: sources.parse(row.source),
    rate: row.rate === null ? null : Number(row.rate),
    owedCents: owedCents(row),
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
export function accountOf(status: string): AffiliateAccount {
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
    .select('conversion.orderId');
}

/** These commissions, locked; the books must be open. In the order of their ids. */
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

/** Every commission of an order, with its adjustments, locked; the books must be open. */
export async function lockCommissionsOf(tx: Tx, programId: string, conversionId: string): Promise<Row[]> {
  const commissions = tx.db.selectFrom('commissions').selectAll().where('programId', '=', programId);
  return commissions.where('conversionId', '=', conversionId).orderBy('id').forNoKeyUpdate().execute();
}

/** Reads one again, as the API shows it. */
export async function readCommission(tx: Pick<Context, 'db'>, programId: string, id: string) {
  return toCommission(await selectCommissions(tx, programId).where('commission.id', '=', id).executeTakeFirstOrThrow());
}
