// The pages before and after the one that is shown. The API skips at most 10,000 rows; later pages of its lists continue at
// the cursor of the page before. Pure.
import type { TableView } from './table-types.ts';

/** The most rows that the API skips in a list with cursors. */
export const maxSkipped = 10_000;

/** The cursors of the pages that were shown, by their number. */
export type KnownCursors = ReadonlyMap<number, string>;

function needsCursor({ pageSize }: Pick<TableView, 'pageSize'>, page: number): boolean {
  return page * pageSize > maxSkipped;
}

/** The next page; null while its cursor isn't known. `nextCursor` is undefined in lists without cursors. */
export function nextPage(view: TableView, nextCursor: string | null | undefined): TableView | null {
  const page = view.page + 1;
  if (nextCursor === undefined || !needsCursor(view, page)) return { ...view, page, cursor: null };
  return nextCursor === null ? null : { ...view, page, cursor: nextCursor };
}

/** The previous page; or the last one that needs no cursor, where the cursor isn't known, as after opening a link. */
export function previousPage(view: TableView, known: KnownCursors): TableView {
  const page = view.page - 1;
  if (view.cursor === null || !needsCursor(view, page)) return { ...view, page, cursor: null };
  const cursor = known.get(page);
  return cursor === undefined ? { ...view, page: Math.floor(maxSkipped / view.pageSize), cursor: null } : { ...view, page, cursor };
}
