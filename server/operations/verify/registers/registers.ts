// Invariants of the registers, which name the program of what is looked up before the program is known. As in money.ts,
// `scope` is a condition on program_id: each side is read for itself, so that a program can be checked on its node.
import { type RawBuilder, sql } from 'kysely';
import type { ScopedInvariant } from '../money.ts';

export const registerInvariants: readonly ScopedInvariant[] = [
  {
    name: 'every API key is registered with its program, and nothing else is',
    breaks: (scope) =>
      findDifferences({
        rows: sql`select program_id, id from api_keys where ${scope}`,
        registered: sql`select program_id, key_id as id from api_key_hashes where ${scope}`,
      }),
  },
];

/** Two queries with the same columns. */
type Compared = { rows: RawBuilder<unknown>; registered: RawBuilder<unknown> };

/** What only one of them returns. */
function findDifferences({ rows, registered }: Compared): RawBuilder<unknown> {
  return sql`
    select 'not registered' as fault, missing.* from (${rows} except ${registered}) as missing
    union all
    select 'only registered', excess.* from (${registered} except ${rows}) as excess`;
}
