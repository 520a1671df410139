// In which order the tables of a program are deleted: rows that refer to others first.

/** A foreign key between two tables. */
export type Reference = { from: string; to: string };

/** Sorts tables so that each comes before those that it refers to. Throws if tables refer to each other in a circle (pure). */
export function orderTables(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  let left = tables.toSorted();
  while (left.length > 0) {
    const referred = new Set(references.filter(({ from, to }) => from !== to && left.includes(from)).map(({ to }) => to));
    const free = left.filter((table) => !referred.has(table));
    if (free.length === 0) throw new Error(`These tables refer to each other in a circle: ${left.join(', ')}`);
    ordered.push(...free);
    left = left.filter((table) => referred.has(table));
  }
  return ordered;
}
