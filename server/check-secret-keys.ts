// Checks before a server starts that it has the secret keys of its database. A server with different keys would encrypt
// values that no other server can decrypt, and couldn't decrypt theirs.
import { type Kysely, sql } from 'kysely';
import type { Config } from './config.ts';
import { InvalidSettings } from './config.ts';
import { encryptedColumns } from './encrypted.ts';
import type { DB } from './platform/db/schema.gen.ts';
import { isNodeDown } from './platform/db/statements/sql-state.ts';
import { sampleKeyNames } from './platform/secrets/encrypted-columns.ts';
import { createKeyFile, describeKeySource, findSecretKeys } from './platform/secrets/key-file.ts';

/** The application name of each connection contains the process's key names, so that other processes can compare them. */
const namePrefix = 'tributary keys ';
/** PostgreSQL truncates longer names. */
const nameBytes = 63;

/** The application name of a process with these keys. */
export function applicationName(keyNames: readonly string[]): string {
  return `${namePrefix}${keyNames.join(',')}`;
}

/** The key names of each process on this database; the first key of each process encrypts. */
export async function listProcessKeys({ db }: { db: Kysely<DB> }): Promise<string[][]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like ${`${namePrefix}%`}`.execute(db);
  return rows.map(({ name }) => name.slice(namePrefix.length).split(','));
}

/** Throws InvalidSettings for a server whose keys don't fit the running processes or the stored values. */
export async function checkSecretKeys(
  { db, keyNames }: { db: Kysely<DB>; keyNames: readonly string[] },
  config: Pick<Config, 'secretKeys' | 'dataDir'>,
): Promise<void> {
  const [own = ''] = keyNames;
  const source = describeKeySource(config);
  for (const theirs of await listProcessKeys({ db })) {
    const canRead = theirs.includes(own) || isTruncated(theirs);
    if (canRead && keyNames.includes(theirs[0] ?? '')) continue;
    throw new InvalidSettings(
      `Another process on this database uses a different secret key (${theirs[0]}) than this one (${own}, from ${source}). ` +
        'Neither could decrypt what the other encrypts. Set the same SECRET_KEYS for every process, or give them one DATA_DIR.',
    );
  }
  // While a node of a cluster is down, a process starts with what the others show.
  const stored = await listStoredKeyNames(db, isNodeDown);
  if (stored.size === 0 || keyNames.some((name) => stored.has(name))) return;
  throw new InvalidSettings(
    `The data was encrypted with the secret key ${[...stored].join(', ')}, which is not among the keys in ${source} (${keyNames.join(', ')}). ` +
      'Restore that key: without it, payout details and provider secrets are unreadable.',
  );
}

/**
 * The keys of this installation. A new one is created only for a database without encrypted values: beside a restored
 * database it would hide that the keys are missing.
 */
export async function openSecretKeys(db: Kysely<DB>, config: Pick<Config, 'secretKeys' | 'dataDir'>): Promise<[Buffer, ...Buffer[]]> {
  const found = findSecretKeys(config);
  if (found) return found;
  const stored = await listStoredKeyNames(db);
  if (stored.size === 0) return createKeyFile(config.dataDir);
  throw new InvalidSettings(
    `The data was encrypted with the secret key ${[...stored].join(', ')}, but there is no key in ${describeKeySource(config)}. ` +
      'Put a copy of the keys there, or set SECRET_KEYS. No new key was created.',
  );
}

/**
 * The names of the keys that stored values were encrypted with; none in a database without tables. Columns that can't be read because
 * of an error that `isIgnored` are left out.
 */
async function listStoredKeyNames(db: Kysely<DB>, isIgnored: (error: unknown) => boolean = () => false): Promise<Set<string>> {
  const names = new Set<string>();
  for (const column of encryptedColumns) {
    const { rows } = await sql<{ exists: boolean }>`
      select exists (
        select from information_schema.columns
        where table_schema = 'public' and table_name = ${column.table} and column_name = ${column.column}) as exists`.execute(db);
    if (!rows[0]?.exists) continue;
    const found = await sampleKeyNames({ db }, column).catch((error: unknown) => {
      if (isIgnored(error)) return [];
      throw error;
    });
    for (const name of found) names.add(name);
  }
  return names;
}

function isTruncated(keyNames: readonly string[]): boolean {
  return applicationName(keyNames).length >= nameBytes;
}
