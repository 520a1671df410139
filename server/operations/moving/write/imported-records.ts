// What was imported, written in the transaction that imports it: an import that was interrupted continues where it ended,
// and one that is repeated changes nothing.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { insertRows } from '../../../platform/db/inserts/insert-rows.ts';
import type { Imported, ImportedKind } from '../plan/known.ts';

export type Scope = { programId: string; source: string };

/** Records what a record of the other system became, here and in `imported`. */
export async function recordImported(
  tx: Tx,
  { programId, source }: Scope,
  imported: Imported,
  records: readonly { kind: ImportedKind; externalId: string; recordId: string }[],
): Promise<void> {
  const importedAt = tx.clock.now();
  await insertRows(
    tx,
    'importedRecords',
    records.map((record) => ({ programId, source, ...record, importedAt })),
  );
  for (const { kind, externalId, recordId } of records) imported[kind].set(externalId, recordId);
}

/** Marks the start of an import that writes something. Until it has finished, no payouts are dispatched. */
export async function startImport(tx: Tx, { programId, source }: Scope): Promise<void> {
  const now = tx.clock.now();
  await sql`
    insert into imports (program_id, source, started_at) values (${programId}, ${source}, ${now})
    on conflict (program_id, source) do update set started_at = excluded.started_at, finished_at = null`.execute(tx.db);
}

/** Returns whether the import had not finished before. */
export async function finishImport(tx: Tx, { programId, source }: Scope): Promise<boolean> {
  const finished = await tx.db
    .updateTable('imports')
    .set({ finishedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('source', '=', source)
    .where('finishedAt', 'is', null)
    .returning('source')
    .executeTakeFirst();
  return finished !== undefined;
}
