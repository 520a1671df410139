// Increasing an order: lines are added to it, and earn by the terms of the order at the time when it occurred.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { addToTotals } from '../../partners/affiliates/totals/add-to-totals.ts';
import { toConflict } from '../../platform/db/constraints.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { cents, logged, maxCents, timestampIn, uuidOut } from '../../platform/http/declaration/fields.ts';
import { stopClock } from '../../platform/lib/clock.ts';
import { Conflict, Invalid, InvalidState } from '../../platform/lib/errors.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { toStoredLines } from '../commission-rules/choose-rule.ts';
import type { Line, OrderFacts } from '../commission-rules/order-facts.ts';
import { creditTo, lockRecordedOrder, type NewCredit, type RecordedOrder } from '../conversions/changing/recorded-order.ts';
import { rewriteOrder } from '../conversions/changing/rewrite.ts';
import { conversionSlot } from '../conversions/conversion.ts';
import { buildLines, OrderItem } from '../conversions/order.ts';
import { convertLines } from '../conversions/recording/convert-order.ts';
import { findProducts } from '../conversions/recording/look-up.ts';
import { convertCents } from '../exchange-rates/exchange.ts';
import { type LockedLedger, openLedger, post } from '../ledger/post.ts';
import { updateOrders } from '../orders/write-orders.ts';
import { holdAgain, readManualHolds } from './causes.ts';
import { changeOrder, dryRun, note, OrderChange, type Requested, recordOrderChange, toEarned } from './change.ts';
import { earnAgain } from './earn.ts';

const maxLines = 200;

const Body = z
  .object({
    increaseId: logged(externalIdentifier(255)).describe("The store's id for the increase. A repeated one is 409."),
    amountCents: cents
      .min(1, 'must be at least 1')
      .describe(
        'The added amount, in the currency in which the order was reported: after discounts, before tax and shipping. Less than the ' +
          'sum of the items is a discount on them.',
      ),
    items: z.array(OrderItem).max(maxLines).default([]),
    occurredAt: timestampIn.optional().describe('When the order was increased; default: now. The hold period begins then.'),
    note: note.nullable().optional(),
    dryRun,
  })
  .superRefine(({ items, amountCents }, check) => {
    const total = items.reduce((all, item) => all + item.amountCents - item.discountCents, 0);
    if (items.length > 0 && amountCents > total)
      check.addIssue({
        code: 'custom',
        path: ['amountCents'],
        message: `must not exceed the sum of the items after their discounts (${total})`,
      });
  })
  .meta({ id: 'OrderIncrease', example: { increaseId: 'FF-10023-2', amountCents: 1500, note: 'Added a refill by phone' } });

export const increaseOrder = endpoint({
  id: 'conversions.increase',
  route: 'POST /v1/programs/:programId/conversions/:id/increase',
  scope: 'write',
  requires: 'conversions.write',
  tag: 'Conversions',
  summary: 'Increase an order',
  description:
    'Adds an amount to an order. It earns new commissions for the same affiliate and upline, by the rules that were in effect when ' +
    'the order occurred and at the rates that the order already has: its tiers, conditions and first-order flag stay. Amounts per ' +
    'order are paid once; minimums, maximums and the cap apply to the whole order, budgets to the remaining amount. An upline who is ' +
    'no longer active earns nothing from the increase. What holds the order, such as a manual hold, holds the new commissions too.',
  path: { id: conversionSlot },
  body: Body,
  statuses: [200],
  result: OrderChange,
  errors: [
    { status: 400, code: 'affiliate_not_active', when: 'The credited affiliate is not active.' },
    { status: 400, code: 'amount_too_large', when: 'The commission would exceed the largest amount that can be stored.' },
    { status: 400, code: 'order_not_increasable', when: 'The order is cancelled, fully refunded or fraud. Report a new order.' },
    {
      status: 409,
      code: 'increase_recorded',
      when: 'The increase is already recorded. Treat it as success.',
      facts: z.object({ conversionId: uuidOut, increaseId: z.string() }),
    },
  ],
  handle: (tx, { actor, params, body: { note: text = null, dryRun: isRehearsal, ...added } }) => {
    const requested = { conversionId: params.id, actor, note: text, added };
    return changeOrder(tx, isRehearsal, (inner) => increase(inner, actor.programId, requested));
  },
});

type Added = Omit<z.output<typeof Body>, 'note' | 'dryRun'>;

