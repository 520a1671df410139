// A commission: the amount that an affiliate earned for an order or order line, an adjustment of one, or a bonus. Its
// amount never changes: the amount owed is what remains after reversals and payouts.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { AffiliateReference, findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import type { Commissions } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { findProductReferences, ProductReference } from '../../promotion/catalogue/product.ts';
import { commissionSources } from '../commission-rules/choose-rule.ts';
import { findRuleReferences, RuleReference } from '../commission-rules/rule.ts';
import type { AffiliateAccount } from '../ledger/chart.ts';
import { CommissionStatus } from '../orders/conversion-shape.ts';

export const HoldCauseName = z.enum(['manual', 'fraud_event', 'dispute']).meta({ id: 'HoldCause' });

/** The cause of a hold. `causeId` is the dispute, the fraud event or, for `manual`, the commission that was put on hold. */
export type HoldCause = { cause: z.infer<typeof HoldCauseName>; causeId: string };

export const CommissionKind = z.enum(['order', 'lead', 'adjustment', 'bonus']).meta({ id: 'CommissionKind' });

export const commissionExample = {
  id: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f',
  conversionId: '01980a53-8d01-7f42-8a3c-0b1c2d3e4f50',
  orderId: 'FF-10023',
  leadId: null,
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  kind: 'order',
  level: 1,
  status: 'pending',
  amountCents: 1250,
  reversedCents: 0,
  owedCents: 1250,
  currency: 'USD',
  type: 'percentage',
  rate: 12.5,
  flatAmountCents: null,
  source: 'rule',
  ruleId: '01980a52-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  ruleVersion: 1,
  productId: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d',
  baseCents: 10_000,
  adjustsCommissionId: null,
  reason: null,
  note: null,
  holds: [],
  maturesAt: '2026-12-02T09:30:00.000Z',
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-02T09:30:00.000Z',
};

const HoldShape = z
  .object({
    cause: HoldCauseName.describe(
      'A `manual` hold ends when it is released, any other hold when the fraud alert is resolved or the dispute is closed.',
    ),
    causeId: uuidOut.describe('The id of the fraud alert, the dispute or, for `manual`, the commission that was put on hold.'),
    reason: z.string().nullable().describe('Machine-readable, such as the kind of the fraud alert.'),
    note: z.string().nullable().describe('The note of a manual hold.'),
    openedAt: timestampOut,
  })
  .meta({ id: 'CommissionHold' });

