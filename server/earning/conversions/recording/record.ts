// Recording reported orders, one or many of a program in one transaction: look up, decide, write, post. The ledger is
// locked first, so that the orders of a program are recorded one after the other. The unique index on the order id
// decides between simultaneous reports.
import type { Context, Tx } from '../../../context.ts';
import { recordEventsOf } from '../../../messaging/events/record.ts';
import { isWrittenOneByOne } from '../../../platform/db/inserts/few-rows.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { stopClock } from '../../../platform/lib/clock.ts';
import { couponRedeemed, toCouponEvent } from '../../../promotion/coupons/events.ts';
import { addRedemptions } from '../../../promotion/coupons/redeem.ts';
import { createRunningTotals } from '../../commission-rules/calculate.ts';
import { allVersions, toStoredLines } from '../../commission-rules/choose-rule.ts';
import { findMaturity } from '../../commission-rules/earners/affiliate-at-order.ts';
import { loadHistory, loadRunningTotals, storeBudgets } from '../../commission-rules/load.ts';
import { type Earning, planAccrual, storeAccrual } from '../../commissions/accrue.ts';
import type { Buyer } from '../../customers/buyer.ts';
import { storeCustomers } from '../../customers/store.ts';
import { planFraudEvents, storeFraudEvents } from '../../fraud/detect.ts';
import { type LockedLedger, openLedgerAndRead, post } from '../../ledger/post.ts';
import type { Conversion, Warning } from '../../orders/conversion-shape.ts';
import { writeOrders } from '../../orders/write-orders.ts';
import { findWarnings, toConversion, toSubIds } from '../conversion.ts';
import { storeMismatches } from '../mismatches.ts';
import type { ReportedOrder } from '../order.ts';
import type { StoredDecision } from '../stored-decision.ts';
import { storeUnattributed } from '../unattributed.ts';
import {
  type Attempt,
  attributeOrders,
  type CreditedOrder,
  type Decision,
  decideOrders,
  type RejectedOrder,
  type UnattributedOrder,
} from './decide.ts';
import type { DuplicateOrder } from './duplicate.ts';
import { type Lookup, lookUpNamed, lookUpRelated, type ProgramSettings } from './look-up.ts';

/** What became of a report. */
export type Outcome = { kind: 'credited'; conversion: Conversion } | DuplicateOrder | UnattributedOrder | RejectedOrder;

/** A reported order and the actor who reported it. `buyer` is set where the order was reported before. */
type Report = { order: ReportedOrder; actor: Actor; buyer?: Buyer };

/** Records orders of a program. Returns one outcome for each, in their order. */
export async function recordOrders(tickingTx: Tx, programId: string, reports: readonly Report[]): Promise<Outcome[]> {
  const [ledger, named] = await openLedgerAndRead(tickingTx, programId, () => lookUpNamed(tickingTx, programId, reports));
  const tx = stopClock(tickingTx);
  const found = await lookUpRelated(tx, programId, reports, named);
  const identified = reports.map((report) => ({ ...report, id: tx.ids.uuid(), customerId: tx.ids.uuid() }));
  const attempts = attributeOrders(identified, found, tx.clock.now());
  const { decisions, running } = decideOrders(attempts, found, await lookUpRules(tx, programId, attempts), tx.clock.now());
  const credited = decisions.filter((decision) => decision.kind === 'credited');
  const planned = planCredited(tx, ledger, credited, found);
  await Promise.all([
    writeCredited(tx, ledger, credited, planned),
    storeCustomers(tx, programId, credited, found.customers),
    storeBudgets(tx, programId, running),
    writeOthers(tx, ledger, decisions),
    post(tx, ledger, planned.accrual.transfers),
  ]);
  return decisions.map((decision) =>
    decision.kind === 'credited' ? { kind: 'credited', conversion: planned.conversions.get(decision.id) ?? missing() } : decision,
  );
}

