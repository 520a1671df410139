// Work that a process repeats while it runs.

/**
 * Runs `act` repeatedly, with a pause after each run; the first run is after the first pause. `act` handles its errors.
 * The returned function ends it, and resolves when the current run has ended.
 */
export function repeat(pauseMs: number, act: () => Promise<void>): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = act().finally(schedule);
    }, pauseMs).unref();
  };
  schedule();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
