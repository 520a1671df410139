// Recording reported orders, one or many of a program in one transaction. The ledger is locked first, so
// orders of a program are credited one after the other, and what one counts the next one sees. Every
// order gets an outcome of its own: credited, a duplicate (409), nobody to credit (422), or a fault of
// the report. The unique index on the order id is what decides (Contract §7 rule 2).

import type { Tx } from '../../context.ts';
import { ApiError, Invalid, NotFound } from '../../platform/lib/errors.ts';
import { AmountTooLarge } from '../../platform/lib/money.ts';
import { calculate } from '../commission-rules/calculate.ts';
import { allVersions, rulesAt } from '../commission-rules/choose-rule.ts';
import { loadHistory, loadRunningTotals, storeBudgets } from '../commission-rules/load.ts';
import { accrue, type Earning } from '../commissions/accrue.ts';
import type { Actor } from '../commissions/change.ts';
import type { Hold } from '../commissions/holds.ts';
import { openFraudEvents } from '../fraud/open-events.ts';
import { suspicionsOf } from '../fraud/suspicions.ts';
import { type LockedLedger, openLedger, post } from '../ledger/post.ts';
import { type ConversionView, conversionView } from './conversion.ts';
import { buyerAmong, type OrderOfBuyer } from './credit/buyer.ts';
import { lookUp } from './credit/look-up.ts';
import { type Program, readProgram } from './credit/settings.ts';
import { type Weighed, weigh } from './credit/weigh.ts';
import { type Duplicates, duplicateOf, findRecorded, noteMismatches } from './duplicates.ts';
import type { KnownProduct } from './lines.ts';
import type { ReportedOrder } from './order.ts';
import { keepUnattributed, NobodyToCredit, resolveUnattributed } from './unattributed.ts';
import { warningsOf } from './warnings.ts';
import { addTotals, type Credited, insertConversions, keepCustomers, redeem } from './write.ts';

/** A reported order, and who reported it. */
export type Report = { order: OrderOfBuyer; actor: Actor };

/** Records orders of a program. One outcome for each, in their order; refusals are values. */
export async function recordOrders(tx: Tx, programId: string, reports: readonly Report[]): Promise<(ConversionView | ApiError)[]> {
  const orders = reports.map(({ order }) => order);
  const ledger = await openLedger(tx, programId);
  const program = await readProgram(tx, programId);
  const recorded = await findRecorded(tx, programId, orders);
  const found = await lookUp(tx, programId, orders, program.settings);
  const now = tx.clock.now();
  const weighed: Weighed[] = [];
  const actors = new Map<string, Actor>();
  const outcomes = orders.map((order, index): Weighed | ApiError | null => {
    if (order.currency !== undefined && order.currency !== ledger.currency) return foreignCurrency(ledger.currency);
    if (order.occurredAt && order.occurredAt.getTime() > now.getTime() + toleranceMs) return inTheFuture();
    if (order.affiliateId && !found.people.has(order.affiliateId)) return new NotFound('affiliateId');
    // The first report of this order may be a neighbour that is just being credited.
    if (recorded.has(order.orderId) || weighed.some((other) => other.order.orderId === order.orderId)) return null;
    const one = weigh(order, found, program.settings, now);
    if (!one.credited) return new NobodyToCredit(one);
    weighed.push(one);
    actors.set(order.orderId, reports[index]?.actor ?? nobody);
    return one;
  });
  const { views, refused } = await credit(tx, { ledger, program, actors, products: found.products }, weighed);
  await keepCustomers(tx, programId, { weighed, found });
  await keepRefusals(tx, ledger, { orders, outcomes, recorded, views });
  return orders.map((order, index) => {
    const outcome = outcomes[index];
    if (outcome instanceof ApiError) return outcome;
    return (outcome && (views.get(order.orderId) ?? refused.get(order.orderId))) ?? duplicateOf(order, recorded);
  });
}

type Desk = { ledger: LockedLedger; program: Program; actors: ReadonlyMap<string, Actor>; products: readonly KnownProduct[] };
const nobody: Actor = { kind: 'schedule', id: '' };

type Outcomes = { views: Map<string, ConversionView>; refused: Map<string, ApiError> };