/** The rules that apply to the attributed orders, and what their tiers and budgets have counted before. */
export async function lookUpRules(ctx: Pick<Context, 'db' | 'clock'>, programId: string, attempts: readonly Attempt[]) {
  const facts = attempts.flatMap((attempt) => (attempt.kind === 'attributed' ? [attempt.facts] : []));
  if (facts.length === 0) return { history: { versions: new Map(), beginning: null }, running: createRunningTotals() };
  const history = await loadHistory(ctx, programId, facts);
  return { history, running: await loadRunningTotals(ctx, programId, facts, { rules: allVersions(history) }) };
}

/** What credited orders earn, and their responses. */
type Planned = {
  warnings: Warnings;
  alerts: ReturnType<typeof planFraudEvents>;
  accrual: ReturnType<typeof planAccrual>;
  conversions: ReadonlyMap<string, Conversion>;
};

/** Everything about credited orders that is known before they are written, so that all of it is written together. */
function planCredited(tx: Tx, ledger: LockedLedger, credited: readonly CreditedOrder[], { products, settings }: Lookup): Planned {
  const { programId, currency } = ledger;
  const warnings = new Map(credited.map((one) => [one.id, findWarnings({ ...one, products, currency })]));
  const subjects = credited.map(({ id, affiliate, alerts, actor }) => ({ affiliateId: affiliate.id, conversionId: id, alerts, actor }));
  const alerts = planFraudEvents(tx, programId, subjects);
  const earnings = credited.map((order) => ({ ...toEarning(order, settings), holds: alerts.holds.get(order.id) ?? [] }));
  const accrual = planAccrual(tx, ledger, earnings);
  const earnedBy = Map.groupBy(accrual.earned, ({ conversionId }) => conversionId);
  const createdAt = tx.clock.now();
  const conversions = new Map(
    credited.map((order): [string, Conversion] => {
      const holds = alerts.holds.get(order.id) ?? [];
      const recorded = { earned: earnedBy.get(order.id) ?? [], holds, warnings: warnings.get(order.id) ?? [], currency, createdAt };
      return [order.id, toConversion(order, recorded)];
    }),
  );
  return { warnings, alerts, accrual, conversions };
}

/** The rows of credited orders, for the whole batch at once. Rows are written before those that refer to them. */
async function writeCredited(tx: Tx, ledger: LockedLedger, credited: readonly CreditedOrder[], planned: Planned): Promise<void> {
  if (credited.length === 0) return;
  const { programId } = ledger;
  const { warnings, alerts, accrual, conversions } = planned;
  const orders = credited.map(({ id, actor, facts }) => ({
    conversion: conversions.get(id) ?? missing(),
    productIds: facts.lines.flatMap(({ productId }) => productId ?? []),
    actor,
  }));
  await Promise.all([
    insertConversions(tx, ledger, credited, warnings),
    storeFraudEvents(tx, programId, alerts),
    storeAccrual(tx, ledger, accrual),
    countRedemptions(tx, ledger, credited),
    resolveUnattributed(tx, programId, credited),
    writeOrders(tx, ledger, orders, accrual.events),
  ]);
}

/** What the other decisions leave: orders without an affiliate, and duplicates that differ from the first report. */
async function writeOthers(tx: Tx, ledger: LockedLedger, decisions: readonly Decision[]): Promise<void> {
  const unattributed = decisions.filter((decision) => decision.kind === 'unattributed');
  if (unattributed.length > 0) await storeUnattributed(tx, ledger, unattributed);
  const mismatches = decisions.filter((decision) => decision.kind === 'duplicate').filter(({ matchesOriginal }) => !matchesOriginal);
  if (mismatches.length > 0) await storeMismatches(tx, ledger.programId, mismatches);
}

type Warnings = ReadonlyMap<string, readonly Warning[]>;

/** A repeated order id violates conversions_order_unique and aborts the transaction. */
async function insertConversions(tx: Tx, ledger: LockedLedger, credited: readonly CreditedOrder[], warnings: Warnings): Promise<void> {
  // Always inserted in the same order, so that two batches can't deadlock.
  const sorted = credited.toSorted((a, b) => (a.order.orderId < b.order.orderId ? -1 : 1));
  const rows = sorted.map((one) => toConversionRow(tx, ledger, one, warnings.get(one.id) ?? []));
  await insertRows(tx, 'conversions', rows);
}