export const CommissionShape = z
  .object({
    id: uuidOut,
    conversionId: uuidOut.nullable(),
    orderId: z.string().nullable(),
    leadId: uuidOut.nullable().describe('The lead that it was earned for, if `kind` is `lead`.'),
    affiliateId: uuidOut,
    kind: CommissionKind,
    level: z.int().describe('1: the credited affiliate. 2: their upline.'),
    status: CommissionStatus.describe(
      '`pending` until `maturesAt`; `held` while one of `holds` is open and an amount is payable; `approved`: payable; `paid`; ' +
        '`reversed` by refunds; `rejected`.',
    ),
    amountCents: centsOut.describe('The amount earned, which never changes.'),
    reversedCents: centsOut.describe('The part that refunds have reversed.'),
    owedCents: centsOut.describe('The amount still to be paid; below 0, the affiliate owes it.'),
    currency: currencyOut,
    type: z.enum(['percentage', 'flat']).nullable(),
    rate: z.number().nullable().describe('In percent, if `type` is `percentage`.'),
    flatAmountCents: centsOut.nullable().describe('The amount per order or unit, if `type` is `flat`.'),
    source: z.enum(commissionSources).nullable(),
    ruleId: uuidOut.nullable(),
    ruleVersion: countOut.nullable(),
    productId: uuidOut.nullable(),
    baseCents: centsOut.describe('The amount that the commission was calculated from.'),
    adjustsCommissionId: uuidOut.nullable(),
    reason: z.string().nullable().describe('The reason for the last change of status, such as `refund` or `fraud`.'),
    note: z.string().nullable().describe('The last note that was sent with a hold, release, adjustment or bonus.'),
    holds: z.array(HoldShape).describe('The open causes that hold the commission, oldest first.'),
    maturesAt: timestampOut.describe('When the commission becomes payable; set when the commission is earned.'),
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    product: ProductReference.optional().describe('Included with `?expand=product`.'),
    rule: RuleReference.optional().describe('Included with `?expand=rule`.'),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Commission', example: commissionExample });

export type Row = Selectable<Commissions>;

export const commissionSlot = idSlot('commissions', 'The id of the commission.');

const types = z.enum(['percentage', 'flat']).nullable();
const sources = z.enum(commissionSources).nullable();

type Shown = Omit<Row, 'recordedValues'> & { orderId: string | null; holds: z.input<typeof HoldShape>[] };

export function toCommission(row: Shown): z.input<typeof CommissionShape> {
  return {
    ...row,
    kind: CommissionKind.parse(row.kind),
    status: CommissionStatus.parse(row.status),
    type: types.parse(row.type),
    source: sources.parse(row.source),
    rate: row.type === 'percentage' ? Number(row.rate) : null,
    flatAmountCents: row.type === 'flat' ? Number(row.rate) : null,
    owedCents: owedCents(row),
    holds: row.holds.map((hold) => ({ ...hold, openedAt: new Date(hold.openedAt).toISOString() })),
    maturesAt: row.maturesAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The amount still to be paid; below 0, the affiliate owes it. */
export function owedCents({
  amountCents,
  reversedCents,
  settledCents,
}: Pick<Row, 'amountCents' | 'reversedCents' | 'settledCents'>): number {
  return amountCents - reversedCents - settledCents;
}

/** The account that holds the amount owed for a commission in this status. */
export function toAccount(status: string): AffiliateAccount {
  return status === 'pending' || status === 'held' ? 'pending' : 'available';
}

/** Commissions with their order id and open holds, for reading. */
export function selectCommissions(ctx: Pick<Context, 'db'>, programId: string) {
  return ctx.db
    .selectFrom('commissions as commission')
    .leftJoin('conversions as conversion', (join) =>
      join.on('conversion.programId', '=', programId).onRef('conversion.id', '=', 'commission.conversionId'),
    )
    .where('commission.programId', '=', programId)
    .selectAll('commission')
    .select(['conversion.orderId', openHolds(programId).as('holds')]);
}

const openHolds = (programId: string) => sql<z.input<typeof HoldShape>[]>`(
  select coalesce(json_agg(json_build_object('cause', hold.cause, 'causeId', hold.cause_id, 'reason', hold.reason, 'note', hold.note,
    'openedAt', hold.opened_at) order by hold.opened_at, hold.id), '[]')
  from commission_holds as hold
  where hold.program_id = ${programId} and hold.commission_id = commission.id and hold.closed_at is null)`;

/** Locks these commissions, in the order of their ids. The ledger must be locked. */
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

/** Locks all commissions of orders, including adjustments. The ledger must be locked. */
export async function lockOrderCommissions(tx: Tx, programId: string, conversionIds: readonly string[]): Promise<Row[]> {
  const commissions = tx.db.selectFrom('commissions').selectAll().where('programId', '=', programId);
  const ofOrders = commissions.where('conversionId', '=', sql<string>`any(${[...conversionIds]}::uuid[])`);
  return ofOrders.orderBy('id').forNoKeyUpdate().execute();
}

/** Locks all commissions of a lead, including adjustments. The ledger must be locked. */
export async function lockLeadCommissions(tx: Tx, programId: string, leadId: string): Promise<Row[]> {
  const commissions = tx.db.selectFrom('commissions').selectAll().where('programId', '=', programId);
  return commissions.where('leadId', '=', leadId).orderBy('id').forNoKeyUpdate().execute();
}

/** Locks a commission and its adjustments. The ledger must be locked. */
export async function lockWithAdjustments(tx: Tx, programId: string, id: string): Promise<Row[]> {
  const commissions = tx.db.selectFrom('commissions').selectAll().where('programId', '=', programId);
  const both = commissions.where((row) => row.or([row('id', '=', id), row('adjustsCommissionId', '=', id)]));
  return both.orderBy('id').forNoKeyUpdate().execute();
}

/** A commission as the API returns it. */
export async function readCommission(tx: Pick<Context, 'db'>, programId: string, id: string) {
  return toCommission(await selectCommissions(tx, programId).where('commission.id', '=', id).executeTakeFirstOrThrow());
}

type Name = 'affiliate' | 'product' | 'rule';
type Referring = { id: string; affiliateId: string; productId: string | null; ruleId: string | null };

/** The affiliate, product and rule of each commission, by its id; undefined where they are not requested. */
export async function readReferences(
  ctx: Pick<Context, 'config' | 'db'>,
  programId: string,
  rows: readonly Referring[],
  expand: ReadonlySet<Name>,
) {
  const idsFor = (name: Name) => (expand.has(name) ? rows.flatMap((row) => row[`${name}Id`] ?? []) : []);
  const affiliates = await findAffiliateReferences(ctx, programId, idsFor('affiliate'));
  const products = await findProductReferences(ctx, programId, idsFor('product'));
  const rules = await findRuleReferences(ctx, programId, idsFor('rule'));
  return new Map(
    rows.map(({ id, affiliateId, productId, ruleId }) => [
      id,
      { affiliate: affiliates.get(affiliateId), product: products.get(productId ?? ''), rule: rules.get(ruleId ?? '') },
    ]),
  );
}
