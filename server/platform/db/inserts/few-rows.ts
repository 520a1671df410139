// One row is written by a statement about that row: it is planned once. Several rows are written by one statement that reads them from
// arrays or JSON, unless they are few and on a cluster, which copies the rows of an `insert … select` one transaction step later.
import type { Context } from '../../../context.ts';

/** Up to this many rows, a cluster needs less time for a statement per row. */
const fewOnCluster = 4;

export function isWrittenOneByOne({ allProgramsDb }: Pick<Context, 'allProgramsDb'>, rows: readonly unknown[]): boolean {
  return rows.length <= (allProgramsDb ? fewOnCluster : 1);
}
