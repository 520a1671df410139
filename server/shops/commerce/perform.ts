// Performing acts, through the same code that answers the API. One transaction holds an event's acts and what
// becomes of them.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import type { Actor } from '../../earning/commissions/change.ts';
import { ReportedOrder } from '../../earning/conversions/order.ts';
import { toError } from '../../earning/conversions/outcome-error.ts';
import { recordOrders } from '../../earning/conversions/record.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { getOrder } from '../../earning/refunds/apply.ts';
import { recordDispute } from '../../earning/refunds/record-dispute.ts';
import { toDetails } from '../../platform/http/validate.ts';
import { type ApiError, Invalid } from '../../platform/lib/errors.ts';
import { AmountTooLarge } from '../../platform/lib/money.ts';
import { toOneLine } from '../../platform/lib/text.ts';
import { type Act, Unreadable } from './act.ts';
import { shareOfWhole } from './amounts.ts';
import { findHints, findOrder, keepHints, keepNames, keepOrder, reportedAs, type Shop } from './names.ts';
import { hintsOf } from './read/hints.ts';
import { takeBack } from './take-back.ts';

/** What became of one act. `unknown`: the order it speaks of hasn't come yet. */
export type Done = {
  act: Act['kind'];
  status: 'credited' | 'recorded' | 'unattributed' | 'kept' | 'refunded' | 'nothing_left' | 'disputed' | 'unknown';
  orderId?: string;
  conversionId?: string;
  reason?: string;
  /** What is known now that wasn't before, by its names: whatever waited for it can go on. */
  touched: string[];
};

/** Throws Unreadable for what can never be followed. */
export async function performAct(tx: Tx, shop: Shop, act: Act): Promise<Done> {
  const fault = findUncountable(act);
  if (fault) throw new Unreadable(`The event was not understood: ${fault} must be an integer amount that can be counted exactly.`);
  try {
    return await performReadable(tx, shop, act);
  } catch (error) {
    if (error instanceof AmountTooLarge) throw new Unreadable(error.message);
    throw error;
  }
}

/** The name of an amount that isn't an integer, or is too large to be exact. What orders report is checked by its schema. */
function findUncountable(act: Act): string | null {
  const amounts = Object.entries(act).filter(([name, value]) => name.endsWith('Cents') && value !== null);
  const units = act.kind === 'refund' ? act.units.map(({ quantity }) => ['quantity', quantity] as const) : [];
  const fault = [...amounts, ...units].find(([, value]) => !Number.isSafeInteger(value));
  return fault?.[0] ?? null;
}

async function performReadable(tx: Tx, shop: Shop, act: Act): Promise<Done> {
  switch (act.kind) {
    case 'hints':
      return { act: act.kind, status: 'kept', touched: (await keepHints(tx, shop, act.name, act.hints)) ? [act.name] : [] };
    case 'names': {
      const fresh = await keepNames(tx, shop, act.orderId, act.names);
      return { act: act.kind, status: 'kept', orderId: act.orderId, touched: fresh };
    }
    case 'order':
      return order(tx, shop, act);
    default:
      return afterwards(tx, shop, act);
  }
}

async function order(tx: Tx, shop: Shop, act: Extract<Act, { kind: 'order' }>): Promise<Done> {
  // The order of every lock on money: the ledger comes first.
  await openLedger(tx, shop.programId);
  const hints = hintsOf(act.hints, await findHints(tx, shop, act.hintsUnder));
  const { couponIds = [], ...named } = hints;
  const couponCode = named.couponCode ?? (await codeOf(tx, shop.programId, couponIds));
  const told = readReport({ ...act.report, ...named, ...(couponCode !== null && { couponCode }) });
  // One that was reported under another id (a checkout and its invoice) is that order, and is credited once.
  const report = { ...told, orderId: await reportedAs(tx, shop, told.orderId, act.names) };
  const fresh = await keepNames(tx, shop, report.orderId, act.names);
  const seen = { orderId: report.orderId, amountCents: report.amountCents, occurredAt: report.occurredAt ?? tx.clock.now() };
  await keepOrder(tx, shop, { ...seen, grossCents: act.grossCents, lineIds: lineIdsOf(act) });
  const outcome = await record(tx, shop, report);
  const done = { act: act.kind, orderId: report.orderId };
  switch (outcome.kind) {
    case 'credited':
      return { ...done, status: 'credited', conversionId: outcome.conversion.id, touched: [report.orderId, ...act.names] };
    case 'unattributed':
      return { ...done, status: 'unattributed', reason: outcome.reason, touched: fresh };
    case 'duplicate':
      return { ...done, status: 'recorded', conversionId: outcome.conversionId, touched: fresh };
    default:
      throw new Unreadable(`Order ${report.orderId} was rejected: ${textOf(toError(outcome))}`);
  }
}

const { orderId, amountCents, occurredAt: occurred } = ReportedOrder.shape;
const Seen = z.object({ orderId, amountCents });

