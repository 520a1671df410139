// How busy the demo is: it grows, has a weekly rhythm, and is quiet at night.
import type { Random } from '../random.ts';

/** Of a usual day at the end of the seeded period. */
export const clicksPerDay = 150;
export const ordersPerDay = 12;

const dayMs = 86_400_000;
/** From Sunday to Saturday: people read newsletters on Sunday and Monday. */
const weekdays = [1.16, 1.22, 1.08, 1.0, 0.96, 0.82, 0.86];
/** From midnight to midnight in UTC, for visitors of whom most are in America and Europe. */
const hours = [5, 4, 3, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11, 11, 10, 9, 9, 8, 7, 6];
const hoursTotal = sum(hours);

/** How busy a day is, relative to a usual day at the end. `progress`: 0 at the start of the seeded period, 1 at its end. */
export function dayWeight(day: Date, progress: number): number {
  const growth = 0.4 + 0.6 * Math.min(1, progress) ** 1.3;
  return growth * (weekdays[day.getUTCDay()] ?? 1);
}

/** A time of this day. */
export function pickTime(random: Random, day: Date): Date {
  let at = random.number(hoursTotal);
  const hour = hours.findIndex((weight) => {
    at -= weight;
    return at < 0;
  });
  return new Date(startOfDay(day).getTime() + hour * 3_600_000 + random.number(3_600_000));
}

/** How many orders a usual day has until this time. */
export function expectedOrders(now: Date): number {
  const hour = now.getUTCHours();
  const passed = sum(hours.slice(0, hour)) + ((hours[hour] ?? 0) * now.getUTCMinutes()) / 60;
  return (ordersPerDay * dayWeight(now, 1) * passed) / hoursTotal;
}

/** Numbers grow with time: one for every half minute. */
export function orderNumber(at: Date): number {
  return Math.floor((at.getTime() - Date.UTC(2025, 0, 1)) / 30_000);
}

export function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
