// The form of a product and the request it becomes. Pure.
import type { Input, Result } from '../../api/call.ts';

export type Product = Result<'products.get'>;

/** The reads that a change of products affects. */
export const affected = ['productTable.list', 'products.list', 'products.get', 'commissionRules.resolve'] as const;

export type ProductValues = {
  name: string;
  priceCents: number | null;
  compareAtPriceCents: number | null;
  checkoutUrl: string;
  imageUrl: string;
  category: string;
  brand: string;
  sku: string;
  externalId: string;
  description: string;
  isDraft: boolean;
  availability: Product['availability'] | null;
  allowedGroupIds: readonly string[];
};

type Body = NonNullable<Input<'products.create'>['body']>;

export const emptyProduct: ProductValues = {
  name: '',
  priceCents: null,
  compareAtPriceCents: null,
  checkoutUrl: '',
  imageUrl: '',
  category: '',
  brand: '',
  sku: '',
  externalId: '',
  description: '',
  isDraft: false,
  availability: 'in_stock',
  allowedGroupIds: [],
};

/** The initial values of the form of an existing product. */
export function toValues(product: Product): ProductValues {
  return {
    name: product.name,
    priceCents: product.priceCents,
    compareAtPriceCents: product.compareAtPriceCents,
    checkoutUrl: product.checkoutUrl,
    imageUrl: product.imageUrl ?? '',
    category: product.category ?? '',
    brand: product.brand ?? '',
    sku: product.sku ?? '',
    externalId: product.externalId ?? '',
    description: product.description ?? '',
    isDraft: product.status === 'draft',
    availability: product.availability,
    allowedGroupIds: product.allowedGroupIds,
  };
}

/** Required fields that are empty. The server would name them in the words of the API. */
export function findMissing({ name, priceCents, checkoutUrl }: ProductValues): (keyof ProductValues)[] {
  const required: [keyof ProductValues, boolean][] = [
    ['name', name.trim() === ''],
    ['priceCents', priceCents === null],
    ['checkoutUrl', checkoutUrl.trim() === ''],
  ];
  return required.flatMap(([field, isEmpty]) => (isEmpty ? [field] : []));
}

/** The whole product that the form describes. */
export function toBody(values: ProductValues): Body {
  const text = (value: string) => value.trim() || null;
  return {
    name: values.name,
    priceCents: values.priceCents ?? 0,
    compareAtPriceCents: values.compareAtPriceCents,
    checkoutUrl: values.checkoutUrl.trim(),
    imageUrl: text(values.imageUrl),
    category: text(values.category),
    brand: text(values.brand),
    sku: text(values.sku),
    externalId: text(values.externalId),
    description: text(values.description),
    status: values.isDraft ? 'draft' : 'active',
    availability: values.availability ?? 'in_stock',
    allowedGroupIds: [...values.allowedGroupIds],
  };
}

/** The fields that differ from the product as the form was opened, so that what others changed in the meantime is kept. */
export function toUpdate(saved: ProductValues, values: ProductValues, isArchived: boolean): Partial<Body> {
  const [before, after] = [toBody(saved), toBody(values)];
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Body]) && !(isArchived && name === 'status'),
  );
  return Object.fromEntries(changed);
}
