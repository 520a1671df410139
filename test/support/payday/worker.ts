// A process that sends payouts, which can be killed while it does, or ended between two rounds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { WorkerOptions } from '../payout-worker.ts';

export type Worker = {
  kill(): Promise<void>;
  /** Lets it finish its calls to the provider, so that no payout is left being sent. */
  end(): Promise<void>;
};

/** Starts a process that sends and follows up the payouts of a program. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const child: ChildProcess = spawn(process.execPath, ['test/support/payout-worker.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.EventEmitter, 'data');
  const endWith = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return { kill: () => endWith('SIGKILL'), end: () => endWith('SIGTERM') };
}
