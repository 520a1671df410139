// What a program changes about its emails to affiliates: which ones it sends, and what they say in each language.

import { z } from 'zod';
import { lockPrograms } from '../../../accounts/programs/lock-program.ts';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import type { Principal } from '../../../platform/http/declaration/principal.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { type SwitchableKind, switchableKinds } from '../kinds/table.ts';
import type { Locale } from '../look/look.ts';
import { readSwitchedOff, switchEmails } from '../settings/switches.ts';
import { type EditableEmail, editableEmails, editableNames } from './editable.ts';
import { checkText, EmailAddress, EmailTextFields } from './fields.ts';
import { type EmailText, findText, listTexts, storeText } from './stored-texts.ts';
import { placeholderNames } from './text.ts';

const Text = z
  .object({
    subject: z.string(),
    heading: z.string().describe('The first line of the email.'),
    body: z.string().describe('Each line is a paragraph.'),
    isEdited: z.boolean().describe('Whether the program edited the text; otherwise it is the default.'),
  })
  .meta({ id: 'EmailText' });

const EmailSetting = z
  .object({
    email: z.enum(editableNames),
    isOn: z.boolean().nullable().describe('Whether the program sends the email; null if it is always sent.'),
    placeholders: z
      .array(z.enum(placeholderNames))
      .describe('What the text can contain in braces, such as `{firstName}`. It is replaced for each recipient.'),
    texts: z.object({ en: Text.describe('In English.'), de: Text.describe('In German.') }).describe('The text in each language.'),
  })
  .meta({
    id: 'EmailSetting',
    example: {
      email: 'first_sale',
      isOn: true,
      placeholders: ['program', 'firstName', 'amount'],
      texts: {
        en: { subject: 'Your first sale for {program}', heading: 'Well done, {firstName}', body: 'You earned {amount}.', isEdited: true },
        de: { subject: 'Dein erster Verkauf', heading: 'Glückwunsch, {firstName}', body: 'Du hast {amount} verdient.', isEdited: true },
      },
    },
  });

const common = { requires: 'settings.write', isUserOnly: true, tag: 'Emails', statuses: [200] as const } as const;

export const getEmailSettings = endpoint({
  id: 'emailSettings.get',
  route: 'GET /app/programs/:programId/email-settings',
  scope: 'read',
  summary: 'Get the emails that a program can change',
  description: 'Emails about the security of an account are not among them: they are always sent, with the same text.',
  ...common,
  result: z.object({ emails: z.array(EmailSetting) }).meta({ id: 'EmailSettings', example: { emails: [] } }),
  async handle(ctx, { actor: { programId } }) {
    return { emails: await readSettings(ctx, programId) };
  },
});

export const switchEmail = endpoint({
  id: 'emailSwitches.update',
  route: 'PATCH /app/programs/:programId/email-switches',
  scope: 'write',
  summary: 'Switch an email on or off',
  description: 'An email that is switched off is not sent to any affiliate. What happened in the meantime is not sent later.',
  ...common,
  body: z
    .object({ email: z.enum(switchableKinds), isOn: z.boolean().describe('Whether the program sends the email.') })
    .meta({ id: 'EmailSwitch', example: { email: 'statement', isOn: false } }),
  result: EmailSetting,
  async handle(tx, { actor, body: { email, isOn } }) {
    const { programId } = actor;
    await lockProgram(tx, programId);
    const wasOn = !(await readSwitchedOff(tx, programId)).includes(email);
    if (wasOn !== isOn) {
      await switchEmails(tx, { programId, kind: email, isOn });
      const action = isOn ? ('email.switched_on' as const) : ('email.switched_off' as const);
      const [before, after] = [
        { email, isOn: wasOn },
        { email, isOn },
      ];
      await recordChange(tx, { programId, actor, action, subjectId: programId, before, after });
    }
    return readSetting(tx, programId, email);
  },
});

