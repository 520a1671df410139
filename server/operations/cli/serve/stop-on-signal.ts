// Stops the process cleanly: running requests finish, and the database shuts down.
import { printWarning } from '../print.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C arrives twice, from the terminal and from the launcher; only a later signal ends the process immediately. */
const repeatMs = 1000;
const stopTimeoutMs = 30_000;

/**
 * Runs `stop` once: on a signal, when the launching process ends, or on an uncaught error. Then ends the process with
 * 0 after a clean stop, or with 1 after an error or when `stop` takes longer than 30 seconds.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingSince: number | null = null;
  const begin = async (exitCode: number): Promise<void> => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > repeatMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    try {
      await stop();
      process.exit(exitCode);
    } catch (error) {
      printError(error);
      process.exit(1);
    }
  };
  for (const signal of signals) process.on(signal, () => void begin(0));
  process.on('disconnect', () => void begin(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      printError(error);
      void begin(1);
    });
  }
}

function printError(error: unknown): void {
  printWarning(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
