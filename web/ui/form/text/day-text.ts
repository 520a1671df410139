// Days as they are typed and shown in fields: `21 Dec 2026`, as everywhere in the app. Pure.
import type { Language } from '../../figures/context.ts';
import { formatDay } from '../../figures/dates.ts';

/** `2026-12-21` as text. */
export function showDay(day: string | null, language: Language): string {
  return day === null ? '' : formatDay(day, language);
}

/** The day in a text such as "21 Dec 2026", "21.12.2026", "12/21/2026" or "2026-12-21"; null for other texts. */
export function readDay(text: string, language: Language): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim());
  if (iso) return toDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const parts = text
    .toLocaleLowerCase(language)
    .split(/[\s.,/-]+/)
    .filter((part) => part !== '');
  if (parts.length !== 3) return null;
  const [first = '', second = '', year = ''] = parts;
  if (!/^\d{4}$/.test(year)) return null;
  const [firstMonth, secondMonth] = [monthOf(first, language), monthOf(second, language)];
  if (secondMonth !== null) return toDay(Number(year), secondMonth, Number(first));
  if (firstMonth !== null) return toDay(Number(year), firstMonth, Number(second));
  return toDay(Number(year), Number(second), Number(first)) ?? toDay(Number(year), Number(first), Number(second));
}

/** Months by their name or its beginning, at least three letters. */
function monthOf(text: string, language: Language): number | null {
  if (!/^\p{L}{3,}$/u.test(text)) return null;
  const names = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1)));
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  const found = names.findIndex((at) => format.format(at).toLocaleLowerCase(language).startsWith(text));
  return found < 0 ? null : found + 1;
}

function toDay(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const isReal = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isReal ? at.toISOString().slice(0, 10) : null;
}
