// Who owns the database is decided by the database itself: the owner holds an advisory lock on a
// connection of its own for as long as it lives. If it dies, however it dies, the lock is free and
// the next one may adopt the database. Advisory locks are per database, so all of this happens in
// "postgres", never in "tributary".
import { Client } from 'pg';
import { databaseUser } from './initialise.ts';
import { readPostmaster } from './postmaster-file.ts';

export type Role = 'server' | 'command';
export type Holder = { pid: number; role: Role; name: string };
export type Reached = { client: Client; ended: Promise<void>; pid: number; socketDir: string; port: number };

export const databaseName = 'tributary';

const lockClass = 0x7472_6962; // "trib"
const ownerLock = 1;
/** Shared by commands working beside an owner, so that an owner that is itself a command lets them finish. */
const workLock = 2;

const connectTimeoutMs = 3_000;
const workTimeoutMs = 30_000;

/** Connects to the running postmaster. Null if there is none, or it does not answer (yet). */
export async function reach(clusterDir: string, who: { role: Role; name: string }): Promise<Reached | null> {
  const postmaster = readPostmaster(clusterDir);
  if (!postmaster?.address) return null;
  const { socketDir, port } = postmaster.address;
  const client = new Client({
    host: socketDir,
    port,
    user: databaseUser,
    database: 'postgres',
    ssl: false,
    application_name: `tributary ${who.role} ${process.pid} ${who.name}`,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // A lost connection also ends, and the end is what we act on.
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

/** Takes the place this role may have: its owner, or (a command) a guest beside the owner. */
export async function claim(client: Client, role: Role): Promise<'owner' | 'joined' | 'taken'> {
  const isOwner = await tryLock(client, 'pg_try_advisory_lock', ownerLock);
  const isGuest = !isOwner && role === 'command' && (await joinAsGuest(client));
  if (!isOwner && !isGuest) return 'taken';
  await createDatabase(client);
  return isOwner ? 'owner' : 'joined';
}

/** Marks this connection as a guest's. False while the owner is about to stop the database. */
export function joinAsGuest(client: Client): Promise<boolean> {
  return tryLock(client, 'pg_try_advisory_lock_shared', workLock);
}

/** Who owns the database now. */
export async function findHolder(client: Client): Promise<Holder | null> {
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

/** Waits for guests to finish, and keeps new ones out until the database is stopped. Bounded: 30 s. */
export async function waitForGuests(client: Client): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${workTimeoutMs}`);
    await client.query('select pg_advisory_lock($1, $2)', [lockClass, workLock]);
  } catch {
    // Too slow, or the database is gone: either way it is stopped now.
  }
}

async function tryLock(client: Client, kind: string, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(`select ${kind}($1, $2) as got`, [lockClass, lock]);
  return rows[0]?.got === true;
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
  if (rowCount) return;
  try {
    await client.query(`create database ${databaseName} template template0`);
  } catch (error) {
    // Made by another process in the meantime.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}
