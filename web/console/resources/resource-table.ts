// The table of resources in the URL: its filters, order and page, and what is open. Pure.
import { someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';
import { kinds } from './resource-values.ts';

export const statuses = ['active', 'archived'] as const;

export const resourceTable = tableState({
  filters: { kind: someOf('kind', kinds), status: someOf('status', statuses) },
  sorts: ['position', 'title', 'createdAt'],
  defaultSort: 'position',
});

export function readOpen(raw: RawSearch) {
  return { resourceId: readText(raw, 'resource') ?? null, sheet: readOne(raw, 'sheet', ['create'] as const) };
}