async function increase(opening: Tx, programId: string, requested: Requested & { added: Added }) {
  const { actor, added } = requested;
  const ledger = await openLedger(opening, programId);
  const tx = stopClock(opening);
  const order = await lockRecordedOrder(tx, ledger, requested.conversionId);
  await rejectRepeated(tx, programId, added.increaseId);
  const { lines, amountCents, exchange } = await findLines(tx, ledger, order, added);
  rejectIncrease(order, { amountCents, items: added.items });
  const { holdDays, activeIds } = await findCredit(tx, programId, order);
  const manual = await readManualHolds(tx, programId, order.id);
  const { decision, facts } = order;
  const drafts = [...decision.drafts, ...decision.unpaid];
  const before = { drafts, totalCents: facts.amountCents + amountCents };
  const { initial = { amountCents: facts.amountCents, lines: facts.lines.length } } = facts;
  const upline = facts.upline && activeIds.has(facts.upline.id) ? facts.upline : null;
  const ofLines = { ...facts, lines, amountCents: initial.amountCents, upline };
  const since = added.occurredAt ?? tx.clock.now();
  const { calculation, earned, transfers } = await earnAgain(tx, ledger, { order, facts: ofLines, before, holdDays, since, actor });
  const increased: OrderFacts = { ...facts, amountCents: before.totalCents, lines: [...facts.lines, ...lines], initial, ...exchange };
  const joined = {
    ...decision,
    drafts: [...decision.drafts, ...calculation.drafts],
    unpaid: [...decision.unpaid, ...calculation.unpaid],
    lines: [...decision.lines, ...toStoredLines(calculation.lines)],
    capCents: calculation.capCents,
  };
  await rewriteOrder(tx, ledger, order, { facts: increased, decision: joined, credit: null });
  const held = await holdAgain(tx, ledger, { fresh: earned, holds: manual }, { actor });
  await updateOrders(tx, programId, [order.id]);
  const day = localDate(order.occurredAt, ledger.timezone);
  await addToTotals(tx, ledger, [
    { affiliateId: order.affiliateId, day, salesCents: amountCents },
    ...earned.map(({ affiliateId, amountCents }) => ({ affiliateId, day, commissionsCents: amountCents })),
  ]);
  await post(tx, ledger, [...transfers, ...held]);
  const id = tx.ids.uuid();
  const change = { id, kind: 'increased' as const, externalId: added.increaseId, amountCents };
  const conversion = await recordOrderChange(tx, programId, { order, change, requested });
  return { id, conversion, adjustments: earned.map((one) => toEarned(one, one.amountCents)) };
}

/** Under the lock of the ledger, so that a repeated increase is 409 even when the order can't be increased anymore. */
async function rejectRepeated(tx: Tx, programId: string, increaseId: string): Promise<void> {
  const changes = tx.db.selectFrom('orderChanges').select('conversionId').where('programId', '=', programId);
  const known = await changes.where('externalId', '=', increaseId).executeTakeFirst();
  if (!known) return;
  const { code, message } = toConflict('order_changes_increase_unique');
  throw new Conflict(code, message, { conversionId: known.conversionId, increaseId });
}

/** `amountCents` is in the currency of the program. */
function rejectIncrease(order: RecordedOrder, { amountCents, items }: Pick<Added, 'amountCents' | 'items'>): void {
  const state = order.isCancelled ? 'cancelled' : order.isVoid ? 'fully refunded' : order.isFraud ? 'rejected as fraud' : null;
  if (state) throw new InvalidState('order_not_increasable', `This order is ${state}. Report a new order instead.`);
  const room = maxCents - order.amountCents;
  if (amountCents > room) throw new Invalid([{ path: ['amountCents'], message: `must not exceed ${room} for this order` }]);
  const free = maxLines - order.facts.lines.length;
  if (Math.max(1, items.length) > free)
    throw new Invalid([{ path: ['items'], message: `must not exceed ${free} more lines for this order` }]);
}

type AddedLines = { lines: Line[]; amountCents: number; exchange: Pick<OrderFacts, 'exchange'> };

/** The added lines, after those of the order. An order in another currency is increased in it, at its own rate. */
async function findLines(
  tx: Tx,
  { programId, currency: to }: LockedLedger,
  { facts }: RecordedOrder,
  { amountCents, items }: Added,
): Promise<AddedLines> {
  const built = buildLines({ amountCents, items }, await findProducts(tx, programId, [{ items }]));
  const lines = built.map((line) => ({ ...line, position: line.position + facts.lines.length }));
  if (!facts.exchange) return { lines, amountCents, exchange: {} };
  const { currency: from, rate, lineCents } = facts.exchange;
  const convertedCents = convertCents(amountCents, { rate, from, to });
  const exchange = {
    ...facts.exchange,
    amountCents: facts.exchange.amountCents + amountCents,
    lineCents: [...lineCents, ...lines.map((line) => line.amountCents)],
  };
  return { lines: convertLines(lines, convertedCents), amountCents: convertedCents, exchange: { exchange } };
}

/** The hold periods of the affiliate and their upline, and who of them is active. Throws unless the affiliate is. */
async function findCredit(tx: Tx, programId: string, order: RecordedOrder): Promise<NewCredit> {
  const credit = await creditTo(tx, programId, order, order.affiliateId);
  if (credit?.status === 'active') return credit;
  throw new InvalidState('affiliate_not_active', 'The credited affiliate is not active, so the order can earn nothing more.');
}
