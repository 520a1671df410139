// The fields of an affiliate that describe the person, and those that connect it with other systems.
import { z } from 'zod';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { foldAccents, fullName } from '../../platform/lib/text.ts';

const maxKeys = 50;
const key = line(40);
const value = z.string().max(500, 'must not be longer than 500 characters');

/** Metadata as it is stored. */
export const Metadata = z.record(z.string(), z.string()).describe('Up to 50 keys with text values, for your own use.');
export type Metadata = z.output<typeof Metadata>;

export const externalIdField = externalIdentifier(200).nullable().describe("The affiliate's id in your system; unique in the program.");
export const metadataField = z
  .record(key, value.nullable())
  .refine((given) => Object.keys(given).length <= maxKeys, { error: `must not have more than ${maxKeys} keys` })
  .describe('Text values by key: keys up to 40 characters, values up to 500. Merged with the stored keys; null removes a key.');
export const tagsField = z
  .array(line(50))
  .max(50)
  .transform((tags) => [...new Set(tags)])
  .describe('Your own labels, at most 50. Replaces the whole list.')
  .meta({ json: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 50 } } });

/** The stored metadata after a change. Throws Invalid when it would have too many keys. */
export function mergeMetadata(stored: unknown, given: Record<string, string | null> = {}): Metadata {
  const merged = Object.entries({ ...Metadata.parse(stored), ...given }).flatMap(([name, text]) => (text === null ? [] : [[name, text]]));
  if (merged.length > maxKeys) throw new Invalid([{ path: ['metadata'], message: `must not have more than ${maxKeys} keys in total` }]);
  return Object.fromEntries(merged);
}

type Searched = { firstName: string; lastName: string; email: string; referralCode: string };

/** The text that the list searches. The separator can't be typed, so a match never spans two fields. */
export function buildSearchText({ firstName, lastName, email, referralCode }: Searched): string {
  return foldAccents([fullName({ firstName, lastName }), email, referralCode].join('\u001f'));
}
