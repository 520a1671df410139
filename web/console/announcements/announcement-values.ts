// Announcements in forms, and the requests they become. Pure.
import type { Input, Result } from '../../api/call.ts';
import { startOfDay } from '../../ui/figures/days.ts';

export type Announcement = Result<'announcements.get'>;
export type Locale = 'en' | 'de';
export type Text = { subject: string; heading: string; body: string };

/** The reads that a change of an announcement affects. */
export const affected = ['announcements.list', 'announcements.get'] as const;

export const recipientStatuses = ['active', 'pending', 'suspended'] as const;
type RecipientStatus = (typeof recipientStatuses)[number];

const parts = ['subject', 'heading', 'body'] as const;
type TextField = `texts.${Locale}.${(typeof parts)[number]}`;

export type AnnouncementValues = Record<TextField, string> & {
  statuses: readonly RecipientStatus[];
  groupIds: readonly string[];
  locale: Locale | null;
};

/** The language, if there is a text in it; otherwise the other one. */
export function localeWithText(texts: Announcement['texts'], wanted: Locale): Locale {
  return texts[wanted] === null ? (wanted === 'en' ? 'de' : 'en') : wanted;
}

export const noText: Text = { subject: '', heading: '', body: '' };

const toFields = (locale: Locale, text: Text | null) =>
  Object.fromEntries(parts.map((part) => [`texts.${locale}.${part}`, text?.[part] ?? ''])) as Record<TextField, string>;

export const emptyAnnouncement: AnnouncementValues = {
  ...toFields('en', null),
  ...toFields('de', null),
  statuses: ['active'],
  groupIds: [],
  locale: null,
};

/** The initial values of the form of an existing announcement. */
export function toValues({ texts, audience }: Announcement): AnnouncementValues {
  return { ...toFields('en', texts.en), ...toFields('de', texts.de), ...audience };
}

/** The text in a language; null if all of its fields are empty. */
export function textOf(values: AnnouncementValues, locale: Locale): Text | null {
  const text = { ...noText };
  for (const part of parts) text[part] = values[`texts.${locale}.${part}`];
  return parts.some((part) => text[part].trim() !== '') ? text : null;
}

/** The fields that must be filled before anything can be saved: those of one language. */
export function findMissing(values: AnnouncementValues, locale: Locale): TextField[] {
  if (textOf(values, 'en') !== null || textOf(values, 'de') !== null) return [];
  return parts.map((part) => `texts.${locale}.${part}` as const);
}

type Body = NonNullable<Input<'announcements.create'>['body']>;

/** The announcement that the form describes. */
export function toBody(values: AnnouncementValues): Body {
  const { statuses, groupIds, locale } = values;
  return {
    texts: { en: textOf(values, 'en'), de: textOf(values, 'de') },
    audience: { statuses: [...statuses], groupIds: [...groupIds], locale },
  };
}

/** The recipients as a query of `announcementAudience.get`. */
export function toAudienceQuery({ statuses, groupIds, locale }: Pick<AnnouncementValues, 'statuses' | 'groupIds' | 'locale'>) {
  return { status: [...statuses], groupId: [...groupIds], locale: locale ?? undefined };
}

const hourMs = 3_600_000;

/** The instant of an hour of a day in a time zone. An hour that the clocks skip becomes the next one. */
export function toInstant(day: string, hour: number, timezone: string): string {
  const guess = Date.parse(startOfDay(day, timezone)) + hour * hourMs;
  return new Date(guess + (hour - hourOf(guess, timezone)) * hourMs).toISOString();
}

/** The hour of an instant in a time zone. */
export function hourOf(instant: string | number, timezone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' });
  return Number(format.format(new Date(instant)));
}
