// Archiving or restoring several products in the console. Each is independent: one that doesn't exist anymore doesn't stop the
// others. What the response returns as `previousStatus` restores each of them.
import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { changeProduct } from '../change.ts';
import { ProductStatus } from '../product.ts';

const maxProducts = 200;

const Body = z
  .object({
    changes: z
      .array(z.object({ id: uuid, status: ProductStatus }))
      .min(1, 'must not be empty')
      .max(maxProducts, `must not have more than ${maxProducts} entries`)
      .describe('The products, each with the status that it gets.'),
  })
  .meta({ id: 'ProductStatuses', example: { changes: [{ id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d', status: 'archived' }] } });

const Result = z
  .object({
    id: uuidOut,
    outcome: z.enum(['changed', 'unchanged', 'not_found']).describe('`unchanged`: the product already has the status.'),
    previousStatus: ProductStatus.nullable().describe('Null for a product that was not found.'),
  })
  .meta({ id: 'ProductStatusResult' });

export const setProductStatuses = endpoint({
  id: 'products.setStatuses',
  route: 'POST /app/programs/:programId/products/statuses',
  scope: 'write',
  requires: 'terms.write',
  isUserOnly: true,
  tag: 'Products',
  summary: 'Archive or restore several products',
  description: 'Returns the outcome for each product. Sending the previous statuses undoes the change.',
  body: Body,
  statuses: [200],
  result: z.object({ changed: countOut.describe('How many products got another status.'), results: z.array(Result) }).meta({
    id: 'ProductStatusesResult',
    example: { changed: 1, results: [{ id: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d', outcome: 'changed', previousStatus: 'active' }] },
  }),
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    // Locked in the order of their ids, so that two requests can't deadlock. The last status of an id wins.
    const wanted = new Map(body.changes.map(({ id, status }) => [id, status]));
    const rows = await tx.db
      .selectFrom('products')
      .select(['id', 'status'])
      .where('programId', '=', programId)
      .where('id', 'in', [...wanted.keys()])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    for (const { id } of rows) await changeProduct(tx, actor, { id, status: wanted.get(id) });
    const previous = new Map(rows.map(({ id, status }) => [id, ProductStatus.parse(status)]));
    const results = [...wanted].map(([id, status]) => toResult(id, status, previous.get(id)));
    return { changed: results.filter(({ outcome }) => outcome === 'changed').length, results };
  },
});

type Status = z.output<typeof ProductStatus>;

function toResult(id: string, status: Status, previousStatus: Status | undefined): z.input<typeof Result> {
  if (previousStatus === undefined) return { id, outcome: 'not_found', previousStatus: null };
  return { id, outcome: previousStatus === status ? 'unchanged' : 'changed', previousStatus };
}
