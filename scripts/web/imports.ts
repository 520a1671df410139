// Which files a source file imports.
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
