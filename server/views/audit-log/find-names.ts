// The names of what audit events are about and of who caused them: at most one query for each kind, by primary key.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { SubjectKind } from '../../platform/audit/actions.ts';
import { maskAddress } from '../../platform/audit/mask.ts';
import { type Named, nameQueries } from './names.ts';

type Db = Pick<Context, 'db'>;

/** The objects of the given ids by their ids. Those that were deleted are missing. */
export async function findNames({ db }: Db, programId: string, kind: SubjectKind, ids: ReadonlySet<string>): Promise<Map<string, Named>> {
  if (ids.size === 0) return new Map();
  const { rows } = await nameQueries[kind](programId, (id) => sql`${id} = any(${[...ids]}::uuid[])`).execute(db);
  return new Map(rows.map((row) => [row.id, { ...row, name: row.name && maskAddress(row.name) }]));
}
