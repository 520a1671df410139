// The tables that a backup contains, and how their rows are written as text.
import type pg from 'pg';

/**
 * Rows that a backup leaves out: sessions, because a restore must not sign in again who has signed out since; the migrations,
 * which the header lists; jobs that wait for the queue, which are with its own (open-jobs.ts); and which node of a cluster
 * stores what.
 */
const withoutRows = ['sessions', 'migrations', 'job_outbox', 'shard_nodes'];

export type Table = { name: string; columns: string[] };

/** All tables of the service with the columns that can be written, in the order of their names. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select class.relname as name, array_agg(attribute.attname::text order by attribute.attnum) as columns
     from pg_class as class join pg_attribute as attribute on attribute.attrelid = class.oid
     where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
       and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = '' and class.relname <> all ($1)
     group by class.relname order by class.relname collate "C"`,
    [withoutRows],
  );
  return rows;
}

/** Throws if the schema has numbers outside of its tables, because a backup contains tables only. */
export async function requireNoSequences(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select sequencename as name from pg_sequences where schemaname = 'public'`);
  if (rows[0]) throw new Error(`The sequence ${rows[0].name} would not be part of a backup.`);
}

/** Settings that make COPY write and read the same text on every server. Ends the time limits of the session. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
    set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
    set extra_float_digits = 1; set bytea_output = 'hex'; set synchronize_seqscans = off; set search_path = public`);
}

/** `table (column, …)`, for COPY. */
export function toCopyTarget(client: pg.ClientBase, { name, columns }: Table): string {
  return `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`;
}
