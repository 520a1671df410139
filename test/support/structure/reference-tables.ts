// Which tables a cluster stores on every node, and which it distributes by program.
import type pg from 'pg';

/** Tables that are read before the program is known: people, and what identifies a program. */
export const referenceTables = new Set([
  'organizations',
  'users',
  'first_user',
  'sessions',
  'email_request_counts',
  'email_verifications',
  'passkeys',
  'passkey_challenges',
  'second_factors',
  'recovery_codes',
  'organization_members',
  'user_preferences',
  'programs',
  'api_key_hashes',
  'person_programs',
  'referral_codes',
  'bare_links',
  'bare_pages',
  'tracking_salts',
  'provider_addresses',
  'media_addresses',
  'service_freeze',
  'untrusted_proxies',
  'database_heartbeats',
  'database_identities',
  'deleted_programs',
  'migrations',
]);

/** The tables that are distributed by `program_id`. */
export async function readTenantTables(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>(`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'program_id'
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`);
  return new Set(rows.map(({ name }) => name).filter((name) => !referenceTables.has(name)));
}
