// The text of an email in a request, and its validation.
import { z } from 'zod';
import { line, paragraph } from '../../../platform/http/declaration/fields.ts';
import type { Detail } from '../../../platform/lib/errors.ts';
import { locales } from '../look/look.ts';
import { editableNames } from './editable.ts';
import type { EmailText } from './stored-texts.ts';
import { checkPlaceholders, type Editable } from './text.ts';

const maxBody = 2000;

/** Identifies a text. */
export const EmailAddress = z.object({
  email: z.enum(editableNames),
  locale: z.enum(locales).describe('The language of the text.'),
});

export const EmailTextFields = {
  subject: line(150),
  heading: line(150).describe('The first line of the email.'),
  body: paragraph(maxBody)
    .refine((text) => text.length > 0, { error: 'must not be empty' })
    .describe('Each line is a paragraph.'),
};

/** A fault for each part that contains a placeholder which the email does not have. */
export function checkText({ placeholders }: Editable, text: EmailText): Detail[] {
  return (['subject', 'heading', 'body'] as const).flatMap((part) => {
    const message = checkPlaceholders(text[part], placeholders);
    return message === null ? [] : [{ path: [part], message }];
  });
}
