// Keeps the place in the database while the process lives: brings the database back when it dies
// under us, and stops it when we are done. The pool is somebody else's; its connections fail while
// the database is away and are made anew at the same address.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { acquire, type Claim, type Wish } from './acquire.ts';
import { joinAsGuest, reach, waitForGuests } from './ownership.ts';
import { type Cluster, stopPostmaster } from './postmaster.ts';

const usualPace = { attempts: 20, firstPauseMs: 100, maxPauseMs: 2_000 };
/** A database that lived this long did come back; its next death starts a new count. */
const settledMs = 60_000;

/** Watches over a claim until `close`, which may be called more than once. */
export function keep(options: {
  cluster: Cluster;
  wish: Wish;
  first: Claim;
  onLost: (error: Error) => void;
  /** How often and how fast to try before the database counts as lost. */
  pace?: typeof usualPace;
}): { close(): Promise<void> } {
  const { cluster, wish, first, onLost, pace = usualPace } = options;
  const stopping = new AbortController();
  let current: Claim | null = null;
  let recovering = Promise.resolve();
  let closed: Promise<void> | null = null;
  let attempts = 0;

  function hold(claim: Claim): void {
    const since = Date.now();
    current = claim;
    // An idle connection must not keep a process alive that is otherwise done.
    setReferenced(claim.client, false);
    void claim.ended.then(() => {
      if (stopping.signal.aborted) return;
      current = null;
      if (Date.now() - since > settledMs) attempts = 0;
      recovering = recover(claim);
    });
  }

  async function recover(lost: Claim): Promise<void> {
    let cause: unknown = null;
    while (attempts < pace.attempts) {
      const pauseMs = Math.min(pace.firstPauseMs * 2 ** attempts, pace.maxPauseMs);
      attempts += 1;
      await sleep(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        const claim = await returnTo({ cluster, wish, lost });
        if (!claim) continue;
        if (lost.how !== 'joined') cluster.log('The database had stopped; it runs again.');
        hold(claim);
        return;
      } catch (error) {
        cause = error;
      }
    }
    onLost(new Error(lost.how === 'joined' ? 'The server has stopped its database.' : 'The database cannot be brought back.', { cause }));
  }

  async function finish(): Promise<void> {
    stopping.abort();
    await recovering;
    if (current) await release({ cluster, wish, claim: current });
  }

  hold(first);
  return { close: () => (closed ??= finish()) };
}

/**
 * One attempt to get back what was lost. A guest only joins again: were it to start the database, a
 * server that restarts would find it taken. Null if it did not work out this time.
 */
async function returnTo(options: { cluster: Cluster; wish: Wish; lost: Claim }): Promise<Claim | null> {
  const { cluster, wish, lost } = options;
  if (lost.how === 'joined') {
    const reached = await reach(cluster.place.clusterDir, wish);
    if (!reached) return null;
    const isBack = reached.socketDir === lost.socketDir && (await joinAsGuest(reached.client).catch(() => false));
    if (isBack) return { ...reached, how: 'joined' };
    await reached.client.end().catch(() => undefined);
    return null;
  }
  const claim = await acquire(cluster, { ...wish, waitMs: 0, mayCreate: false });
  if (claim.socketDir === lost.socketDir) return claim;
  // Somebody ran it at another address meanwhile; our pool would not find it there.
  await release({ cluster, wish, claim });
  return null;
}

async function release(options: { cluster: Cluster; wish: Wish; claim: Claim }): Promise<void> {
  const { cluster, wish, claim } = options;
  setReferenced(claim.client, true);
  if (claim.how !== 'joined') {
    if (wish.role === 'command') await waitForGuests(claim.client);
    // The lock is held until the database is down, so nobody can adopt what is about to stop.
    await stopPostmaster(cluster, claim.pid);
  }
  await claim.client.end().catch(() => undefined);
}

/** The types of pg do not know these two methods. */
function setReferenced(client: Client, isReferenced: boolean): void {
  const socket = client as Client & { ref(): void; unref(): void };
  if (isReferenced) socket.ref();
  else socket.unref();
}
