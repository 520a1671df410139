// Before a server starts: does it have the secret keys of this database? A server with a key file of its own would
// encrypt values that no other server can decrypt, and fail to decrypt theirs.
import { type Kysely, sql } from 'kysely';
import type { Config } from './config.ts';
import { InvalidSettings } from './config.ts';
import { encryptedColumns } from './encrypted.ts';
import type { DB } from './platform/db/schema.gen.ts';
import { sampleKeyNames } from './platform/secrets/encrypted-columns.ts';
import { keyFile } from './platform/secrets/key-file.ts';

/** Every connection of a process names the process's keys, so that other processes can compare them. */
const namePrefix = 'tributary keys ';
/** PostgreSQL cuts longer names off. */
const nameBytes = 63;

/** The application name of a process with these keys. */
export function applicationName(keyNames: readonly string[]): string {
  return `${namePrefix}${keyNames.join(',')}`;
}

/** The names of the keys that each process on this database has, the one that it encrypts with first. */
export async function keysOfProcesses({ db }: { db: Kysely<DB> }): Promise<string[][]> {
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
  const place = config.secretKeys.length > 0 ? 'SECRET_KEYS' : keyFile(config.dataDir);
  for (const theirs of await keysOfProcesses({ db })) {
    const canRead = theirs.includes(own) || isCutOff(theirs);
    if (canRead && keyNames.includes(theirs[0] ?? '')) continue;
    throw new InvalidSettings(
      `Another process on this database uses a different secret key (${theirs[0]}) than this one (${own}, from ${place}). ` +
        'Neither could decrypt what the other encrypts. Set the same SECRET_KEYS for every process, or give them one DATA_DIR.',
    );
  }
  const stored = new Set<string>();
  for (const column of encryptedColumns) for (const name of await sampleKeyNames({ db }, column)) stored.add(name);
  if (stored.size === 0 || keyNames.some((name) => stored.has(name))) return;
  throw new InvalidSettings(
    `The data was encrypted with the secret key ${[...stored].join(', ')}, which is not among the keys in ${place} (${keyNames.join(', ')}). ` +
      'Restore that key: without it, payout details and provider secrets are unreadable.',
  );
}

function isCutOff(keyNames: readonly string[]): boolean {
  return applicationName(keyNames).length >= nameBytes;
}
