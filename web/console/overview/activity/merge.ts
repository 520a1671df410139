// Merging new activity into what is shown. The API repeats items around its cursor, so they are matched by id. Pure.
type Item = { id: string; kind: string; at: string };

/** The newest items, each once. */
export function mergeActivity<T extends Item>(shown: readonly T[], latest: readonly T[], limit: number): T[] {
  const byId = new Map([...shown, ...latest].map((item) => [`${item.kind} ${item.id}`, item]));
  return [...byId.values()].toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1)).slice(0, limit);
}
