// Dates and times as text. Near times are relative, others are written out; days follow the time zone that is passed.
import type { Language } from './context.ts';
import { dayOf, daysBetween } from './days.ts';

/** English dates are written day first and with a 24-hour clock: 21 Dec 2026, 14:02. */
const dateLocale = { en: 'en-GB', de: 'de-DE' } as const;

const minute = 60_000;
const hour = 60 * minute;

const formatters = new Map<string, Intl.DateTimeFormat>();

function dateFormat(language: Language, timezone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${timezone} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const created = new Intl.DateTimeFormat(dateLocale[language], { timeZone: timezone, ...options });
  formatters.set(key, created);
  return created;
}

type Place = { language: Language; timezone: string };

/** `21 Dec 2026`; without the year when it is the current one and `now` is passed. */
export function formatDate(instant: string | number, { language, timezone }: Place, now?: number): string {
  const at = new Date(instant);
  const isThisYear = now !== undefined && yearOf(at, timezone) === yearOf(new Date(now), timezone);
  const text = dateFormat(language, timezone, { day: 'numeric', month: 'short', ...yearOption(isThisYear) }).format(at);
  // British English writes "Sept"; every other month has three letters.
  return text.replace('Sept', 'Sep');
}

function yearOption(isThisYear: boolean): Intl.DateTimeFormatOptions {
  return isThisYear ? {} : { year: 'numeric' };
}

/** `14:02`. */
export function formatTime(instant: string | number, { language, timezone }: Place): string {
  return dateFormat(language, timezone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(instant));
}

/** `21 Dec 2026, 14:02`. */
export function formatDateTime(instant: string | number, place: Place, now?: number): string {
  return `${formatDate(instant, place, now)}, ${formatTime(instant, place)}`;
}

/** A day of the API (`2026-12-21`) as text. It has no time zone, so none may move it. */
export function formatDay(dayOn: string, language: Language, now?: number): string {
  return formatDate(`${dayOn}T12:00:00Z`, { language, timezone: 'UTC' }, now);
}

/** "2 hours ago", "in 12 days"; null when the time is too far away to be useful in relative form. */
export function formatRelative(instant: string | number, now: number, { language, timezone }: Place): string | null {
  const at = new Date(instant).getTime();
  const distance = Math.abs(at - now);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (distance < minute) return relative.format(0, 'second');
  if (distance < hour) return relative.format(Math.trunc((at - now) / minute), 'minute');
  if (distance < 12 * hour) return relative.format(Math.trunc((at - now) / hour), 'hour');
  const days = daysBetween(now, at, timezone);
  if (Math.abs(days) > 13) return null;
  return days === 0 ? relative.format(Math.trunc((at - now) / hour), 'hour') : relative.format(days, 'day');
}

/** Near times relative, others as a date with its time. */
export function formatNear(instant: string | number, now: number, place: Place): string {
  return formatRelative(instant, now, place) ?? formatDateTime(instant, place, now);
}

/** The name of a time zone as people say it: "New York", "UTC". */
export function nameOfZone(timezone: string): string {
  return timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone;
}

function yearOf(at: Date, timezone: string): string {
  return dayOf(at.getTime(), timezone).slice(0, 4);
}
