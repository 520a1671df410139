// Reads about several programs of a user: each on the node that stores it, at the time of its clock, and a few at the same time.
import type { Context } from '../../context.ts';
import { toProgramRequest } from '../../platform/test-clocks/program-clock.ts';

/** A person with fifty programs uses as few connections as a person with four. */
const atOnce = 4;

/** What `read` returns for each program, in their order. */
export async function readInEach<Program extends { id: string }, Result>(
  ctx: Context,
  programs: readonly Program[],
  read: (ctx: Context, program: Program) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < programs.length; first += atOnce) {
    const some = programs.slice(first, first + atOnce);
    const reading = some.map(async (program) => read(await toProgramRequest(ctx, program.id), program));
    results.push(...(await Promise.all(reading)));
  }
  return results;
}
