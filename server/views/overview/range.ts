// The days that the overview covers, the period that it compares them with, and the buckets of the chart. Days are in the
// program's time zone. Pure.
import { addDays, countDays, type Interval, type LocalDate, startOfNext } from '../../platform/lib/zoned-time.ts';

export type Comparison = 'previous' | 'year' | 'none';
/** Both days are included. */
export type Span = { from: LocalDate; to: LocalDate };

export type Range = {
  current: Span;
  /** As many days as `current`; null without a comparison. */
  previous: Span | null;
  interval: Interval;
  /** Consecutive spans that make up `current`, and those of the same lengths that make up `previous`. */
  buckets: Span[];
  previousBuckets: Span[];
};

type Requested = { from: LocalDate; to: LocalDate; interval?: Interval | undefined; compare: Comparison };

const maxDailyBuckets = 92;
const maxWeeklyBuckets = 60;

export function toRange({ from, to, interval: requested, compare }: Requested): Range {
  const days = countDays(from, to) + 1;
  const interval = requested ?? chooseInterval(days);
  const shift = compare === 'year' ? countDays(yearBefore(from), from) : days;
  const back = (span: Span): Span => ({ from: addDays(span.from, -shift), to: addDays(span.to, -shift) });
  const buckets = toBuckets({ from, to }, interval);
  return {
    current: { from, to },
    previous: compare === 'none' ? null : back({ from, to }),
    interval,
    buckets,
    previousBuckets: compare === 'none' ? [] : buckets.map(back),
  };
}

function chooseInterval(days: number): Interval {
  if (days <= maxDailyBuckets) return 'day';
  return days <= maxWeeklyBuckets * 7 ? 'week' : 'month';
}

/** Weeks start on Monday. The first and the last bucket can be shorter. */
function toBuckets({ from, to }: Span, interval: Interval): Span[] {
  const buckets: Span[] = [];
  for (let start = from; start <= to; ) {
    const next = startOfNext(interval, start);
    const end = addDays(next, -1);
    buckets.push({ from: start, to: end < to ? end : to });
    start = next;
  }
  return buckets;
}

/** The same date one year before; 28 February for a leap day. */
export function yearBefore(day: LocalDate): LocalDate {
  const year = Number(day.slice(0, 4)) - 1;
  return day.endsWith('-02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`;
}
