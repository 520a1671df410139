// Reads a join form that was sent: what was typed, to show it again, and either what it means or one message per field.
import { line, paragraph, webAddress } from '../../../platform/http/declaration/fields.ts';
import { emailField, lastNameField, nameField } from '../../../platform/http/declaration/person-fields.ts';
import type { Answer } from '../application.ts';
import type { JoinForm } from '../settings/join-form.ts';
import type { Question } from '../settings/question.ts';
import type { SentForm } from '../submit.ts';
import type { JoinTexts } from './texts.ts';

/** What was typed, by the name of the field. */
export type Typed = ReadonlyMap<string, string>;
/** One message per field, in the order of the form. */
export type FieldErrors = ReadonlyMap<string, string>;

export type ReadForm = { typed: Typed; isSpam: boolean; form: SentForm | null; errors: FieldErrors };

/** A field that people don't see. */
export const trapField = 'contact_me_at';

const [shortText, longText] = [200, 2000];
const texts = { short_text: line(shortText), long_text: paragraph(longText) };

/** The name of the field of a question. */
export const fieldOf = ({ id }: Pick<Question, 'id'>): string => `q_${id}`;

/** `form` is null if there are errors. */
export function readSentForm(sent: URLSearchParams, { questions, terms }: JoinForm, words: JoinTexts): ReadForm {
  const typed: Typed = new Map(sent);
  const errors = new Map<string, string>();
  const readName = (field: string, schema: typeof nameField): string => {
    const name = schema.safeParse(typed.get(field) ?? '');
    if (!name.success) errors.set(field, (typed.get(field) ?? '').trim() === '' ? words.errors.noName : words.errors.name);
    return name.data ?? '';
  };
  const [firstName, lastName] = [readName('firstName', nameField), readName('lastName', lastNameField)];
  const email = emailField.safeParse(typed.get('email') ?? '');
  if (!email.success) errors.set('email', words.errors.email);
  const answers = questions.flatMap((question): Answer[] => {
    const { id: questionId, kind, label } = question;
    const read = readAnswer(question, typed.get(fieldOf(question)) ?? '', words);
    if ('error' in read) errors.set(fieldOf(question), read.error);
    return 'error' in read || read.answer === '' ? [] : [{ questionId, kind, question: label, answer: read.answer }];
  });
  const termsError = terms && findTermsError(typed, terms.version, words);
  if (termsError) errors.set('acceptTerms', termsError);
  const form = { email: email.data ?? '', firstName, lastName, answers, termsVersion: terms?.version ?? null };
  return { typed, errors, form: errors.size > 0 ? null : form, isSpam: (typed.get(trapField) ?? '') !== '' };
}

type Read = { answer: string } | { error: string };

function readAnswer({ kind, isRequired, options }: Question, given: string, { errors }: JoinTexts): Read {
  const text = given.trim();
  if (text === '') return isRequired ? { error: errors.missing } : { answer: '' };
  if (kind === 'choice') return options.includes(text) ? { answer: text } : { error: errors.option };
  if (kind === 'url') {
    // Addresses are often typed without their scheme.
    const address = webAddress.safeParse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
    return address.success && new URL(address.data).hostname.includes('.') ? { answer: address.data } : { error: errors.url };
  }
  const parsed = texts[kind].safeParse(given);
  return parsed.success ? { answer: parsed.data } : { error: errors.tooLong(kind === 'short_text' ? shortText : longText) };
}

/** Applicants accept the version that they saw. */
function findTermsError(typed: Typed, version: number, { errors }: JoinTexts): string | null {
  if (typed.get('termsVersion') !== String(version)) return errors.termsChanged;
  return typed.get('acceptTerms') === 'yes' ? null : errors.terms;
}
