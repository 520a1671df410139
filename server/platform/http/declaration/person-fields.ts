// Fields that describe people: affiliates, users, members.
import { z } from 'zod';
import { emailKey } from '../../lib/email-address.ts';
import { line } from './fields.ts';

export const emailField = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => emailKey(text) !== null, { error: 'must be an email address' })
  .meta({ json: { type: 'string', format: 'email', maxLength: 254 } });

/** Angle brackets are not allowed because names appear in mail headers. */
export const nameField = line(100)
  .refine((text) => !/[<>]/.test(text), { error: 'must not contain < or >' })
  .meta({ json: { type: 'string', minLength: 1, maxLength: 100 } });
