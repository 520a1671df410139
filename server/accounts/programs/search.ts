import { sql } from 'kysely';
import { z } from 'zod';
import { foldCase } from '../../platform/lib/text.ts';

/** The `search` of a list. An empty one finds everything. */
export function searchField(finds: string) {
  return z
    .string()
    .transform(foldCase)
    .refine((text) => text.length <= 200, { error: 'must not be longer than 200 characters' })
    .optional()
    .describe(`${finds}; case does not matter, \`%\` and \`_\` are ordinary.`)
    .meta({ json: { type: 'string', maxLength: 200 } });
}

/** Right side of a `like` that finds `search` anywhere, with nothing special in it. */
export function anywhere(search: string) {
  return sql<string>`${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`;
}
