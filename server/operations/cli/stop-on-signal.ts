// Stops the process cleanly: running requests finish, and the database shuts down. Ctrl-C arrives twice (from the
// terminal and from the launcher), so only a later signal ends the process immediately.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const echoMs = 1000;
const limitMs = 30_000;

/**
 * Runs `stop` once: on a signal, when the launching process ends, or on an uncaught error. Then ends the process: 0 after a clean stop, 1 after a fault or when `stop` took 30 s.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingSince: number | null = null;
  const begin = async (exitCode: number): Promise<void> => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > echoMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => process.exit(1), limitMs).unref();
    try {
      await stop();
      process.exit(exitCode);
    } catch (error) {
      complain(error);
      process.exit(1);
    }
  };
  for (const signal of signals) process.on(signal, () => void begin(0));
  process.on('disconnect', () => void begin(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      complain(error);
      void begin(1);
    });
  }
}

function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
