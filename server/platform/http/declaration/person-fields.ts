// Fields that describe people: affiliates, users, members.
import { z } from 'zod';
import { emailKey, showMixedScripts } from '../../lib/email-address.ts';
import { line, optionalLine } from './fields.ts';

export const emailField = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => emailKey(text) !== null, { error: 'must be an email address' })
  .transform(showMixedScripts)
  .meta({ json: { type: 'string', format: 'email', maxLength: 254 } });

/** Angle brackets are not allowed because names appear in mail headers. */
const isWithoutBrackets = (text: string) => !/[<>]/.test(text);
const brackets = { error: 'must not contain < or >' };

export const nameField = line(100)
  .refine(isWithoutBrackets, brackets)
  .meta({ json: { type: 'string', minLength: 1, maxLength: 100 } });

/** Not everyone has a last name: empty is accepted. */
export const lastNameField = optionalLine(100)
  .refine(isWithoutBrackets, brackets)
  .meta({ json: { type: 'string', maxLength: 100 } });
