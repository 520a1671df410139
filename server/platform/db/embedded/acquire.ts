// Connects to the database of a data folder, starting it if necessary. Every start and restart uses this loop: look for a
// running database, try to become its owner or guest, and start one if none runs. It keeps no state between rounds, so
// other processes may do the same at the same time.
import { setTimeout as sleep } from 'node:timers/promises';
import { claimRole, connectToPostmaster, findOwner, type Owner, type PostmasterConnection, type Role } from './ownership.ts';
import { type Cluster, type Start, startPostmaster, stopPostmaster } from './postmaster.ts';
import { getProcessState, readPostmaster } from './postmaster-file.ts';

/** Another process serves this data folder. */
export class AlreadyServing extends Error {
  override readonly name = 'AlreadyServing';
}

export type AcquireRequest = {
  role: Role;
  name: string;
  waitMs: number;
  /** False when a lost database is restarted: a new, empty one in its place would look like lost data. */
  mayCreate: boolean;
};
export type AcquiredDatabase = PostmasterConnection & { how: 'new' | 'started' | 'adopted' | 'joined' };

type ClaimResult = 'owner' | 'joined' | 'disconnected' | { owner: Owner | null };
type WaitState = { waitUntil: number; isAnnounced: boolean };

/** How long remains of a killed process may prevent a start. */
const passingTroubleMs = 10_000;
/** How long crash recovery of the database may take. */
const recoveryMs = 300_000;

/** Acquires the role in the database, starting it if necessary. Throws AlreadyServing if another process has the role. */
export async function acquire(cluster: Cluster, request: AcquireRequest): Promise<AcquiredDatabase> {
  const { clusterDir } = cluster.location;
  const waitState = { waitUntil: Date.now() + request.waitMs, isAnnounced: false };
  /** When the first of the latest failures to connect or start happened. */
  let troubleSince: number | null = null;
  let startedAt = 0;
  let start: Start | null = null;
  let isNew = false;
  for (;;) {
    const connection = await connectToPostmaster(clusterDir, request);
    if (connection) {
      const result = await tryToClaim(connection, request);
      if (result === 'joined') return { ...connection, how: 'joined' };
      if (result === 'owner') {
        return { ...connection, how: connection.pid !== start?.pid ? 'adopted' : isNew ? 'new' : 'started' };
      }
      troubleSince = null;
      if (result !== 'disconnected') announceOrGiveUp(result.owner, { cluster, request, waitState });
      await sleep(50);
      continue;
    }

    const failure = start?.failure() ?? null;
    if (start && !failure) {
      if (Date.now() - startedAt > recoveryMs) await abandon(cluster, start);
      await sleep(10);
      continue;
    }
    const isRunning = isPostmasterRunning(clusterDir);
    if (failure || isRunning) troubleSince ??= Date.now();
    const mayPass = troubleSince === null || Date.now() - troubleSince < passingTroubleMs;
    if (failure && !(failure.isPassing && mayPass)) {
      throw failure.error;
    } else if (isRunning && mayPass) {
      await sleep(50);
    } else {
      if (failure) await sleep(100);
      startedAt = Date.now();
      start = await startPostmaster(cluster, request);
      isNew ||= start.isNew;
    }
  }
}

/** Claims the role in a running database; 'disconnected' if the database stopped in the meantime. */
async function tryToClaim({ client }: PostmasterConnection, { role }: AcquireRequest): Promise<ClaimResult> {
  let result: ClaimResult;
  try {
    const claimed = await claimRole(client, role);
    result = claimed === 'taken' ? { owner: await findOwner(client) } : claimed;
  } catch {
    result = 'disconnected';
  }
  if (typeof result === 'object' || result === 'disconnected') await client.end().catch(() => undefined);
  return result;
}

function announceOrGiveUp(owner: Owner | null, context: { cluster: Cluster; request: AcquireRequest; waitState: WaitState }): void {
  const { cluster, request, waitState } = context;
  const subject = `Another Tributary (process ${owner?.pid ?? 'unknown'})`;
  const activity = owner?.role === 'command' ? `is still running "${owner.name}" on` : 'is already serving';
  if (Date.now() >= waitState.waitUntil) {
    throw new AlreadyServing(`${subject} ${activity} ${cluster.location.shownAs}. Stop it first, or set DATA_DIR to another folder.`);
  }
  if (!waitState.isAnnounced && owner) {
    waitState.isAnnounced = true;
    cluster.log(`${subject} ${activity} ${cluster.location.shownAs}; waiting up to ${Math.ceil(request.waitMs / 1000)} s for it.`);
  }
}

/** Whether a postmaster runs that doesn't accept connections: it is starting, stopping or stuck. */
function isPostmasterRunning(clusterDir: string): boolean {
  const postmaster = readPostmaster(clusterDir);
  return postmaster !== null && getProcessState(postmaster.pid, clusterDir) === 'postmaster';
}

async function abandon(cluster: Cluster, start: Start): Promise<never> {
  if (start.pid !== undefined) await stopPostmaster(cluster, start.pid);
  throw new Error(`The database did not become ready within ${recoveryMs / 1000} s; see ${cluster.location.logFile}.`);
}
