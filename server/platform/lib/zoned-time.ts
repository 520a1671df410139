// Days and months in a program's time zone. SQL only receives instants computed here, so that the database's time zone
// data is never used and can't disagree. Correct across daylight saving changes.

/** A date such as 2026-03-01; dates sort and compare as strings. */
export type LocalDate = string;
/** The spans that a calendar consists of. Weeks start on Monday. */
export type Interval = 'day' | 'week' | 'month';

const formats = new Map<string, Intl.DateTimeFormat>();

/** UTC offsets never change within a quarter of an hour, so all instants in it have the same date. */
const quarterHourMs = 15 * 60_000;
/** The last result per zone: rows usually arrive in the order of their times. */
const latest = new Map<string, { quarterHour: number; date: LocalDate }>();

/** The date of an instant in UTC. */
export function toUtcDay(at: Date): LocalDate {
  return at.toISOString().slice(0, 10);
}

/** The local date of an instant. */
export function localDate(at: Date, timezone: string): LocalDate {
  const quarterHour = Math.floor(at.getTime() / quarterHourMs);
  const last = latest.get(timezone);
  if (last?.quarterHour === quarterHour) return last.date;
  const date = formatDate(at, timezone);
  latest.set(timezone, { quarterHour, date });
  return date;
}

function formatDate(at: Date, timezone: string): LocalDate {
  const known = formats.get(timezone);
  const format =
    known ?? new Intl.DateTimeFormat('en-u-ca-iso8601', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' });
  if (!known) formats.set(timezone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** The local month of an instant, such as 2026-03. */
export function localMonth(at: Date, timezone: string): string {
  return localDate(at, timezone).slice(0, 7);
}

const minuteMs = 60_000;
/** Larger than any UTC offset. */
const largestOffsetMs = 15 * 3_600_000;

/**
 * The first instant of a local date, or the first one after a date that the zone skipped. It isn't always midnight: if
 * daylight saving time starts at midnight, the day starts at 01:00.
 */
export function startOfDay(date: LocalDate, timezone: string): Date {
  const utc = Date.parse(`${date}T00:00:00Z`);
  let [before, after] = [utc - largestOffsetMs, utc + largestOffsetMs];
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (localDate(new Date(middle), timezone) >= date) after = middle;
    else before = middle;
  }
  return new Date(after);
}

const dayMs = 86_400_000;
const hourFormats = new Map<string, Intl.DateTimeFormat>();

/** The first instant of a date at which a clock shows this hour (0–23) or, where daylight saving time skips it, a later one. */
export function startOfHour(date: LocalDate, { hour, timezone }: { hour: number; timezone: string }): Date {
  const start = startOfDay(date, timezone).getTime();
  // No change to daylight saving time is larger than two hours.
  for (let at = start + Math.max(0, hour - 2) * 3_600_000; at < start + dayMs; at += quarterHourMs)
    if (localHour(new Date(at), timezone) >= hour) return new Date(at);
  return new Date(start);
}

function localHour(at: Date, timezone: string): number {
  const known = hourFormats.get(timezone);
  const format = known ?? new Intl.DateTimeFormat('en', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' });
  if (!known) hourFormats.set(timezone, format);
  return Number(format.format(at));
}

/** The first instants of consecutive dates. */
export function startsOfDays(first: LocalDate, days: number, timezone: string): Date[] {
  return Array.from({ length: days }, (_, index) => startOfDay(addDays(first, index), timezone));
}

/** The number of days from one date to another. */
export function countDays(from: LocalDate, to: LocalDate): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
}

/** The date `days` days later. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The first day of the month `months` months later. */
export function addMonths(month: string, months: number): LocalDate {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 10);
}

/** The Monday of the week that contains this day. */
export function mondayOf(day: LocalDate): LocalDate {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The first day after the day, week or month that contains this day. */
export function startOfNext(interval: Interval, day: LocalDate): LocalDate {
  if (interval === 'day') return addDays(day, 1);
  return interval === 'week' ? addDays(mondayOf(day), 7) : addMonths(day.slice(0, 7), 1);
}

/** The first instant of a month and of the next one. */
export function monthSpan(month: string, timezone: string): { from: Date; to: Date } {
  return { from: startOfDay(`${month}-01`, timezone), to: startOfDay(addMonths(month, 1), timezone) };
}
