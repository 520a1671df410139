// A process that sends payouts, which can be killed while it does.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { WorkerOptions } from '../payout-worker.ts';

export type Worker = { kill(): Promise<void> };

/** Starts a process that sends and follows up the payouts of a program. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const child: ChildProcess = spawn(process.execPath, ['test/support/payout-worker.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.EventEmitter, 'data');
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