export const updateEmailText = endpoint({
  id: 'emailTexts.update',
  route: 'PATCH /app/programs/:programId/email-texts',
  scope: 'write',
  summary: 'Edit the text of an email',
  description: 'Emails that are written from now on have the new text. A placeholder that the email does not have is rejected.',
  ...common,
  body: EmailAddress.extend(EmailTextFields).meta({
    id: 'EmailTextUpdate',
    example: { email: 'first_sale', locale: 'en', subject: 'Hooray', heading: 'Well done, {firstName}', body: 'You earned {amount}.' },
  }),
  result: EmailSetting,
  async handle(tx, { actor, body: { email, locale, subject, heading, body } }) {
    const text = { subject, heading, body };
    const faults = checkText(editableEmails[email], text);
    if (faults.length > 0) throw new Invalid(faults);
    await changeText(tx, actor, { email, locale, text });
    return readSetting(tx, actor.programId, email);
  },
});

export const restoreEmailText = endpoint({
  id: 'emailTexts.restore',
  route: 'POST /app/programs/:programId/email-texts/restore',
  scope: 'write',
  summary: 'Restore the default text of an email',
  ...common,
  body: EmailAddress.meta({ id: 'EmailTextRestore', example: { email: 'first_sale', locale: 'en' } }),
  result: EmailSetting,
  async handle(tx, { actor, body: { email, locale } }) {
    await changeText(tx, actor, { email, locale, text: null });
    return readSetting(tx, actor.programId, email);
  },
});

type Author = Extract<Principal, { programId: string }>;
type TextChange = { email: EditableEmail; locale: Locale; text: EmailText | null };

/** Stores a text, null for the default one, with an audit entry if it differs. */
async function changeText(tx: Tx, actor: Author, { email, locale, text }: TextChange): Promise<void> {
  const { programId } = actor;
  await lockProgram(tx, programId);
  const stored = await findText(tx, { programId, email, locale });
  const standard = editableEmails[email].toDefault(locale);
  const [before, after] = [stored ?? standard, text ?? standard];
  await storeText(tx, { programId, email, locale }, text && isEqual(text, standard) ? null : text);
  if (isEqual(before, after)) return;
  const action = text === null ? ('email.text_restored' as const) : ('email.text_edited' as const);
  const describe = ({ subject, heading, body }: EmailText) => ({ email, locale, subject, heading, body });
  await recordChange(tx, { programId, actor, action, subjectId: programId, before: describe(before), after: describe(after) });
}

const isEqual = (one: EmailText, other: EmailText): boolean =>
  one.subject === other.subject && one.heading === other.heading && one.body === other.body;

/** Changes of one program wait for each other, even before it has a row. */
async function lockProgram(tx: Tx, programId: string): Promise<void> {
  await lockPrograms(tx, [programId]);
}

type Setting = z.input<typeof EmailSetting>;

async function readSettings(ctx: Pick<Context, 'db'>, programId: string): Promise<Setting[]> {
  const off = await readSwitchedOff(ctx, programId);
  const edited = await listTexts(ctx, programId);
  const toText = (email: EditableEmail, locale: Locale) => {
    const found = edited.find((text) => text.email === email && text.locale === locale);
    const { subject, heading, body } = found ?? editableEmails[email].toDefault(locale);
    return { subject, heading, body, isEdited: found !== undefined };
  };
  return editableNames.map((email) => {
    const kind = switchableKinds.find((one: SwitchableKind) => one === email);
    const texts = { en: toText(email, 'en'), de: toText(email, 'de') };
    return { email, isOn: kind ? !off.includes(kind) : null, placeholders: [...editableEmails[email].placeholders], texts };
  });
}

async function readSetting(ctx: Pick<Context, 'db'>, programId: string, email: EditableEmail): Promise<Setting> {
  const setting = (await readSettings(ctx, programId)).find((one) => one.email === email);
  if (!setting) throw new Error(`${email} is not an email that programs can edit.`);
  return setting;
}
