export type Deadline = {
  /** At least 1. */
  remainingMs(): number;
  /** Waits for the rest of the time. */
  pass(): Promise<void>;
};

/** Starts a limit of time for several requests together. */
export function startDeadline(limitMs: number): Deadline {
  const startedAt = performance.now();
  const remainingMs = () => Math.max(1, Math.ceil(limitMs - (performance.now() - startedAt)));
  return { remainingMs, pass: () => new Promise((resolve) => setTimeout(resolve, remainingMs())) };
}
