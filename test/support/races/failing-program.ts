// A program whose database server does not respond, as the service sees it: every statement that reads or writes a row of the
// program fails. Statements about other programs don't, unless they include this one.
import type pg from 'pg';
import { readTenantTables } from '../structure/reference-tables.ts';

/** Lets the program fail. Returns a function that ends it. */
export async function failProgram(pool: pg.Pool, programId: string): Promise<() => Promise<void>> {
  await pool.query(`
    create function responds(id uuid) returns boolean language plpgsql stable as $$
    begin
      if id = '${programId}' then raise exception 'the server of this program does not respond'; end if;
      return true;
    end $$`);
  const tables = [...(await readTenantTables(pool))];
  for (const table of tables) {
    await pool.query(`alter table ${table} enable row level security`);
    await pool.query(`create policy responds on ${table} using (responds(program_id))`);
  }
  return async () => {
    for (const table of tables) {
      await pool.query(`drop policy responds on ${table}`);
      await pool.query(`alter table ${table} disable row level security`);
    }
    await pool.query('drop function responds');
  };
}
