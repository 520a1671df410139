// A process that runs payout schedules and sends payouts at the times that its input names, until it is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Context } from '../../../server/context.ts';
import { runPayoutSchedules } from '../../../server/paying/payouts/schedule/run.ts';
import { followUp } from '../../../server/paying/payouts/send/follow-up.ts';
import { acquireProcessLock } from '../../../server/platform/db/process-lock.ts';
import { openWorkerContext, type WorkerConnection } from '../crash/worker-context.ts';
import { elapse } from '../time/wait.ts';

type Options = { connection: WorkerConnection; vaultKey: string; programIds: string[] };

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
  let at = new Date(0);
  const opened = openWorkerContext({ connection, vaultKey, clock: { now: () => at } });
  const ctx: Context = { ...opened, processLock: await acquireProcessLock(connection) };
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    at = new Date(line);
    await runPayoutSchedules.run(ctx, {}, { isLast: false });
    for (const programId of programIds) await followUp(ctx, programId);
    process.stdout.write('done\n');
  }
}
