// Foreign keys and indexes while rows are loaded: without them, tables can be loaded in any order and several times as
// fast. Creating them again checks every reference.
import type pg from 'pg';

/** Drops all foreign keys and plain indexes. Returns the statements that create them again. */
export async function dropForLoading(client: pg.ClientBase): Promise<string[]> {
  const indexes = await client.query<{ drop: string; create: string }>(`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
    from pg_index join pg_class as class on class.oid = indrelid
    where class.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)
    order by indrelid, indexrelid`);
  const keys = await client.query<{ drop: string; create: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' order by conrelid, conname`);
  const objects = [...indexes.rows, ...keys.rows];
  for (const { drop } of keys.rows) await client.query(drop);
  for (const { drop } of indexes.rows) await client.query(drop);
  return objects.map(({ create }) => create);
}
