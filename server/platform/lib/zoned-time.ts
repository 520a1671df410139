// Days and months in a program's time zone. The only place that knows time zones: SQL receives the instants computed here,
// so the database's own time zone data is never asked and can't disagree. Pure; safe across changes to and from summer time.

/** Dates are texts like 2026-03-01; they sort and compare as such. */
export type LocalDate = string;

const formats = new Map<string, Intl.DateTimeFormat>();

/** No offset from UTC changes within a quarter of an hour of UTC, so its date is the same throughout. */
const quarterHourMs = 15 * 60_000;
/** The last quarter of an hour that was asked for in each zone: rows come in the order of their times. */
const latest = new Map<string, { quarterHour: number; date: LocalDate }>();

/** The date that a clock on the wall shows at this instant. */
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

/** The month of an instant, as 2026-03. */
export function localMonth(at: Date, timezone: string): string {
  return localDate(at, timezone).slice(0, 7);
}

const minuteMs = 60_000;
/** No offset from UTC is larger. */
const largestOffsetMs = 15 * 3_600_000;

/**
 * The first instant of a local date; of a date that the zone skipped, the first one after it. It isn't always midnight:
 * where summer time begins at midnight the day begins at one.
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

/** The same date so many days later. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The first of the month so many months later. */
export function addMonths(month: string, months: number): LocalDate {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 10);
}

/** From the first instant of a month to that of the next one. */
export function monthSpan(month: string, timezone: string): { from: Date; to: Date } {
  return { from: startOfDay(`${month}-01`, timezone), to: startOfDay(addMonths(month, 1), timezone) };
}
