// Supervises an acquired database while the process lives: restarts it if it dies, and stops it on close. The connection
// pool belongs to the caller; its connections fail while the database is down and reconnect at the same address.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type AcquiredDatabase, type AcquireRequest, acquire } from './acquire.ts';
import { connectToPostmaster, joinAsGuest, waitForGuests } from './ownership.ts';
import { type Cluster, stopPostmaster } from './postmaster.ts';

const defaultBackoff = { attempts: 20, firstPauseMs: 100, maxPauseMs: 2_000 };
/** A database that ran this long has recovered; after that, attempts are counted from zero again. */
const stableMs = 60_000;

/** Supervises the database until `close`, which may be called more than once. */
export function supervise(options: {
  cluster: Cluster;
  request: AcquireRequest;
  first: AcquiredDatabase;
  onLost: (error: Error) => void;
  /** The attempts after which the database counts as lost, and the pauses between them. */
  backoff?: typeof defaultBackoff;
}): { close(): Promise<void> } {
  const { cluster, request, first, onLost, backoff = defaultBackoff } = options;
  const stopping = new AbortController();
  let current: AcquiredDatabase | null = null;
  let recovering = Promise.resolve();
  let closed: Promise<void> | null = null;
  let attempts = 0;

  function watch(database: AcquiredDatabase): void {
    const since = Date.now();
    current = database;
    // An idle connection must not keep the process running.
    setReferenced(database.client, false);
    void database.ended.then(() => {
      if (stopping.signal.aborted) return;
      current = null;
      if (Date.now() - since > stableMs) attempts = 0;
      recovering = recover(database);
    });
  }

  async function recover(lost: AcquiredDatabase): Promise<void> {
    let cause: unknown = null;
    while (attempts < backoff.attempts) {
      const pauseMs = Math.min(backoff.firstPauseMs * 2 ** attempts, backoff.maxPauseMs);
      attempts += 1;
      await sleep(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        const database = await reacquire({ cluster, request, lost });
        if (!database) continue;
        if (lost.how !== 'joined') cluster.log('The database had stopped and was restarted.');
        watch(database);
        return;
      } catch (error) {
        cause = error;
      }
    }
    onLost(new Error(lost.how === 'joined' ? 'The server has stopped its database.' : 'The database cannot be restarted.', { cause }));
  }

  async function finish(): Promise<void> {
    stopping.abort();
    await recovering;
    if (current) await release({ cluster, request, database: current });
  }

  watch(first);
  return { close: () => (closed ??= finish()) };
}

/**
 * Tries once to acquire a lost database again; null if that failed. A guest only joins again: if it started the database,
 * a restarting server would find it in use.
 */
async function reacquire(options: { cluster: Cluster; request: AcquireRequest; lost: AcquiredDatabase }): Promise<AcquiredDatabase | null> {
  const { cluster, request, lost } = options;
  if (lost.how === 'joined') {
    const connection = await connectToPostmaster(cluster.location.clusterDir, request);
    if (!connection) return null;
    const isJoined = connection.socketDir === lost.socketDir && (await joinAsGuest(connection.client).catch(() => false));
    if (isJoined) return { ...connection, how: 'joined' };
    await connection.client.end().catch(() => undefined);
    return null;
  }
  const database = await acquire(cluster, { ...request, waitMs: 0, mayCreate: false });
  if (database.socketDir === lost.socketDir) return database;
  // Another process has started it at a different address, where this process's pool would not find it.
  await release({ cluster, request, database });
  return null;
}

async function release(options: { cluster: Cluster; request: AcquireRequest; database: AcquiredDatabase }): Promise<void> {
  const { cluster, request, database } = options;
  setReferenced(database.client, true);
  if (database.how !== 'joined') {
    if (request.role === 'command') await waitForGuests(database.client);
    // The lock is held until the database has stopped, so that no other process adopts it before.
    await stopPostmaster(cluster, database.pid);
  }
  await database.client.end().catch(() => undefined);
}

/** The types of pg lack these two methods. */
function setReferenced(client: Client, isReferenced: boolean): void {
  const socket = client as Client & { ref(): void; unref(): void };
  if (isReferenced) socket.ref();
  else socket.unref();
}
