// The text of an email that programs can edit: subject, heading and body, with placeholders for what differs between
// recipients. The default text has the same placeholders, so both are written by the same function.
import type { Frame, Locale } from '../look/look.ts';
import type { EmailText } from './stored-texts.ts';

export const placeholderNames = ['program', 'firstName', 'email', 'amount', 'month', 'earned', 'balance'] as const;
export type Placeholder = (typeof placeholderNames)[number];

/** The text of an email that programs can edit. */
export type Editable = {
  /** The placeholders that the text can contain. */
  placeholders: readonly Placeholder[];
  /** The text of a program that has not edited it. */
  toDefault: (locale: Locale) => EmailText;
};

const pattern = /\{([^{}\n]*)\}/g;

export const toPlaceholder = (name: string): string => `{${name}}`;

/** The placeholders in a text that are not among these, with their braces. */
export function findUnknown(text: string, known: readonly string[]): string[] {
  const found = [...text.matchAll(pattern)].filter(([, name]) => !known.some((one) => one === name));
  return [...new Set(found.map(([placeholder]) => placeholder))];
}

/** What is wrong with the placeholders of a text; null if all of them are known. */
export function checkPlaceholders(text: string, known: readonly string[]): string | null {
  const [unknown] = findUnknown(text, known);
  return unknown === undefined ? null : `must not contain the placeholder ${unknown}; possible are ${known.map(toPlaceholder).join(', ')}`;
}

/** A text with these values. Values that contain placeholders are not replaced again. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  const known = new Map(Object.entries(values));
  return text.replaceAll(pattern, (placeholder, name: string) => known.get(name) ?? placeholder);
}

type Values = Partial<Record<Placeholder, string>>;

/** The text of an email to one recipient. */
export function writeText(
  { locale, edited }: Pick<Frame, 'locale' | 'edited'>,
  editable: Editable,
  values: Values,
): { subject: string; heading: string; paragraphs: string[] } {
  const { subject, heading, body } = edited ?? editable.toDefault(locale);
  const fill = (text: string) => fillPlaceholders(text, values);
  const lines = body.split(/\s*\n\s*/).filter((line) => line !== '');
  return { subject: fill(subject), heading: fill(heading), paragraphs: lines.map(fill) };
}
