// Which rows to read for a page of a list. The database passes every row before an offset, so a page is read from the
// nearer end of the list.

export type Direction = 'asc' | 'desc';
export type Page = { limit: number; offset: number };

export type Slice = Page & {
  direction: Direction;
  /** The rows that were read, in the order of the page. */
  toPage<Row>(rows: readonly Row[]): Row[];
};

/** What to read for a page of a list with `total` rows. */
export function sliceOf(page: Page, total: number, direction: Direction): Slice {
  const offset = Math.min(page.offset, total);
  const limit = Math.min(page.limit, total - offset);
  const fromEnd = total - offset - limit;
  if (offset <= fromEnd) return { direction, offset, limit, toPage: (read) => [...read] };
  return { direction: direction === 'asc' ? 'desc' : 'asc', offset: fromEnd, limit, toPage: (read) => read.toReversed() };
}
