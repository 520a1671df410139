// Columns as the user arranged them. Pure: a stored layout may name columns that no longer exist, or lack new ones.
import type { Column, FittedColumn, TableLayout, TableView } from './table-types.ts';

export const minimumWidth = 72;
const maximumWidth = 640;

/** All columns in the user's order; columns that it doesn't name follow in their declared order. The first one stays first. */
export function orderedColumns<Row>(columns: readonly Column<Row>[], { order }: TableLayout): Column<Row>[] {
  const [first, ...rest] = columns;
  if (!first) return [];
  const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length + rest.findIndex((column) => column.id === id));
  return [first, ...rest.toSorted((a, b) => rank(a.id) - rank(b.id))];
}

/** The columns on the screen. */
export function visibleColumns<Row>(columns: readonly Column<Row>[], layout: TableLayout): Column<Row>[] {
  return orderedColumns(columns, layout).filter((column, index) => index === 0 || !isHidden(column, layout));
}

/** Whether a column is hidden, by the user or until the user shows it. */
export function isHidden<Row>(column: Column<Row>, { hidden }: TableLayout): boolean {
  return hidden === null ? (column.isHiddenAtFirst ?? false) : hidden.includes(column.id);
}

/** Shows or hides a column. */
export function toggleColumn<Row>(columns: readonly Column<Row>[], layout: TableLayout, id: string): TableLayout {
  const hidden = columns.filter((column) => isHidden(column, layout)).map((column) => column.id);
  return { ...layout, hidden: hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id] };
}

/** Moves a column by one place. The first column keeps its place: it holds the link. */
export function moveColumn<Row>(columns: readonly Column<Row>[], layout: TableLayout, id: string, by: -1 | 1): TableLayout {
  const order = orderedColumns(columns, layout).map((column) => column.id);
  const from = order.indexOf(id);
  const to = from + by;
  const other = order[to];
  if (from < 1 || to < 1 || other === undefined) return layout;
  return { ...layout, order: order.map((each, index) => (index === to ? id : index === from ? other : each)) };
}

export function widthOf<Row>(column: Column<Row>, { widths }: TableLayout): number {
  return widths[column.id] ?? column.width;
}

/**
 * The columns that fit into `available` pixels. Those with `narrow` give up their place, in the order of their ranks, until
 * the others fit. `widthOf` is the width that a column needs.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  { available, widthOf }: { available: number; widthOf: (column: Column<Row>) => number },
): FittedColumn<Row>[] {
  let fitted: FittedColumn<Row>[] = columns.map((column) => ({ column, width: widthOf(column), below: [] }));
  const movable = columns.slice(1).flatMap(({ id, narrow }) => (narrow === undefined ? [] : [{ id, narrow }]));
  for (const { id, narrow } of movable.toSorted((a, b) => a.narrow.rank - b.narrow.rank)) {
    if (widthOfAll(fitted) <= available) break;
    const moved = fitted.find(({ column }) => column.id === id);
    fitted = fitted
      .filter((each) => each !== moved)
      .map((each) =>
        moved === undefined || each.column.id !== narrow.below
          ? each
          : { ...each, width: Math.max(each.width, narrow.width ?? 0), below: [...each.below, moved.column] },
      );
  }
  return fitted;
}

/** How many pixels columns need together. */
export function widthOfAll<Row>(columns: readonly FittedColumn<Row>[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** Sets a column's width within its limits. */
export function resizeColumn(layout: TableLayout, id: string, width: number): TableLayout {
  const limited = Math.round(Math.min(maximumWidth, Math.max(minimumWidth, width)));
  return { ...layout, widths: { ...layout.widths, [id]: limited } };
}

/** What a click on a header sorts by: first direction, the other one, then the list's own order. */
export function nextSort<Row>(column: Column<Row>, current: string | null): string | null {
  const { sort, sortFirst = 'ascending' } = column;
  if (sort === undefined) return current;
  const [first, second] = sortFirst === 'ascending' ? [sort, `-${sort}`] : [`-${sort}`, sort];
  if (current === first) return second;
  return current === second ? null : first;
}

/** The direction in which a column is sorted, for `aria-sort`. */
export function sortOf<Row>(column: Column<Row>, current: string | null): 'ascending' | 'descending' | undefined {
  if (column.sort === undefined || current === null) return undefined;
  if (current === column.sort) return 'ascending';
  return current === `-${column.sort}` ? 'descending' : undefined;
}

/** Whether the list is narrowed down: then "no match" differs from "nothing here yet". */
export function isNarrowed({ search, filters }: TableView): boolean {
  return search !== '' || Object.keys(filters).length > 0;
}
