// Chooses the text of an error by its code, and inserts what the response states: times, hosts.
import i18next from 'i18next';
import type { RequestError } from '../../api/errors.ts';
import type { Language } from '../../locales/load.ts';
import { formatDateTime } from '../figures/dates.ts';
import { explainFault } from '../form/faults.ts';

type Facts = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

const sources: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('../../locales/problems/en.json'),
  de: () => import('../../locales/problems/de.json'),
};

const noValues = { min: '', max: '', size: '', length: '' };

/** The text of an error in a language; of an invalid request, what is wrong with its first field. */
export async function wordError(error: Pick<RequestError, 'code' | 'body' | 'details'>, language: Language): Promise<string | null> {
  const { default: texts } = await sources[language]();
  const fault = error.code === 'invalid_request' ? explainFault(error.details[0]?.message ?? '') : null;
  return fault === null ? chooseText(texts, error, language) : i18next.t(`ui:fault.${fault.key}`, { ...noValues, ...fault.values });
}

/** The text of an error code. With `CODE.known`, that text is used when the response has every value it inserts. */
export function chooseText(texts: Texts, { code, body }: { code: string; body: Facts }, language: Language): string | null {
  const detailed = texts[`${code}.known`];
  const filled = detailed === undefined ? null : fill(detailed, body, language);
  return filled ?? texts[code] ?? null;
}

function fill(text: string, facts: Facts, language: Language): string | null {
  const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
  const values = new Map(names.map((name) => [name, format(facts[name], language)]));
  if ([...values.values()].includes(null)) return null;
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? '');
}

function format(value: unknown, language: Language): string | null {
  if (Array.isArray(value)) return value.length === 0 ? null : new Intl.ListFormat(language).format(value.map(String));
  if (typeof value !== 'string') return null;
  return /^\d{4}-\d\d-\d\dT/.test(value) ? formatDateTime(value, { language, timezone: ownTimezone() }, Date.now()) : value;
}

function ownTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
