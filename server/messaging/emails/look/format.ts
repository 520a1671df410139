// Times in emails: to the minute, in UTC, because the reader's time zone isn't known. Months have a name.
import type { Locale } from './look.ts';

/** "1 March 2026, 12:00 UTC" */
export function formatTime(at: Date, locale: Locale): string {
  const form = new Intl.DateTimeFormat(locale === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${form.format(at).replace(/ (?:at|um) /, ', ')} UTC`;
}

/** "March 2026" for 2026-03 */
export function formatMonth(month: string, locale: Locale): string {
  const form = new Intl.DateTimeFormat(locale === 'de' ? 'de-DE' : 'en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return form.format(new Date(`${month}-01T00:00:00Z`));
}
