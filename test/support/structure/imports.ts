// Which files a source file imports, and whether the imports of several files form a cycle.
import assert from 'node:assert/strict';
import { dirname, join, normalize } from 'node:path';

type Source = { path: string; text: string };

export type Import = { target: string; isType: boolean; isDynamic: boolean };

/** The files that a file imports by a relative path, `import()` included. */
export function importsOf({ path, text }: Source): Import[] {
  const pattern = /(?:^(?:import|export) (type )?[^;]*?from |\b(import)\()'(\.[^']+)'/gms;
  return [...text.matchAll(pattern)].map(([, type, dynamic, target = '']) => ({
    target: normalize(join(dirname(path), target)),
    isType: type !== undefined,
    isDynamic: dynamic !== undefined,
  }));
}

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
