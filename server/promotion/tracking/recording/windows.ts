// Rate limits per network (Contract §8), decided in memory: how many clicks were accepted in a minute and an hour.
// Processes exchange their counts (exchange.ts).

/** `hash`: of the program and the network. */
export type Window = { programId: string; hash: string; seconds: number; limit: number };

/** `shared`: the sum of all processes when it was last read. `unsent`: accepted by this process since. */
export type Count = { programId: string; hash: string; seconds: number; start: number; shared: number; unsent: number };

export type Windows = {
  /** Whether a click is within every limit. It counts in each window up to the first that is full. */
  admit(windows: readonly Window[], at: Date): boolean;
  /** Takes back a click that was admitted but not recorded. */
  takeBack(windows: readonly Window[], at: Date): void;
  /** Finds or creates the count of a network. */
  find(window: Omit<Window, 'limit'>, start: number): Count;
  hasUnsent(): boolean;
  /** The counts to send, which `keepUnsent` returns if that fails. `all`: also the small ones. */
  takeUnsent(now: Date, all: boolean): Count[];
  keepUnsent(counts: readonly Count[]): void;
};

/** Counts below this share of a limit are not exchanged, because most addresses click once or twice. */
const exchangedShare = 1 / 16;
/** Beyond this number in a window, the oldest counts are forgotten. */
const maxCounts = 200_000;
/** A window is kept for a while after its end, for clicks that arrived before it. */
const graceMs = 10_000;

export function createWindows(): Windows {
  /** By the start of the window and its length, then by network. */
  const windows = new Map<number, Map<string, Count>>();
  let unsent = new Set<Count>();

  const find: Windows['find'] = ({ programId, hash, seconds }, start) => {
    // Windows start at full minutes, so this is different for each.
    const name = start + seconds;
    const counts = windows.get(name) ?? new Map<string, Count>();
    if (counts.size === 0) windows.set(name, counts);
    const known = counts.get(hash);
    if (known) return known;
    if (counts.size >= maxCounts) for (const oldest of counts.keys()) if (counts.delete(oldest)) break;
    const count = { programId, hash, seconds, start, shared: 0, unsent: 0 };
    counts.set(hash, count);
    return count;
  };
  const admitOne = (window: Window, at: Date): boolean => {
    const { limit } = window;
    if (limit === 0) return true;
    const count = find(window, toStart(window.seconds, at));
    if (count.shared + count.unsent >= limit) return false;
    count.unsent += 1;
    if (count.shared + count.unsent >= limit * exchangedShare) unsent.add(count);
    return true;
  };

  return {
    admit: (asked, at) => asked.every((window) => admitOne(window, at)),
    takeBack(asked, at) {
      for (const window of asked) {
        if (window.limit === 0) continue;
        const count = find(window, toStart(window.seconds, at));
        count.unsent -= 1;
        if (count.shared > 0) unsent.add(count);
      }
    },
    find,
    hasUnsent: () => unsent.size > 0,
    takeUnsent(now, all) {
      const sending = all ? [...windows.values()].flatMap((counts) => [...counts.values()]) : [...unsent];
      unsent = new Set();
      for (const [name, counts] of windows) {
        const [first] = counts.values();
        if (first && isOver(first, now.getTime() - graceMs)) windows.delete(name);
      }
      return sending.filter((count) => count.unsent !== 0 && !isOver(count, now.getTime()));
    },
    keepUnsent(counts) {
      for (const count of counts) unsent.add(count);
    },
  };
}

/** Sets the accepted clicks of all processes, including `sent` clicks of this one. */
export function learn(count: Count, shared: number, sent: number): void {
  count.shared = shared;
  count.unsent -= sent;
}

function toStart(seconds: number, at: Date): number {
  return Math.floor(at.getTime() / (seconds * 1000)) * seconds * 1000;
}

function isOver({ start, seconds }: Count, time: number): boolean {
  return start + seconds * 1000 <= time;
}
