// The `search` of lists. Every word must be found, in any order, ignoring case and accents.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { foldAccents, foldCase } from '../../platform/lib/text.ts';

/** The `search` parameter of a list. An empty search matches everything. */
export function searchField(finds: string) {
  return z
    .string()
    .transform((text) => foldCase(text).trim())
    .refine((text) => text.length <= 200, { error: 'must not be longer than 200 characters' })
    .optional()
    .describe(`${finds}. Every word must match, in any order, ignoring case and accents. \`%\` and \`_\` are not wildcards.`)
    .meta({ json: { type: 'string', maxLength: 200 } });
}

/** A `like` pattern that matches texts containing `search` literally. */
export function toLikePattern(search: string) {
  return sql<string>`${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`;
}

/** Whether a text contains every word of a search. The text must be stored as `foldAccents` returns it. */
export function containsWords(text: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const words = [...new Set(foldAccents(search).split(/\s+/))].filter((word) => word !== '');
  return sql<boolean>`(${sql.join(
    words.map((word) => sql`${text} like ${toLikePattern(word)}`),
    sql` and `,
  )})`;
}

/** As `containsWords`, for a text as it was entered. It uses no index: only for tables with few rows per program. */
export function containsWordsUnfolded(text: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  return containsWords(fold(text), search);
}

/** The SQL of `foldAccents`. */
function fold(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const bare = sql`normalize(regexp_replace(normalize(lower(${text}), NFD), '[\u0300-\u036f]', '', 'g'), NFC)`;
  return sql`translate(replace(replace(replace(replace(${bare}, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħı', 'olddhi')`;
}
