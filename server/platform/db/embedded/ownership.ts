// The owner of the database holds an advisory lock on its own connection. If the owner dies, for any reason, the lock
// is released and another process can adopt the database. Advisory locks are per database, so these connections use
// "postgres" and never "tributary".
import { Client } from 'pg';
import { databaseUser } from './initialise.ts';
import { readPostmaster } from './postmaster-file.ts';

export type Role = 'server' | 'command';
export type Owner = { pid: number; role: Role; name: string };
export type PostmasterConnection = { client: Client; ended: Promise<void>; pid: number; socketDir: string; port: number };

export const databaseName = 'tributary';

const lockClass = 0x7472_6962; // "trib"
const ownerLock = 1;
/** Shared by guests, so that an owner that is itself a command can wait for them. */
const guestLock = 2;

const connectTimeoutMs = 3_000;
const guestTimeoutMs = 30_000;

/** Connects to the running postmaster. Null if none is running, or if it does not accept connections yet. */
export async function connectToPostmaster(
  clusterDir: string,
  { role, name }: { role: Role; name: string },
): Promise<PostmasterConnection | null> {
  const postmaster = readPostmaster(clusterDir);
  if (!postmaster?.address) return null;
  const { socketDir, port } = postmaster.address;
  const client = new Client({
    host: socketDir,
    port,
    user: databaseUser,
    database: 'postgres',
    ssl: false,
    application_name: `tributary ${role} ${process.pid} ${name}`,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // A connection that fails also emits 'end', which is handled.
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  try {
    await client.connect();
  } catch {
    client.end().catch(() => undefined);
    return null;
  }
  return { client, ended, pid: postmaster.pid, socketDir, port };
}

/** Claims a role: owner of the database, or, for a command, guest of another owner. */
export async function claimRole(client: Client, role: Role): Promise<'owner' | 'joined' | 'taken'> {
  const isOwner = await tryLock(client, 'pg_try_advisory_lock', ownerLock);
  const isGuest = !isOwner && role === 'command' && (await joinAsGuest(client));
  if (!isOwner && !isGuest) return 'taken';
  await createDatabase(client);
  return isOwner ? 'owner' : 'joined';
}

/** Registers this connection as a guest. False while the owner is stopping the database. */
export function joinAsGuest(client: Client): Promise<boolean> {
  return tryLock(client, 'pg_try_advisory_lock_shared', guestLock);
}

/** The current owner of the database. */
export async function findOwner(client: Client): Promise<Owner | null> {
  const { rows } = await client.query<{ application_name: string }>(
    `select activity.application_name
       from pg_locks as lock join pg_stat_activity as activity using (pid)
      where lock.locktype = 'advisory' and lock.classid = $1 and lock.objid = $2 and lock.objsubid = 2
        and lock.granted and lock.database = (select oid from pg_database where datname = current_database())`,
    [lockClass, ownerLock],
  );
  const match = /^tributary (server|command) (\d+) ?(.*)$/.exec(rows[0]?.application_name ?? '');
  if (!match) return null;
  return { role: match[1] === 'server' ? 'server' : 'command', pid: Number(match[2]), name: match[3] ?? '' };
}

/** Waits up to 30 s for guests to finish, and rejects new ones until the database is stopped. */
export async function waitForGuests(client: Client): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${guestTimeoutMs}`);
    await client.query('select pg_advisory_lock($1, $2)', [lockClass, guestLock]);
  } catch {
    // The guests took too long or the database is gone; in both cases it is stopped now.
  }
}

async function tryLock(client: Client, kind: string, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ acquired: boolean }>(`select ${kind}($1, $2) as acquired`, [lockClass, lock]);
  return rows[0]?.acquired === true;
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
  if (rowCount) return;
  try {
    await client.query(`create database ${databaseName} template template0`);
  } catch (error) {
    // Another process has created it in the meantime.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}
