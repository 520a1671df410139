import type { Tx } from '../../context.ts';
import { NotFound } from '../lib/errors.ts';

/** Tables whose rows a body may name by id. */
type Named = 'affiliates' | 'groups' | 'products' | 'providers';

type Reference = { table: Named; programId: string; id: string; field: string };

/**
 * Refuses an id in a body that names nothing in the program: 404 naming the field, before anything is
 * written, so that it is answered ahead of any duplicate. The lock keeps the row there until the commit.
 */
export async function requireRow(tx: Tx, { table, programId, id, field }: Reference): Promise<void> {
  const row = await tx.db
    .selectFrom(table)
    .select('id')
    .where('programId', '=', programId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new NotFound(field);
}
