// Which stored months, weeks and days cover a range, and which days are left to count. Pure.
import { lastOf, type SpanKey } from '../../partners/affiliates/totals/finished-spans.ts';
import { addDays } from '../../platform/lib/zoned-time.ts';
import type { Range, Span } from '../overview/range.ts';

/** Days of the period (`isCurrent`) or of the one that it is compared with. The last day is included. */
export type Piece = Span & { isCurrent: boolean };
export type StoredPiece = SpanKey & { isCurrent: boolean };
export type Plan = { stored: StoredPiece[]; counted: Piece[] };

const kinds = ['month', 'week', 'day'] as const;

/** `hasSums` says whether the sums of a span are stored and current. */
export function planReads({ current, previous }: Pick<Range, 'current' | 'previous'>, hasSums: (key: SpanKey) => boolean): Plan {
  const plans = [planPeriod({ ...current, isCurrent: true }, hasSums)];
  if (previous) plans.push(planPeriod({ ...previous, isCurrent: false }, hasSums));
  return { stored: plans.flatMap(({ stored }) => stored), counted: plans.flatMap(({ counted }) => counted) };
}

function planPeriod({ from, to, isCurrent }: Piece, hasSums: (key: SpanKey) => boolean): Plan {
  const plan: Plan = { stored: [], counted: [] };
  for (let day = from; day <= to; ) {
    const startsOn = day;
    const span = kinds.find((kind) => hasSums({ span: kind, startsOn }) && lastOf({ span: kind, startsOn }) <= to);
    if (span) plan.stored.push({ span, startsOn, isCurrent });
    else addDay(plan.counted, { from: day, to: day, isCurrent });
    day = addDays(lastOf({ span: span ?? 'day', startsOn }), 1);
  }
  return plan;
}

/** Consecutive days are one piece. */
function addDay(pieces: Piece[], day: Piece): void {
  const last = pieces.at(-1);
  if (last && addDays(last.to, 1) === day.from) last.to = day.to;
  else pieces.push(day);
}
