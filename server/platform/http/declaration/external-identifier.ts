import { z } from 'zod';
import { isOneLine } from '../../lib/text.ts';

/** An identifier from an external system, stored byte for byte apart from surrounding white space. */
export function externalIdentifier(max: number) {
  return z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, { error: 'must not be empty' })
    .refine((text) => text.length <= max, { error: `must not be longer than ${max} characters` })
    .refine(isOneLine, { error: 'must be one line without control characters' })
    .meta({ json: { type: 'string', minLength: 1, maxLength: max } });
}
