// Worker threads for work that would block the event loop: rendering files, parsing large texts. A task is an exported,
// pure function that takes and returns plain data; Node loads its TypeScript module in the thread.
import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { Unavailable } from '../errors.ts';
import { once } from '../once.ts';

export type Workers = {
  /**
   * Runs an exported function of a module (`import.meta.url`) in a thread. Rejects with the function's error, as a plain
   * Error, or with Unavailable.
   */
  run<Input, Output>(module: string, task: (input: Input) => Output, input: Input): Promise<Awaited<Output>>;
  close(): Promise<void>;
};

/** One core is reserved for the event loop and the database. */
const threads = Math.max(1, Math.min(4, availableParallelism() - 1));
const maxQueue = 500;
const idleMs = 30_000;
/** A task that takes longer, including its time in the queue, is terminated with its thread. */
const maxTaskMs = 60_000;
/** The event loop and the database have priority when cores are scarce. */
const niceIncrement = 5;

/** Threads start with the first task and end when they are idle. */
export function openWorkers(): Workers {
  let pool: Piscina | null = null;
  const open = once(async () => {
    const { Piscina } = await import('piscina');
    pool = new Piscina({ minThreads: 0, maxThreads: threads, maxQueue, idleTimeout: idleMs, niceIncrement, atomics: 'disabled' });
    return pool;
  });
  return {
    async run(module, task, input) {
      const opened = await open();
      const signal = AbortSignal.timeout(maxTaskMs);
      try {
        return await opened.run(input, { filename: module, name: task.name, signal });
      } catch (error) {
        if (signal.aborted || isQueueFull(error)) throw new Unavailable(error);
        throw error;
      }
    },
    async close() {
      await pool?.destroy();
    },
  };
}

function isQueueFull(error: unknown): boolean {
  return error instanceof Error && /^Task queue is at limit/.test(error.message);
}
