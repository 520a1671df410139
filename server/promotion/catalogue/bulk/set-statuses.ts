// Archiving or restoring several products in the console.
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { declareStatusChanges, reportStatusChanges } from '../../../platform/http/declaration/status-changes.ts';
import { changeProduct } from '../change.ts';
import { ProductStatus } from '../product.ts';

const { body, result } = declareStatusChanges(ProductStatus, {
  object: 'product',
  objects: 'products',
  exampleId: '01980a4e-9c11-7d20-8b42-5e6f7a8b9c0d',
});

export const setProductStatuses = endpoint({
  id: 'products.setStatuses',
  route: 'POST /app/programs/:programId/products/statuses',
  scope: 'write',
  requires: 'terms.write',
  isUserOnly: true,
  tag: 'Products',
  summary: 'Archive or restore several products',
  description: 'Returns the outcome for each product. Sending the previous statuses undoes the change.',
  body,
  statuses: [200],
  result,
  async handle(tx, { actor, body: { changes } }) {
    // Locked in the order of their ids, so that two requests can't deadlock. The last status of an id wins.
    const wanted = new Map(changes.map(({ id, status }) => [id, status]));
    const rows = await tx.db
      .selectFrom('products')
      .select(['id', 'status'])
      .where('programId', '=', actor.programId)
      .where('id', 'in', [...wanted.keys()])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    for (const { id } of rows) await changeProduct(tx, actor, { id, status: wanted.get(id) });
    return reportStatusChanges(wanted, new Map(rows.map(({ id, status }) => [id, ProductStatus.parse(status)])));
  },
});
