// Moves the rows of a program from one server to another, as a backup of the program and its restore do.
import type pg from 'pg';
import { listTables, type Table } from '../../../server/operations/backup/tables.ts';

/** Copies every row of a program to the other database and deletes it here. Nothing may write to the program in the meantime. */
export async function moveProgram(from: pg.Pool, to: pg.Pool, programId: string): Promise<void> {
  await inTransaction(from, async (source) => {
    const tables = (await listTables(source)).filter(({ name, columns }) => name === 'programs' || columns.includes('program_id'));
    await inTransaction(to, async (target) => {
      for (const table of tables) await copyRows({ source, target, table, programId });
    });
    for (const table of tables) await source.query(`delete from ${table.name} where ${belongs(table)}`, [programId]);
  });
}

type Copied = { source: pg.ClientBase; target: pg.ClientBase; table: Table; programId: string };

async function copyRows({ source, target, table, programId }: Copied): Promise<void> {
  const rows = await source.query<{ rows: string }>(
    `select coalesce(json_agg(copied), '[]')::text as rows from (select * from ${table.name} where ${belongs(table)}) as copied`,
    [programId],
  );
  const columns = table.columns.map((column) => `"${column}"`).join(', ');
  await target.query(
    `insert into ${table.name} (${columns}) select ${columns} from json_populate_recordset(null::${table.name}, $1::json)`,
    [rows.rows[0]?.rows],
  );
}

const belongs = ({ name }: Table): string => (name === 'programs' ? 'id = $1' : 'program_id = $1');

/** Without the checks of foreign keys, so that the tables can be in any order. */
async function inTransaction(pool: pg.Pool, act: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await act(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
