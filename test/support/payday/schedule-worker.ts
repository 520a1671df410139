// A process that runs payout schedules and sends payouts at the times that its input names, until it is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { readConfig } from '../../../server/config.ts';
import type { Context } from '../../../server/context.ts';
import { runPayoutSchedules } from '../../../server/paying/payouts/schedule/run.ts';
import { followUp } from '../../../server/paying/payouts/send/follow-up.ts';
import { appRole } from '../../../server/platform/db/app-role.ts';
import { connect, typedQueries } from '../../../server/platform/db/connect.ts';
import { acquireProcessLock } from '../../../server/platform/db/process-lock.ts';
import { createOutgoingHttp } from '../../../server/platform/http/outgoing/outgoing.ts';
import { openWorkers } from '../../../server/platform/lib/concurrency/workers.ts';
import { randomIds } from '../../../server/platform/lib/ids.ts';
import { createVault } from '../../../server/platform/secrets/vault.ts';
import { elapse } from '../time/wait.ts';

type Options = { connection: { host: string; port: number; user: string; database: string }; vaultKey: string; programIds: string[] };

export type ScheduleWorker = {
  /** Runs the schedules at this time, and then sends what is queued. */
  run(at: Date): Promise<void>;
  /** Starts to run the schedules at this time, and is killed after some milliseconds. */
  killDuring(at: Date, afterMs: number): Promise<void>;
  end(): Promise<void>;
};

export async function startScheduleWorker(options: Options): Promise<ScheduleWorker> {
  const child: ChildProcess = spawn(process.execPath, ['test/support/payday/schedule-worker.ts', JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  await once(answers, 'line');
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    async run(at) {
      const answered = once(answers, 'line');
      child.stdin?.write(`${at.toISOString()}\n`);
      await answered;
    },
    async killDuring(at, afterMs) {
      child.stdin?.write(`${at.toISOString()}\n`);
      await elapse(afterMs);
      await kill();
    },
    end: kill,
  };
}

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as Options);

async function work({ connection, vaultKey, programIds }: Options): Promise<void> {
  const http = createOutgoingHttp({ allowPrivate: true });
  const db = typedQueries(connect({ ...connection, role: appRole, max: 2 }));
  let at = new Date(0);
  const ctx: Context = {
    db,
    programDb: () => db,
    clock: { now: () => at },
    ids: randomIds,
    log: pino({ level: 'fatal' }),
    config: readConfig({}),
    mailer: null,
    jobs: { enqueue: async () => {} },
    checkUrl: http.checkUrl,
    http,
    vault: createVault([Buffer.from(vaultKey, 'base64')]),
    workers: openWorkers(),
    processLock: await acquireProcessLock(connection),
  };
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    at = new Date(line);
    await runPayoutSchedules.run(ctx, {}, { isLast: false });
    for (const programId of programIds) await followUp(ctx, programId);
    process.stdout.write('done\n');
  }
}
