// Giving back what a shop gave back. Each source of refunds says how much it is by now, and what is missing is
// refunded; never more than is left, so that two sources that overlap end at the whole in either order.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import type { Actor } from '../../earning/commissions/change.ts';
import { type LockedLedger, openLedger } from '../../earning/ledger/post.ts';
import { applyRefund, getOrder, type Order, refundedLines } from '../../earning/refunds/apply.ts';
import { type RefundLines, refundLines } from '../../earning/refunds/lines.ts';
import { ApiError } from '../../platform/lib/errors.ts';
import { allocate, divideRounded } from '../../platform/lib/money.ts';
import { type Act, Unreadable } from './act.ts';
import { shareOfWhole } from './amounts.ts';
import type { Known } from './names.ts';
import { spreadSteadily } from './spread.ts';

export type TakingBack = Extract<Act, { kind: 'refunded_in_all' | 'refund' | 'refund_as_reported' | 'cancelled' | 'lowered' }>;
type Wanted = { externalId: string; reason: string; lines: RefundLines };

/** Refunds what the act says, as far as it is missing and left. True when something was refunded. */
export async function takeBack(
  tx: Tx,
  programId: string,
  { known, act, actor }: { known: Known; act: TakingBack; actor: Actor },
): Promise<boolean> {
  const ledger = await openLedger(tx, programId);
  // Before the refund is read: one that was applied may ask for more than is left by now, and is no fault.
  const fixedId = fixedIdOf(act);
  if (fixedId !== null && (await isApplied(tx, ledger, fixedId))) return false;
  const order = await getOrder(tx, ledger, known.orderId);
  const refunded = await refundedLines(tx, ledger, order.id);
  const wanted = await wantedBy(tx, ledger, { order, known, act, refunded });
  if (!wanted || (fixedId === null && (await isApplied(tx, ledger, wanted.externalId)))) return false;
  const lines = withinLeft(order, refunded, wanted.lines);
  if (lines.size === 0) return false;
  const fresh = { externalId: wanted.externalId, reason: wanted.reason, note: null, occurredAt: tx.clock.now() };
  await applyRefund(tx, ledger, { order, lines, fresh, actor });
  return true;
}

/** The refund's id where the act says it. Null: it follows from how much is missing. */
function fixedIdOf(act: TakingBack): string | null {
  if (act.kind === 'refund_as_reported') return String(act.report.refundId);
  return act.kind === 'refund' || act.kind === 'cancelled' ? act.refundId : null;
}

type Look = { order: Order; known: Known; act: TakingBack; refunded: ReadonlyMap<number, number> };

async function wantedBy(tx: Tx, ledger: LockedLedger, { order, known, act, refunded }: Look): Promise<Wanted | null> {
  const whole = order.amountCents;
  switch (act.kind) {
    case 'refunded_in_all': {
      const gross = known.grossCents ?? act.grossCents;
      const total = { totalCents: shareOfWhole(whole, act.refundedCents, gross), isAll: isAllOf(act.refundedCents, gross ?? whole) };
      return growing(tx, ledger, order, { source: act.source, ...total, reason: 'refund' });
    }
    case 'lowered': {
      const total = { totalCents: Math.max(0, whole - act.amountCents), isAll: false };
      return growing(tx, ledger, order, { source: act.source, ...total, reason: 'refund' });
    }
    case 'cancelled':
      return { externalId: act.refundId, reason: act.reason, lines: amountsOf(order) };
    case 'refund':
      return { externalId: act.refundId, reason: act.reason, lines: linesOfRefund(order, known, act) };
    case 'refund_as_reported':
      return asReported(order, refunded, act.report);
  }
}

function isAllOf(part: number, whole: number): boolean {
  return part > 0 && part >= whole;
}

type Total = { source: string; totalCents: number /** Also the lines that cost nothing. */; isAll: boolean; reason: string };

/** What is missing to a total of one source. It grows in steps; a smaller one is old news. */
async function growing(
  tx: Tx,
  { programId }: LockedLedger,
  { id, facts }: Order,
  { source, totalCents, isAll, reason }: Total,
): Promise<Wanted | null> {
  const { rows } = await sql<{ position: number; cents: number }>`
    select line.position, sum(line.amount_cents)::bigint as cents
    from refunds as refund join refund_lines as line on line.program_id = refund.program_id and line.refund_id = refund.id
    where refund.program_id = ${programId} and refund.conversion_id = ${id} and starts_with(refund.external_id, ${`${source}:`})
    group by line.position`.execute(tx.db);
  const given = new Map(rows.map(({ position, cents }) => [position, cents]));
  const parts = spreadSteadily(
    totalCents,
    facts.lines.map(({ amountCents }) => amountCents),
  );
  const missing = facts.lines.map(({ position }, index) => [position, (parts[index] ?? 0) - (given.get(position) ?? 0)] as const);
  const isGivenBack = (position: number, cents: number) => cents > 0 || (isAll && cents === 0 && !given.has(position));
  const lines = new Map(missing.filter(([position, cents]) => isGivenBack(position, cents)));
  return lines.size === 0 ? null : { externalId: `${source}:${totalCents}`, reason, lines };
}

