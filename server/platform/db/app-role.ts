// The database role of the running service: it can read and write rows, but can't change or delete rows of append-only
// tables. Migrations run as the owner of the schema.
import type pg from 'pg';

export const appRole = 'tributary_app';

/** Tables whose rows are never changed or deleted. */
export const appendOnly = [
  'ledger_entries',
  'commission_events',
  'commission_rule_versions',
  'audit_log',
  'audit_seals',
  'landing_page_revisions',
  'refund_lines',
  'order_mismatches',
  'payout_events',
  'invoice_issuers',
  'invoices',
  'join_terms',
  'api_key_hashes',
  'provider_addresses',
  'referral_codes',
  'bare_links',
  'bare_pages',
] as const;

const readOnly = ['migrations'];

/**
 * Creates the role and its permissions after the migrations, unless they are complete. False if the account can't create
 * roles: the service then runs as the owner, which `tributary doctor` reports.
 */
export async function ensureAppRole(pool: pg.Pool): Promise<boolean> {
  if (await isComplete(pool)) return true;
  const client = await pool.connect();
  try {
    // Concurrent changes of the same permissions would fail.
    await client.query(`select pg_advisory_lock(hashtext('${appRole}'))`);
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [appRole]);
    if (!rowCount) await client.query(`create role ${appRole} nologin`);
    const member = await client.query(`select pg_has_role(current_user, $1, 'member') as is`, [appRole]);
    if (!member.rows[0]?.is) await client.query(`grant ${appRole} to current_user`);
    await client.query(`
      grant usage on schema public, pgboss to ${appRole};
      grant select, insert, update, delete on all tables in schema public, pgboss to ${appRole};
      grant execute on all functions in schema pgboss to ${appRole};
      revoke update, delete, truncate on ${appendOnly.join(', ')}, ${readOnly.join(', ')} from ${appRole};
      revoke insert on ${readOnly.join(', ')} from ${appRole}`);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42501') return false;
    throw error;
  } finally {
    client.release(true); // Ends the session, and with it the lock.
  }
}

/** Whether the role has exactly its permissions. Granting them again would fail while a node of a cluster is down. */
async function isComplete(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ isComplete: boolean }>(
    `select pg_has_role(current_user, app.oid, 'member')
        and has_schema_privilege(app.oid, 'public', 'usage') and has_schema_privilege(app.oid, 'pgboss', 'usage')
        and not exists (
          select from pg_class as found
          where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind in ('r', 'p', 'v', 'm', 'f')
            and (not has_table_privilege(app.oid, found.oid, 'select')
              or has_table_privilege(app.oid, found.oid, 'insert') = (relname = any($3))
              or has_table_privilege(app.oid, found.oid, 'update') = (relname = any($2))
              or has_table_privilege(app.oid, found.oid, 'delete') = (relname = any($2))
              or (relname = any($2) and has_table_privilege(app.oid, found.oid, 'truncate'))))
        and not exists (
          select from pg_proc where pronamespace = 'pgboss'::regnamespace and not has_function_privilege(app.oid, pg_proc.oid, 'execute'))
        as "isComplete"
      from pg_roles as app where rolname = $1`,
    [appRole, [...appendOnly, ...readOnly], readOnly],
  );
  return rows[0]?.isComplete ?? false;
}
