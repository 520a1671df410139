// Deletes programs whose grace period has ended, with their rows of all tables, in batches. The tables and their order are
// read from the catalogue of the database, so that a new table can't be forgotten.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { findObstacles } from './obstacles.ts';
import { orderTables, type Reference } from './order-tables.ts';

const rowsPerStatement = 5000;

type Due = { id: string; name: string; deletionRequestedAt: Date };

export const deleteProgramsDue = job<Record<string, never>>({
  name: 'programs.deleteDue',
  retries: 1,
  cron: '47 * * * *',
  async run(ctx) {
    await forEachProgram(ctx, {
      find: (scope) => sql`
        select program_id from (select id as program_id, delete_after from programs) as program
        where delete_after <= ${systemTime(ctx)} and ${scope} order by delete_after`,
      run: (programId) => deleteIfPossible(ctx, programId),
    });
  },
});

async function deleteIfPossible(ctx: Context, programId: string): Promise<void> {
  const { rows } = await sql<Due>`select id, name, deletion_requested_at from programs where id = ${programId}`.execute(ctx.db);
  const [program] = rows;
  if (!program) return;
  const { obstacles } = await findObstacles(ctx, programId);
  if (obstacles.length === 0) await deleteProgram(ctx, program);
  else ctx.log.error({ programId, obstacles }, 'a program could not be deleted');
}

/** Continues where an interrupted run stopped. */
async function deleteProgram(ctx: Context, { id, name, deletionRequestedAt }: Due): Promise<void> {
  const { tables, references } = await readCatalogue(ctx);
  const head = await ctx.db.selectFrom('ledgerHeads').select(['seq', 'hash']).where('programId', '=', id).executeTakeFirst();
  // A repeated run no longer finds the end of the ledger, so it is recorded first.
  const record = {
    id,
    name,
    requestedAt: deletionRequestedAt,
    deletedAt: systemTime(ctx),
    ledgerSeq: head?.seq ?? 0,
    ledgerHash: head?.hash ?? null,
    deletedRows: JSON.stringify({}),
  };
  const records = ctx.db.insertInto('deletedPrograms').values(record);
  await records.onConflict((conflict) => conflict.doNothing()).execute();
  const counts: Record<string, number> = {};
  const selfReferring = new Set(references.filter(({ from, to }) => from === to).map(({ from }) => from));
  for (const table of orderTables(tables, references))
    counts[table] = await deleteRows(ctx, { table, id, isWhole: selfReferring.has(table) });
  await transact(ctx, async ({ db, clock }) => {
    await db.deleteFrom('programs').where('id', '=', id).execute();
    const deletedRows = sql<string>`(${JSON.stringify(counts)}::jsonb || deleted_rows)`;
    await db
      .updateTable('deletedPrograms')
      .set({ deletedAt: systemTime({ clock }), deletedRows })
      .where('id', '=', id)
      .execute();
  });
  ctx.log.warn({ programId: id, counts }, 'a program was deleted');
}

/** A table whose rows refer to each other is deleted in one statement, after which its references are checked. */
async function deleteRows(ctx: Context, { table, id, isWhole }: { table: string; id: string; isWhole: boolean }): Promise<number> {
  const limit = isWhole ? Number.MAX_SAFE_INTEGER : rowsPerStatement;
  for (let total = 0; ; ) {
    const deleted = await transact(ctx, async ({ db }) => {
      await sql`set local statement_timeout = '10min'`.execute(db);
      // The owner of the tables, for this transaction: the role of the service can't delete rows of append-only tables.
      await sql`set local role none`.execute(db);
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where program_id in (select id from programs where id = ${id} and delete_after is not null)
          limit ${limit}))`.execute(db);
      return Number(numAffectedRows);
    });
    total += deleted;
    if (deleted < limit) return total;
  }
}

/** The tables whose rows belong to a program, and the foreign keys between them. */
async function readCatalogue({ db }: Pick<Context, 'db'>): Promise<{ tables: string[]; references: Reference[] }> {
  const tables = await sql<{ name: string }>`
    select class.relname as name from pg_attribute as attribute join pg_class as class on class.oid = attribute.attrelid
    where attribute.attname = 'program_id' and not attribute.attisdropped and class.relkind in ('r', 'p')
      and class.relnamespace = 'public'::regnamespace`.execute(db);
  const references = await sql<Reference>`
    select child.relname as "from", parent.relname as "to" from pg_constraint
    join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
    where contype = 'f' and child.relnamespace = 'public'::regnamespace`.execute(db);
  return { tables: tables.rows.map(({ name }) => name), references: references.rows };
}
