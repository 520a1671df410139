// The one loop behind every start and restart: look whether a database runs, ask it for the place
// we want, and start one if there is none. Nothing is remembered between rounds, so it does not
// matter who else does the same at the same moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { claim, findHolder, type Holder, type Reached, type Role, reach } from './ownership.ts';
import { type Cluster, type Start, startPostmaster, stopPostmaster } from './postmaster.ts';
import { getProcessState, readPostmaster } from './postmaster-file.ts';

/** Another process serves this data folder, and only one may. */
export class AlreadyServing extends Error {
  override readonly name = 'AlreadyServing';
}

export type Wish = {
  role: Role;
  name: string;
  waitMs: number;
  /** False when a database is brought back: an empty one in its place would look like lost data. */
  mayCreate: boolean;
};
export type Claim = Reached & { how: 'new' | 'started' | 'adopted' | 'joined' };

/** How long remains of a killed predecessor may be in the way. */
const troubleMs = 10_000;
/** How long a database may repair itself after a crash before it answers. */
const recoveryMs = 300_000;

/** Gets the place in the database, running it if need be. Throws AlreadyServing when another keeps it. */
export async function acquire(cluster: Cluster, wish: Wish): Promise<Claim> {
  const { clusterDir } = cluster.place;
  const startedAt = Date.now();
  const patience = { waitUntil: startedAt + wish.waitMs, isAnnounced: false };
  let troubleSince = startedAt;
  let start: Start | null = null;
  let isNew = false;
  for (;;) {
    const reached = await reach(clusterDir, wish);
    if (reached) {
      const verdict = await ask(reached, wish);
      if (verdict === 'joined') return { ...reached, how: 'joined' };
      if (verdict === 'owner') {
        return { ...reached, how: reached.pid !== start?.pid ? 'adopted' : isNew ? 'new' : 'started' };
      }
      if (verdict !== 'gone') {
        troubleSince = Date.now();
        announceOrGiveUp(verdict, { cluster, wish, patience });
      }
      await sleep(50);
      continue;
    }

    const failure = start?.failure() ?? null;
    const troubledMs = Date.now() - troubleSince;
    if (start && !failure) {
      if (troubledMs > recoveryMs) await abandon(cluster, start);
      await sleep(10);
    } else if (failure && !(failure.isPassing && troubledMs < troubleMs)) {
      throw failure.error;
    } else if (isSomebodyThere(clusterDir) && troubledMs < troubleMs) {
      await sleep(50);
    } else {
      if (failure) await sleep(100);
      start = await startPostmaster(cluster, wish);
      isNew ||= start.isNew;
    }
  }
}

/** The answer of a running database; 'gone' when it stopped while we asked. */
async function ask(reached: Reached, wish: Wish): Promise<'owner' | 'joined' | 'gone' | { holder: Holder | null }> {
  const { client } = reached;
  let answer: 'owner' | 'joined' | 'gone' | { holder: Holder | null };
  try {
    const verdict = await claim(client, wish.role);
    answer = verdict === 'taken' ? { holder: await findHolder(client) } : verdict;
  } catch {
    answer = 'gone';
  }
  if (typeof answer === 'object' || answer === 'gone') await client.end().catch(() => undefined);
  return answer;
}

function announceOrGiveUp(
  verdict: { holder: Holder | null },
  context: { cluster: Cluster; wish: Wish; patience: { waitUntil: number; isAnnounced: boolean } },
): void {
  const { cluster, wish, patience } = context;
  const { holder } = verdict;
  const who = `Another Tributary (process ${holder?.pid ?? 'unknown'})`;
  const does = holder?.role === 'command' ? `is still running "${holder.name}" on` : 'is already serving';
  if (Date.now() >= patience.waitUntil) {
    throw new AlreadyServing(`${who} ${does} ${cluster.place.shownAs}. Stop it first, or set DATA_DIR to another folder.`);
  }
  if (!patience.isAnnounced && holder) {
    patience.isAnnounced = true;
    cluster.log(`${who} ${does} ${cluster.place.shownAs}; waiting up to ${Math.ceil(wish.waitMs / 1000)} s for it.`);
  }
}

/** Whether a postmaster lives that does not answer: it is starting, stopping, or stuck. */
function isSomebodyThere(clusterDir: string): boolean {
  const postmaster = readPostmaster(clusterDir);
  return postmaster !== null && getProcessState(postmaster.pid, clusterDir) === 'postmaster';
}

async function abandon(cluster: Cluster, start: Start): Promise<never> {
  if (start.pid !== undefined) await stopPostmaster(cluster, start.pid);
  throw new Error(`The database did not become ready within ${recoveryMs / 1000} s; see ${cluster.place.logFile}.`);
}
