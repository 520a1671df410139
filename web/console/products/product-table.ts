// The table of products in the URL: the tab, filters, order and page. Pure.
import { someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';

/** The statuses of products, each in a tab. */
export const tabs = ['active', 'draft', 'archived'] as const;
export type Tab = (typeof tabs)[number];

export const availabilities = ['in_stock', 'out_of_stock', 'preorder', 'discontinued'] as const;

/** The sheets that open over the table. */
const sheets = ['create', 'import', 'feed'] as const;

export const productTable = tableState({
  filters: { availability: someOf('availability', availabilities) },
  sorts: ['createdAt', 'name', 'priceCents', 'updatedAt'],
  defaultSort: '-createdAt',
});

export function readOpen(raw: RawSearch) {
  return { tab: readOne(raw, 'tab', tabs) ?? 'active', productId: readText(raw, 'product') ?? null, sheet: readOne(raw, 'sheet', sheets) };
}
