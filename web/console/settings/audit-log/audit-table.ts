// The state of the audit log in the URL, and the filters of the API that follow from it.
import type { TableView } from '../../../ui/table/table-types.ts';
import { days, oneOf, someOf } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';

export const actorKinds = ['user', 'api_key', 'provider', 'schedule', 'command'] as const;

export const auditTable = tableState({
  filters: {
    actorKind: someOf('actorKind', actorKinds),
    actorId: oneOf('actorId'),
    created: days('createdFrom', 'createdTo', ['from', 'to']),
  },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The filters of the API: the search is an id, or a name or an action. */
export function toFilter(view: TableView, timezone: string) {
  const filter = auditTable.toFilter({ search: '', filters: view.filters }, timezone);
  const text = view.search.trim();
  if (text === '') return filter;
  return uuid.test(text) ? { ...filter, subjectId: text } : { ...filter, search: text };
}
