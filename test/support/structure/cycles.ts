// Whether imports form a cycle.
import assert from 'node:assert/strict';

/** Fails with the files of the first cycle. */
export function assertNoCycles(graph: ReadonlyMap<string, readonly string[]>): void {
  const state = new Map<string, 'open' | 'done'>();
  const visit = (path: string, trail: readonly string[]): void => {
    assert.notEqual(state.get(path), 'open', `${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
    if (state.has(path)) return;
    state.set(path, 'open');
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
}
