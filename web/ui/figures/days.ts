// Calendar days (`2026-12-21`) in a time zone, even when its clocks change. Pure.
const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Larger than any UTC offset. */
const largestOffsetMs = 15 * 3_600_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day on which an instant falls. */
export function dayOf(instant: string | number, timezone: string): string {
  const known = formats.get(timezone);
  const format = known ?? new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' });
  if (!known) formats.set(timezone, format);
  return format.format(new Date(instant));
}

/** The day `days` days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Whole calendar days from one instant to another, in a time zone. */
export function daysBetween(from: number, to: number, timezone: string): number {
  return Math.round((Date.parse(dayOf(to, timezone)) - Date.parse(dayOf(from, timezone))) / dayMs);
}

/** The first instant of a day, as ISO 8601: not midnight where clocks are set forward at midnight. */
export function startOfDay(day: string, timezone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`);
  let [before, after] = [utc - largestOffsetMs, utc + largestOffsetMs];
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (dayOf(middle, timezone) >= day) after = middle;
    else before = middle;
  }
  return new Date(after).toISOString();
}
