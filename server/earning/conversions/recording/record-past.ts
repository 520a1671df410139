// Records orders of another system, which was used before, with the commissions that it calculated. Nothing is decided here:
// the affiliate and the amounts are facts, no rule applies, and no fraud is looked for. Everything else is as for reported
// orders: rows, totals, customers and ledger entries, at the time of `tx.clock`.
import type { Tx } from '../../../context.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { stopClock } from '../../../platform/lib/clock.ts';
import type { Draft } from '../../commission-rules/calculate.ts';
import { type Earned, type Hold, planAccrual, storeAccrual } from '../../commissions/accrue.ts';
import { storeCustomers } from '../../customers/store.ts';
import { type LockedLedger, post } from '../../ledger/post.ts';
import { writeOrders } from '../../orders/write-orders.ts';
import { toConversion } from '../conversion.ts';
import type { ReportedOrder } from '../order.ts';
import { type AttributedOrder, attributeOrders, type CreditedOrder } from './decide.ts';
import { type Lookup, lookUpNamed, lookUpRelated } from './look-up.ts';
import { toConversionRow } from './record.ts';

/** A commission as the other system calculated it. `heldFor`: why it must not mature. */
export type PastCommission = { affiliateId: string; level: 1 | 2; amountCents: number; maturesAt: Date; heldFor: string | null };

/** `order.affiliateId` is the credited affiliate, whatever their status is today. Commissions are greater than 0. */
export type PastOrder = { order: ReportedOrder & { affiliateId: string }; commissions: readonly PastCommission[] };

/** The ids that an order and its commissions got, in their order. */
export type RecordedPast = { conversionId: string; commissionIds: string[] };

/** Records past orders. The ledger must be locked; an order id that is already recorded violates a constraint. */
export async function recordPastOrders(
  tickingTx: Tx,
  ledger: LockedLedger,
  past: readonly PastOrder[],
  actor: Actor,
): Promise<RecordedPast[]> {
  if (past.length === 0) return [];
  const { programId } = ledger;
  const tx = stopClock(tickingTx);
  const reports = past.map(({ order }) => ({ id: tx.ids.uuid(), customerId: tx.ids.uuid(), order, actor }));
  const found = await lookUpRelated(tx, programId, reports, await lookUpNamed(tx, programId, reports));
  const attributed = attributeOrders(reports, asActive(found), tx.clock.now()).map(requireAttributed);
  const credited = attributed.map((one, index) => toCredited(one, past[index]?.commissions ?? []));
  const accruals = credited.map((one, index) => planAccrual(tx, ledger, toEarnings(one, past[index]?.commissions ?? [])));
  const rows = credited.map((one) => toConversionRow(tx, ledger, one, []));
  const conversions = credited.map((one, index) => toWritten(tx, ledger, { credited: one, earned: accruals[index]?.earned ?? [] }));
  await insertRows(tx, 'conversions', rows);
  await storeAccrual(tx, ledger, {
    earned: [],
    transfers: [],
    events: [],
    rows: accruals.flatMap((one) => one.rows),
    firstEvents: accruals.flatMap((one) => one.firstEvents),
    // A manual hold is caused by its commission.
    holds: accruals.flatMap((one) => one.holds.map((hold) => ({ ...hold, causeId: hold.commissionId }))),
  });
  await writeOrders(tx, ledger, conversions, []);
  await storeCustomers(tx, programId, credited, found.customers);
  await post(
    tx,
    ledger,
    accruals.flatMap((one) => one.transfers),
  );
  return credited.map(({ id }, index) => ({ conversionId: id, commissionIds: accruals[index]?.earned.map((one) => one.id) ?? [] }));
}

/** An order of the past is credited to its affiliate even if they are suspended today. */
function asActive(found: Lookup): Lookup {
  const affiliates = new Map([...found.affiliates].map(([id, affiliate]) => [id, { ...affiliate, status: 'active', past: [] }]));
  return { ...found, affiliates, settings: { ...found.settings, capPercent: null } };
}

function requireAttributed(attempt: ReturnType<typeof attributeOrders>[number]): AttributedOrder {
  if (attempt.kind === 'attributed') return attempt;
  throw new Error(`The order ${attempt.order.orderId} can't be recorded: ${attempt.kind}.`);
}

function toCredited(attributed: AttributedOrder, commissions: readonly PastCommission[]): CreditedOrder {
  const drafts = commissions.map((commission) => toDraft(commission, attributed.order.amountCents));
  return { ...attributed, kind: 'credited', calculation: { drafts, unpaid: [], lines: [], capCents: null }, alerts: [] };
}

/** The amount is one for the whole order, so that a later refund reverses its share. */
function toDraft({ affiliateId, level, amountCents }: PastCommission, orderCents: number): Draft {
  return {
    level,
    affiliateId,
    source: 'imported',
    step: 'imported',
    ruleId: null,
    ruleVersion: null,
    type: 'flat',
    rate: amountCents,
    positions: [0],
    productId: null,
    baseCents: orderCents,
    amountCents,
    formula: { kind: 'flat', per: 'order', times: 1, amountCents },
    limits: [],
    budgetStart: null,
  };
}

/** One earning for each commission, since each has its own time and hold. */
function toEarnings({ id, order, calculation, actor }: CreditedOrder, commissions: readonly PastCommission[]) {
  return commissions.map(({ affiliateId, maturesAt, heldFor }, index) => ({
    conversionId: id,
    orderId: order.orderId,
    drafts: calculation.drafts.slice(index, index + 1),
    maturesAt: new Map([[affiliateId, maturesAt]]),
    holds: heldFor === null ? [] : [toHold(heldFor)],
    flatRefunds: 'pro_rata' as const,
    actor,
  }));
}

function toHold(note: string): Hold {
  return { cause: 'manual', causeId: '', reason: null, note };
}

function toWritten(tx: Tx, { currency }: LockedLedger, { credited, earned }: { credited: CreditedOrder; earned: readonly Earned[] }) {
  const createdAt = tx.clock.now();
  const conversion = toConversion(credited, { earned, holds: [], warnings: [], currency, createdAt });
  return { conversion, productIds: [], actor: credited.actor };
}
