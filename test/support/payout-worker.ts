// A process that sends payouts until it is killed, with a clock that runs fast. SIGTERM ends it between two rounds.
import type { Context } from '../../server/context.ts';
import { followUp } from '../../server/paying/payouts/send/follow-up.ts';
import { acquireProcessLock } from '../../server/platform/db/process-lock.ts';
import { openWorkerContext, type WorkerConnection } from './crash/worker-context.ts';
import { elapse } from './time/wait.ts';

export type WorkerOptions = {
  connection: WorkerConnection;
  vaultKey: string;
  programId: string;
  /** The virtual time is `from` plus `speed` times the time since `startedAt`. */
  time: { from: number; startedAt: number; speed: number };
  callTimeoutMs: number;
};

export function virtualNow({ from, startedAt, speed }: WorkerOptions['time']): Date {
  return new Date(from + (Date.now() - startedAt) * speed);
}

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as WorkerOptions);

async function work({ connection, vaultKey, programId, time, callTimeoutMs }: WorkerOptions): Promise<void> {
  const opened = openWorkerContext({ connection, vaultKey, clock: { now: () => virtualNow(time) } });
  const http: Context['http'] = (request) => opened.http({ ...request, timeoutMs: callTimeoutMs });
  const ctx: Context = { ...opened, http, processLock: await acquireProcessLock(connection) };
  let isEnding = false;
  process.once('SIGTERM', () => {
    isEnding = true;
  });
  process.stdout.write('ready\n');
  while (!isEnding) {
    // A provider that can't be compared now, or a lock timeout, is handled by the next round.
    await followUp(ctx, programId).catch(() => undefined);
    await elapse(20);
  }
  process.exit(0);
}
