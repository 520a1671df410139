// The forecast in weeks or months, and the day on which the next batch is expected. Pure.
import { addDays } from '../../../ui/figures/days.ts';

type Day = { maturesOn: string; maturingCents: number };

export type Unit = 'week' | 'month';

/** `start` and `end` are the first and the last day that the forecast contains of the week or month. */
export type Bucket = { start: string; end: string; maturingCents: number };

/** Adds up the days by calendar week, from Monday on, or by calendar month. */
export function toBuckets(days: readonly Day[], unit: Unit): Bucket[] {
  const buckets = new Map<string, Bucket>();
  for (const { maturesOn, maturingCents } of days) {
    const key = unit === 'month' ? maturesOn.slice(0, 7) : mondayOf(maturesOn);
    const before = buckets.get(key) ?? { start: maturesOn, end: maturesOn, maturingCents: 0 };
    buckets.set(key, { ...before, end: maturesOn, maturingCents: before.maturingCents + maturingCents });
  }
  return [...buckets.values()];
}

function mondayOf(day: string): string {
  return addDays(day, -((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7));
}

/** The next day, from today on, with the day of the month of the last batch; the last day of shorter months. */
export function nextPayday(lastOn: string, today: string): string {
  const [, , dayOfMonth = 1] = lastOn.split('-').map(Number);
  for (let month = 0; ; month += 1) {
    const candidate = dayInMonth(today, month, dayOfMonth);
    if (candidate >= today && candidate > lastOn) return candidate;
  }
}

function dayInMonth(from: string, monthsLater: number, dayOfMonth: number): string {
  const [year = 0, month = 1] = from.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + monthsLater, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + monthsLater, Math.min(dayOfMonth, last))).toISOString().slice(0, 10);
}