/** Keeps that there are these orders, although they could not be reported, so that they are missed. */
export async function keepRefusedOrders(tx: Tx, shop: Shop, acts: readonly Act[]): Promise<void> {
  for (const act of acts) {
    if (act.kind !== 'order') continue;
    const seen = Seen.safeParse(act.report);
    const [at, now] = [occurred.safeParse(act.report.occurredAt).data, tx.clock.now()];
    const occurredAt = at && at < now ? at : now;
    if (seen.success) await keepOrder(tx, shop, { ...seen.data, occurredAt, grossCents: act.grossCents, lineIds: lineIdsOf(act) });
  }
}

/** An affiliate that the shop names and nobody knows costs no order: the other hints count. */
async function record(tx: Tx, shop: Shop, report: ReportedOrder) {
  const [outcome] = await recordOrders(tx, shop.programId, [{ order: report, actor: actorOf(shop) }]);
  if (outcome?.kind === 'rejected' && outcome.reason === 'affiliate_not_found') {
    const { affiliateId: _, ...rest } = report;
    const [again] = await recordOrders(tx, shop.programId, [{ order: rest, actor: actorOf(shop) }]);
    if (again) return again;
  }
  if (!outcome) throw new Error('A reported order has no outcome.');
  return outcome;
}

/** With more items than a report takes they are left out: the amount is what counts. Odd texts of items cost no order. */
function itemsTaken({ items = [] }: z.input<typeof ReportedOrder>) {
  if (!Array.isArray(items) || items.length > 200) return [];
  return items.map((item) => (item ? { ...item, name: shortLine(item.name), sku: shortLine(item.sku) } : item));
}

function shortLine(text: unknown): string | null {
  return typeof text === 'string' ? toOneLine(toOneLine(text).slice(0, 200)) || null : null;
}

/** Only where each item is a line of its own: else a place among the ids says nothing about the lines. */
function lineIdsOf({ lineIds, report }: Extract<Act, { kind: 'order' }>): readonly string[] {
  return itemsTaken(report).length === lineIds.length ? lineIds : [];
}

/** An address that is none is dropped. */
function readReport(input: z.input<typeof ReportedOrder>): ReportedOrder {
  const { items: _, customer, ...rest } = input;
  // In the form that is delivered to: a full-width address must not hide who bought.
  const address = typeof customer?.email === 'string' ? customer.email.normalize('NFKC') : null;
  const email = ReportedOrder.shape.customer.safeParse({ email: address });
  const buyer = customer ? { ...customer, email: email.success ? address : null } : null;
  const read = ReportedOrder.safeParse({ ...rest, customer: buyer, items: itemsTaken(input) });
  if (read.success) return read.data;
  const [fault] = read.error.issues.flatMap(toDetails);
  throw new Unreadable(`The order was not understood: ${fault?.path.join('.')} ${fault?.message}.`);
}

async function codeOf(tx: Tx, programId: string, couponIds: readonly string[]): Promise<string | null> {
  if (couponIds.length === 0) return null;
  const coupons = tx.db.selectFrom('coupons').select('code').where('programId', '=', programId);
  return (
    (
      await coupons
        .where('externalId', 'in', [...couponIds])
        .orderBy('status')
        .orderBy('id')
        .executeTakeFirst()
    )?.code ?? null
  );
}

type Later = Exclude<Act, { kind: 'order' | 'names' | 'hints' }>;

async function afterwards(tx: Tx, shop: Shop, act: Later): Promise<Done> {
  const ledger = await openLedger(tx, shop.programId);
  const known = await findOrder(tx, shop, act.of);
  if (!known) return { act: act.kind, status: 'unknown', touched: [] };
  const done = { act: act.kind, orderId: known.orderId, touched: [] };
  const conversions = tx.db.selectFrom('conversions').select('id').where('programId', '=', shop.programId);
  const conversion = await conversions.where('orderId', '=', known.orderId).executeTakeFirst();
  if (!conversion) return { ...done, status: known.isReported ? 'unattributed' : 'unknown' };
  if (act.kind !== 'dispute') {
    const isTaken = await takeBack(tx, shop.programId, { known, act, actor: actorOf(shop) });
    return { ...done, conversionId: conversion.id, status: isTaken ? 'refunded' : 'nothing_left' };
  }
  const { amountCents, refundedCents } = await getOrder(tx, ledger, known.orderId);
  // Without an amount the dispute is about what it was opened for, or the whole order.
  const disputed = act.amountCents === null ? 0 : shareOfWhole(amountCents, act.amountCents, known.grossCents);
  const left = Math.min(disputed, amountCents - refundedCents);
  const body = { disputeId: act.disputeId, orderId: known.orderId, status: act.status, amountCents: left > 0 ? left : undefined };
  try {
    await recordDispute(tx, { programId: shop.programId, actor: actorOf(shop), report: body });
  } catch (error) {
    // A dispute of another order stays one: no later try helps.
    if (error instanceof Invalid) throw new Unreadable(`Dispute ${act.disputeId} was refused: ${textOf(error)}`);
    throw error;
  }
  return { ...done, conversionId: conversion.id, status: 'disputed', reason: act.status };
}

function actorOf({ id }: Shop): Actor {
  return { kind: 'provider', id };
}

function textOf({ message, details }: ApiError): string {
  const [first] = details ?? [];
  return first ? `${first.path.join('.')} ${first.message}.` : message;
}
