// Shares the places of a process among webhooks, so that one that hangs delays no other. A webhook starts with one place.
// One that was seen to respond quickly gets more; those that don't can fill only a part of the places together.

/** Concurrent attempts of a process. */
export const places = 40;
/** The most places of one webhook. */
export const largestShare = 4;
/** The places that unproven webhooks can fill together, and those of them whose attempts have been failing. */
const [unprovenPlaces, failingPlaces] = [30, 20];

export type Candidate = { programId: string; id: string; isFailing: boolean; dueSince: Date };
type Share = { programId: string; id: string; limit: number };

type Load = {
  /** Attempts in progress per webhook. */
  busy: ReadonlyMap<string, number>;
  /** The places of webhooks whose last attempt succeeded in time; others have one. */
  proven: ReadonlyMap<string, number>;
  /** Failing webhooks among those in progress. */
  failing: ReadonlySet<string>;
};

/**
 * How many concurrent deliveries an endpoint with this response time gets; null: only one. Concurrency only helps slow
 * endpoints, and each delivery in progress may arrive twice if the process is killed.
 */
export function toShare(durationMs: number): number | null {
  if (durationMs >= 2000) return null;
  return durationMs < 50 ? 1 : durationMs < 250 ? 2 : largestShare;
}

/** How many deliveries of each webhook to claim now (pure). Those that have waited longest come first. */
export function planClaims(candidates: readonly Candidate[], { busy, proven, failing }: Load): Share[] {
  let free = places - sum(busy.values());
  let unproven = unprovenPlaces - sum([...busy].flatMap(([id, count]) => (proven.has(id) ? [] : [count])));
  let failingFree = failingPlaces - sum([...busy].flatMap(([id, count]) => (failing.has(id) && !proven.has(id) ? [count] : [])));
  const ordered = [...candidates].sort((a, b) => Number(a.isFailing) - Number(b.isFailing) || a.dueSince.getTime() - b.dueSince.getTime());
  const limits = new Map<string, number>();
  for (let round = 1; round <= largestShare; round += 1) {
    for (const { id, isFailing } of ordered) {
      const [isProven, share] = [proven.has(id), proven.get(id) ?? 1];
      const held = (busy.get(id) ?? 0) + (limits.get(id) ?? 0);
      if (free === 0 || held >= Math.min(round, share)) continue;
      if (!isProven && (unproven === 0 || (isFailing && failingFree === 0))) continue;
      limits.set(id, (limits.get(id) ?? 0) + 1);
      free -= 1;
      if (!isProven) unproven -= 1;
      if (!isProven && isFailing) failingFree -= 1;
    }
  }
  return candidates.flatMap(({ programId, id }) => {
    const limit = limits.get(id) ?? 0;
    return limit > 0 ? [{ programId, id, limit }] : [];
  });
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