/** By units where the shop names items and each is a line of the order, else by the amount's share of the whole. */
function linesOfRefund(
  { amountCents: whole, facts }: Order,
  known: Known,
  { units, amountCents }: Extract<Act, { kind: 'refund' }>,
): RefundLines {
  const places = units.map(({ lineId, quantity }) => ({ line: facts.lines[known.lineIds.indexOf(lineId)], quantity }));
  const hasLineOfEach = known.lineIds.length === facts.lines.length;
  if (hasLineOfEach && places.length > 0 && places.every(({ line }) => line !== undefined)) {
    const lines: RefundLines = new Map();
    for (const { line, quantity } of places) {
      if (!line || (line.amountCents === 0 && quantity < line.quantity)) continue;
      const cents =
        quantity >= line.quantity
          ? line.amountCents
          : Number(divideRounded(BigInt(line.amountCents) * BigInt(quantity), BigInt(line.quantity)));
      lines.set(line.position, (lines.get(line.position) ?? 0) + cents);
    }
    return lines;
  }
  const cents = shareOfWhole(whole, amountCents ?? 0, known.grossCents);
  const parts = allocate(
    cents,
    facts.lines.map((line) => line.amountCents),
  );
  const isAll = isAllOf(amountCents ?? 0, known.grossCents ?? whole);
  const spread = facts.lines.map(({ position }, index) => [position, parts[index] ?? 0] as const);
  return new Map(spread.filter(([, part]) => part > 0 || isAll));
}

function asReported(order: Order, refunded: ReadonlyMap<number, number>, report: Record<string, unknown>): Wanted {
  const { refundId, amountCents, items, reason } = report;
  const requested = {
    ...(typeof amountCents === 'number' && { amountCents }),
    ...(Array.isArray(items) && { items: items as { position?: number; productId?: string; quantity?: number; amountCents?: number }[] }),
  };
  try {
    const lines = isEmpty(requested) ? amountsOf(order) : refundLines(order.facts.lines, requested.items ? refunded : new Map(), requested);
    return { externalId: String(refundId), reason: typeof reason === 'string' ? reason : 'refund', lines };
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return { externalId: String(refundId), reason: 'refund', lines: new Map() };
    if (error instanceof ApiError)
      throw new Unreadable(`The refund was not understood: ${error.details?.[0]?.path.join('.')} ${error.details?.[0]?.message}.`);
    throw error;
  }
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}

function amountsOf({ facts }: Order): RefundLines {
  return new Map(facts.lines.map(({ position, amountCents }) => [position, amountCents]));
}

/** Cuts each line at what is left of it; what was cut comes out of the other lines, the first first. Free lines have 0. */
function withinLeft({ facts }: Order, refunded: ReadonlyMap<number, number>, wanted: RefundLines): RefundLines {
  const left = new Map(facts.lines.map(({ position, amountCents }) => [position, amountCents - (refunded.get(position) ?? 0)]));
  const lines: RefundLines = new Map();
  let over = 0;
  for (const [position, cents] of wanted) {
    const within = Math.min(cents, left.get(position) ?? 0);
    over += cents - within;
    lines.set(position, within);
  }
  for (const [position, open] of left) {
    const more = Math.min(over, open - (lines.get(position) ?? 0));
    over -= more;
    lines.set(position, (lines.get(position) ?? 0) + more);
  }
  const isFree = (position: number) => facts.lines.find((line) => line.position === position)?.amountCents === 0;
  return new Map(
    [...lines].filter(([position, cents]) => cents > 0 || (isFree(position) && wanted.has(position) && !refunded.has(position))),
  );
}

async function isApplied(tx: Tx, { programId }: LockedLedger, externalId: string): Promise<boolean> {
  const refunds = tx.db.selectFrom('refunds').select('id').where('programId', '=', programId);
  return (await refunds.where('externalId', '=', externalId).executeTakeFirst()) !== undefined;
}
