import { outdatedError, readVersion, versionHint } from '../../accounts/programs/version.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { changeProduct } from './change.ts';
import { ProductShape, ProductUpdate, productExists, productSlot, toProduct, unknownAllowedGroup } from './product.ts';

export const updateProduct = endpoint({
  id: 'products.update',
  route: 'PATCH /v1/programs/:programId/products/:id',
  scope: 'write',
  requires: 'terms.write',
  tag: 'Products',
  summary: 'Update a product',
  description:
    'Omitted fields keep their value. `allowedGroupIds` replaces the whole list. ' +
    `With status \`archived\`, the product disappears from landing pages and feeds. ${versionHint}`,
  path: { id: productSlot },
  body: ProductUpdate,
  statuses: [200],
  result: ProductShape,
  errors: [unknownAllowedGroup, productExists, outdatedError('stale_product', 'product')],
  async handle(tx, { actor, caller, params: { id }, body }) {
    const seenVersion = readVersion(caller.headers['if-match']);
    const { product, allowedGroupIds } = await changeProduct(tx, actor, { ...body, id }, { seenVersion });
    return toProduct(product, { currency: actor.currency, allowedGroupIds });
  },
});
