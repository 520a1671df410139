import type { Clock } from '../../platform/lib/clock.ts';
import type { Payment } from './rail.ts';

export type Span = { from: Date; to: Date };

const dayMs = 86_400_000;

/** When a payment can have been created: since its id was (a uuid v7), otherwise in the last 30 days. */
export function estimateSpan({ id }: Payment, clock: Clock): Span {
  const to = clock.now().getTime() + dayMs;
  const madeAt = id[14] === '7' ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : to;
  const isSound = madeAt < to && madeAt > to - 3 * 366 * dayMs;
  return { from: new Date((isSound ? madeAt : to - 30 * dayMs) - dayMs), to: new Date(to) };
}

/** The time span in parts of at most this many days. */
export function* splitSpan({ from, to }: Span, days: number): Iterable<Span> {
  for (let start = from.getTime(); start < to.getTime(); start += days * dayMs) {
    yield { from: new Date(start), to: new Date(Math.min(start + days * dayMs, to.getTime())) };
  }
}
