import { sql } from 'kysely';
import { z } from 'zod';
import { foldCase } from '../../platform/lib/text.ts';

/** The `search` parameter of a list. An empty search matches everything. */
export function searchField(finds: string) {
  return z
    .string()
    .transform(foldCase)
    .refine((text) => text.length <= 200, { error: 'must not be longer than 200 characters' })
    .optional()
    .describe(`${finds}, ignoring case. \`%\` and \`_\` are not wildcards.`)
    .meta({ json: { type: 'string', maxLength: 200 } });
}

/** A `like` pattern that matches texts containing `search` literally. */
export function toLikePattern(search: string) {
  return sql<string>`${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`;
}
