// Selecting rows. Pure: each function returns the next selection.
import type { Selection } from './table-types.ts';

/** Whether a row is selected. */
export function isSelected({ ids, isAllMatching }: Selection, id: string): boolean {
  return isAllMatching || ids.includes(id);
}

/** Adds or removes one row. After "all matching", a single row starts a selection of what is on the page. */
export function toggleRow(selection: Selection, id: string, pageIds: readonly string[]): Selection {
  const ids = selection.isAllMatching ? pageIds : selection.ids;
  return { ids: ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id], isAllMatching: false };
}

/** Selects everything between the row clicked last and this one, inclusive. */
export function selectRange(selection: Selection, anchor: string | null, id: string, pageIds: readonly string[]): Selection {
  const from = anchor === null ? -1 : pageIds.indexOf(anchor);
  const to = pageIds.indexOf(id);
  if (from < 0 || to < 0) return toggleRow(selection, id, pageIds);
  const between = pageIds.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: [...new Set([...selection.ids, ...between])], isAllMatching: false };
}

/** Selects the page, or clears it when all of it is selected. Rows of other pages are not changed. */
export function togglePage(selection: Selection, pageIds: readonly string[]): Selection {
  if (pageState(selection, pageIds) === 'all') {
    return { ids: selection.isAllMatching ? [] : selection.ids.filter((id) => !pageIds.includes(id)), isAllMatching: false };
  }
  return { ids: [...new Set([...selection.ids, ...pageIds])], isAllMatching: false };
}

/** How much of the page is selected, for the checkbox in the header. */
export function pageState(selection: Selection, pageIds: readonly string[]): 'all' | 'some' | 'none' {
  const count = pageIds.filter((id) => isSelected(selection, id)).length;
  if (count === 0) return 'none';
  return count === pageIds.length ? 'all' : 'some';
}

/** How many rows an action would apply to. */
export function selectedCount(selection: Selection, total: number): number {
  return selection.isAllMatching ? total : selection.ids.length;
}