/** Calculates and writes what the orders earn. Views, and errors of orders that can't be calculated, by order id. */
async function credit(tx: Tx, { ledger, program, actors, products }: Desk, weighed: readonly Weighed[]): Promise<Outcomes> {
  const facts = weighed.flatMap(({ credited }) => credited?.facts ?? []);
  const refused = new Map<string, ApiError>();
  if (facts.length === 0) return { views: new Map(), refused };
  const history = await loadHistory(tx, ledger.programId, facts);
  const running = await loadRunningTotals(tx, ledger.programId, facts, allVersions(history));
  const credits = weighed.flatMap((one): Credited[] => {
    if (!one.credited) return [];
    const calculation = calculateOrError(one.credited.facts, rulesAt(history, one.credited.facts.at), running);
    if (calculation instanceof ApiError) {
      refused.set(one.order.orderId, calculation);
      return [];
    }
    const suspicions = suspicionsOf(circumstances(one, program.settings.hashKey), program.fraud);
    const warnings = warningsOf({ order: one.order, products, calculation, currency: ledger.currency });
    return [{ ...one, ...one.credited, id: tx.ids.uuid(), calculation, suspicions, warnings }];
  });
  await insertConversions(tx, ledger, credits);
  const holds = await openFraudEvents(
    tx,
    ledger.programId,
    credits.map(({ person, id, suspicions }) => ({ affiliateId: person.id, conversionId: id, suspicions })),
  );
  const { earned, transfers } = await accrue(
    tx,
    ledger,
    credits.map((one) => earningOf(one, program, { actor: actors.get(one.order.orderId) ?? nobody, holds: holds.get(one.id) ?? [] })),
  );
  await redeem(tx, ledger.programId, credits);
  await addTotals(tx, ledger.programId, credits, earned);
  await storeBudgets(tx, ledger.programId, running);
  await resolveUnattributed(tx, ledger.programId, credits);
  await post(tx, ledger, transfers);
  const shown = { currency: ledger.currency, at: tx.clock.now() };
  return { views: new Map(credits.map((one) => [one.order.orderId, conversionView(one, earned, shown)])), refused };
}

/** One order that can't be calculated must not fail its neighbours. */
function calculateOrError(...given: Parameters<typeof calculate>): ReturnType<typeof calculate> | ApiError {
  try {
    return calculate(...given);
  } catch (error) {
    if (error instanceof AmountTooLarge) return error;
    throw error;
  }
}

type Origin = { actor: Actor; holds: readonly Hold[] };

function earningOf({ id, calculation, person, at }: Credited, { settings, flatRefunds }: Program, { actor, holds }: Origin): Earning {
  const matures = (holdDays: number | null) => new Date(at.getTime() + (holdDays ?? settings.holdDays) * 86_400_000);
  const maturesAt = new Map([[person.id, matures(person.holdDays)]]);
  if (person.upline) maturesAt.set(person.upline.id, matures(person.upline.holdDays));
  return { conversionId: id, drafts: calculation.drafts, maturesAt, holds, flatRefunds, actor };
}

function circumstances({ order, at, attribution, credited, buyer }: Weighed, hashKey: Buffer): Parameters<typeof suspicionsOf>[0] {
  const { credit: given, conflict } = attribution;
  return {
    buyerIs: credited ? buyerAmong(buyer, credited.person, hashKey) : null,
    orderedAt: at,
    method: given?.method ?? '',
    visit: given?.visit ?? null,
    hasClickHint: Boolean(order.clickId),
    hijackedBy: conflict.find(({ outcome }) => outcome === 'checkout_hijack')?.affiliateId ?? null,
  };
}

type Refusals = {
  orders: readonly ReportedOrder[];
  outcomes: readonly (Weighed | ApiError | null)[];
  recorded: Duplicates;
  views: ReadonlyMap<string, ConversionView>;
};

/** What refused orders leave behind: shadows of those nobody was credited for, notes of changed amounts. */
async function keepRefusals(tx: Tx, { programId, currency }: LockedLedger, { orders, outcomes, recorded, views }: Refusals): Promise<void> {
  for (const view of views.values()) recorded.set(view.orderId, { conversionId: view.id, orderId: view.orderId, facts: view.facts });
  await keepUnattributed(tx, programId, outcomes, currency);
  const again = orders.filter((_, index) => outcomes[index] === null);
  await noteMismatches(tx, programId, again, recorded);
}

/** How far the clock of a shop may be ahead of ours. */
const toleranceMs = 3_600_000;

function inTheFuture(): Invalid {
  return new Invalid([{ path: ['occurredAt'], message: 'must not be in the future' }]);
}

function foreignCurrency(currency: string): Invalid {
  return new Invalid([{ path: ['currency'], message: `must be ${currency}, the currency of the program` }]);
}
