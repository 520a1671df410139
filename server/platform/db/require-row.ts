import type { Tx } from '../../context.ts';
import { NotFound } from '../lib/errors.ts';

type ReferencedTable = 'affiliates' | 'bounties' | 'groups' | 'products' | 'providers';

type Reference = { table: ReferencedTable; programId: string; id: string; field: string };

/**
 * Throws NotFound with the field's name if the id is not in the program, before anything is written, so that it takes
 * precedence over conflicts. The lock prevents the row's deletion until the commit.
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
