// Changes of the statuses of several objects. Each is independent: one that doesn't exist anymore doesn't stop the others. What
// the response returns as `previousStatus` restores each of them.
import { z } from 'zod';
import { countOut, uuid, uuidOut } from './fields.ts';

const maxChanges = 200;

type Names = { object: string; objects: string; exampleId: string };

/** The body and the result of an endpoint. Examples have the statuses `archived` and `active`. */
export function declareStatusChanges<Status extends z.ZodType<string>>(status: Status, { object, objects, exampleId }: Names) {
  const name = object.charAt(0).toUpperCase() + object.slice(1);
  const body = z
    .object({
      changes: z
        .array(z.object({ id: uuid, status }))
        .min(1, 'must not be empty')
        .max(maxChanges, `must not have more than ${maxChanges} entries`)
        .describe(`The ${objects}, each with the status that it gets.`),
    })
    .meta({ id: `${name}Statuses`, example: { changes: [{ id: exampleId, status: 'archived' }] } });
  const change = z
    .object({
      id: uuidOut,
      outcome: z.enum(['changed', 'unchanged', 'not_found']).describe(`\`unchanged\`: the ${object} already has the status.`),
      previousStatus: status.nullable().describe(`Null for a ${object} that was not found.`),
    })
    .meta({ id: `${name}StatusResult` });
  const result = z.object({ changed: countOut.describe(`How many ${objects} got another status.`), results: z.array(change) }).meta({
    id: `${name}StatusesResult`,
    example: { changed: 1, results: [{ id: exampleId, outcome: 'changed', previousStatus: 'active' }] },
  });
  return { body, result };
}

/** The outcome of each change, given the previous statuses by id. */
export function reportStatusChanges<Status extends string>(wanted: ReadonlyMap<string, Status>, previous: ReadonlyMap<string, Status>) {
  const results = [...wanted].map(([id, status]) => {
    const previousStatus = previous.get(id) ?? null;
    const outcome = previousStatus === null ? 'not_found' : previousStatus === status ? 'unchanged' : 'changed';
    return { id, outcome, previousStatus } as const;
  });
  return { changed: results.filter(({ outcome }) => outcome === 'changed').length, results };
}