/** The row of a credited order. */
export function toConversionRow(tx: Pick<Tx, 'clock'>, ledger: LockedLedger, one: CreditedOrder, warnings: readonly Warning[]) {
  return {
    programId: ledger.programId,
    id: one.id,
    affiliateId: one.affiliate.id,
    orderId: one.order.orderId,
    amountCents: one.order.amountCents,
    createdAt: tx.clock.now(),
    currency: ledger.currency,
    occurredAt: one.at,
    method: one.credit.method,
    clickId: one.credit.visit?.id ?? null,
    clickedAt: one.credit.visit?.at ?? null,
    couponId: one.credit.couponId,
    conflict: one.attribution.conflict.length > 0 ? one.attribution.conflict : null,
    customerKey: one.buyer.customerKeys[0] ?? null,
    customerKeys: one.buyer.customerKeys,
    buyerHash: one.buyer.mailboxHash,
    subId: toSubIds(one)[0] || null,
    subIds: toSubIds(one),
    discountCents: one.order.discountCents ?? null,
    taxCents: one.order.taxCents ?? null,
    shippingCents: one.order.shippingCents ?? null,
    subscription: one.order.subscription ?? null,
    metadata: one.order.metadata ?? null,
    facts: one.facts,
    decision: toStoredDecision(one, warnings),
    capCents: one.calculation.capCents,
    refundedCents: 0,
  };
}

function toStoredDecision({ attribution, calculation, alerts, buyer }: CreditedOrder, warnings: readonly Warning[]): StoredDecision {
  const { drafts, unpaid, capCents } = calculation;
  return {
    signals: attribution.signals,
    lines: toStoredLines(calculation.lines),
    drafts,
    unpaid,
    capCents,
    alerts: [...alerts],
    disposableDomain: buyer.disposableDomain,
    warnings: [...warnings],
  };
}

function toEarning({ id, order, calculation, affiliate, at, actor }: CreditedOrder, settings: ProgramSettings): Omit<Earning, 'holds'> {
  const maturesAt = findMaturity({ affiliate, at }, settings);
  return { conversionId: id, orderId: order.orderId, drafts: calculation.drafts, maturesAt, flatRefunds: settings.flatRefunds, actor };
}

/** Counts the redemptions of coupons, with an event for each order. */
async function countRedemptions(tx: Tx, { programId, currency }: LockedLedger, credited: readonly CreditedOrder[]): Promise<void> {
  const redeemed = Map.groupBy(
    credited.flatMap(({ credit }) => credit.couponId ?? []),
    (couponId) => couponId,
  );
  if (redeemed.size === 0) return;
  const coupons = await addRedemptions(tx, programId, new Map([...redeemed].map(([couponId, uses]) => [couponId, uses.length])));
  const events = new Map(coupons.map((coupon) => [coupon.id, toCouponEvent(tx, couponRedeemed, { coupon, currency })]));
  const entries = credited.flatMap(({ credit, actor }) => {
    const event = events.get(credit.couponId ?? '');
    return event ? [{ event, actor }] : [];
  });
  await recordEventsOf(tx, programId, entries);
}

/** Marks unattributed orders that a later report has credited. */
async function resolveUnattributed(tx: Tx, programId: string, credited: readonly CreditedOrder[]): Promise<void> {
  const now = tx.clock.now();
  if (isWrittenOneByOne(tx, credited)) {
    const resolve = ({ id, order }: CreditedOrder) =>
      plainSql`
      update unattributed_orders set conversion_id = ${id}, updated_at = ${now}
      where program_id = ${programId} and order_id = ${order.orderId}`.execute(tx.db);
    await Promise.all(credited.map(resolve));
    return;
  }
  const ids = credited.map(({ id }) => id);
  const orderIds = credited.map(({ order }) => order.orderId);
  await plainSql`
    update unattributed_orders as unattributed set conversion_id = credited.id, updated_at = ${now}
    from unnest(${ids}::uuid[], ${orderIds}::text[]) as credited (id, order_id)
    where unattributed.program_id = ${programId} and unattributed.order_id = credited.order_id`.execute(tx.db);
}

function missing(): never {
  throw new Error('A credited order has no conversion.');
}
