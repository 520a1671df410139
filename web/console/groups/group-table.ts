// The table of groups in the URL: the tab, order and page. Pure.
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';

export const tabs = ['active', 'archived'] as const;

const sheets = ['create', 'moves'] as const;

export const groupTable = tableState({ filters: {}, sorts: ['createdAt', 'name'], defaultSort: 'name' });

export function readOpen(raw: RawSearch) {
  return {
    tab: readOne(raw, 'tab', tabs) ?? 'active',
    groupId: readText(raw, 'group') ?? null,
    sheet: readOne(raw, 'sheet', sheets),
  };
}
