// Limits how much runs at once. What doesn't fit waits in order of arrival; the queue is bounded in length and time.

export type Gating = {
  atOnce: number;
  maxWaiting: number;
  /** How long one may wait. Unset: as long as it takes. */
  maxWaitMs?: number;
  /** The error for what is turned away because the queue is full, or because it waited too long. */
  refuse(): Error;
};

export type Gate = {
  /** Resolves when there is room, with the function that gives the place back; calling it again has no effect. */
  enter(): Promise<() => void>;
  isIdle(): boolean;
};

type Waiting = { admit(leave: () => void): void };

export function createGate({ atOnce, maxWaiting, maxWaitMs, refuse }: Gating): Gate {
  const waiting: Waiting[] = [];
  let running = 0;

  const admit = (): (() => void) => {
    running += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      running -= 1;
      waiting.shift()?.admit(admit());
    };
  };

  const wait = (): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const entry: Waiting = {
        admit(leave) {
          clearTimeout(timer);
          resolve(leave);
        },
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(refuse());
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      waiting.push(entry);
    });

  return {
    async enter() {
      if (running < atOnce) return admit();
      if (waiting.length >= maxWaiting) throw refuse();
      return wait();
    },
    isIdle: () => running === 0,
  };
}

/** One gate per key, created when it is first needed and forgotten once it is idle. */
export function createGates(gating: Gating): { enter(key: string): Promise<() => void> } {
  const gates = new Map<string, Gate>();
  return {
    async enter(key) {
      const gate = gates.get(key) ?? createGate(gating);
      gates.set(key, gate);
      const leave = await gate.enter();
      return () => {
        leave();
        if (gate.isIdle() && gates.get(key) === gate) gates.delete(key);
      };
    },
  };
}
