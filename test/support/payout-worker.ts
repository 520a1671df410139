// A process that sends payouts until it is killed, with a clock that runs fast. SIGTERM ends it between two rounds.
import pino from 'pino';
import { readConfig } from '../../server/config.ts';
import type { Context } from '../../server/context.ts';
import { followUp } from '../../server/paying/payouts/send/follow-up.ts';
import { appRole } from '../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../server/platform/db/connect.ts';
import { acquireProcessLock } from '../../server/platform/db/process-lock.ts';
import { createOutgoingHttp } from '../../server/platform/http/outgoing/outgoing.ts';
import { openWorkers } from '../../server/platform/lib/concurrency/workers.ts';
import { randomIds } from '../../server/platform/lib/ids.ts';
import { createVault } from '../../server/platform/secrets/vault.ts';
import { elapse } from './time/wait.ts';

export type WorkerOptions = {
  connection: { host: string; port: number; user: string; database: string };
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
  const http = createOutgoingHttp({ allowPrivate: true });
  const db = typedQueries(connect({ ...connection, role: appRole, max: 4 }));
  const ctx: Context = {
    db,
    programDb: () => db,
    clock: { now: () => virtualNow(time) },
    ids: randomIds,
    log: pino({ level: 'fatal' }),
    config: readConfig({}),
    mailer: null,
    jobs: { enqueue: async () => {} },
    checkUrl: http.checkUrl,
    http: (request) => http({ ...request, timeoutMs: callTimeoutMs }),
    vault: createVault([Buffer.from(vaultKey, 'base64')]),
    workers: openWorkers(),
    processLock: await acquireProcessLock(connection),
  };
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
