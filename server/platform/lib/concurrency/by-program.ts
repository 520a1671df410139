// What a process has for each program, such as a queue or a share of the connections. Programs come and go: idle ones are
// removed, so that memory doesn't grow with every program that was ever used.

const maxKept = 1000;

/** Removing an idle one only means that it is created again. */
type Removable = { isIdle(): boolean };

/** Returns what a program has, and creates it when it is missing. */
export function createByProgram<T extends Removable>(create: (programId: string) => T): (programId: string) => T {
  const kept = new Map<string, T>();
  return (programId) => {
    const known = kept.get(programId);
    if (known) return known;
    const created = create(programId);
    if (kept.size >= maxKept) removeIdle(kept);
    kept.set(programId, created);
    return created;
  };
}

/** Removes the oldest idle one, if any. */
function removeIdle(kept: Map<string, Removable>): void {
  for (const [programId, one] of kept) if (one.isIdle() && kept.delete(programId)) return;
}
