// Which columns a table has room for, and how wide they are. Columns grow until their header fits, and those of figures and times
// until each of them fits: an amount is never shortened, whatever the width of its column. Columns that don't fit beside the
// others give up their place.
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { fitColumns, visibleColumns, widthOf, widthOfAll } from './columns.ts';
import type { Column, FittedColumn, TableLayout } from './table-types.ts';

/** On both sides together, in pixels. */
const cellPadding = 24;
export const checkboxWidth = 44;
/** In less room, a table whose columns don't fit becomes a list; in more, it scrolls. */
const narrowWidth = 640;

type Options<Row> = { columns: readonly Column<Row>[]; layout: TableLayout; rows: readonly Row[] | undefined; hasSelection: boolean };

/** `isList`: not even the columns that keep their place fit, so each row should become two lines. */
type Fitting<Row> = { fitted: readonly FittedColumn<Row>[]; isList: boolean };

/** `root` is the element whose width the table has. */
export function useFittingColumns<Row>(
  root: RefObject<HTMLElement | null>,
  { columns, layout, rows, hasSelection }: Options<Row>,
): Fitting<Row> {
  const [needed, setNeeded] = useState<Readonly<Record<string, number>>>({});
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  const available = room - (hasSelection ? checkboxWidth : 0);
  const fitting = useMemo(() => {
    const widthOfColumn = (column: Column<Row>) => Math.max(widthOf(column, layout), needed[column.id] ?? 0);
    // Columns that the user chose are shown, even if the table scrolls.
    const isChosen = layout.hidden !== null;
    const fitted = fitColumns(visibleColumns(columns, layout), {
      available: isChosen ? Number.POSITIVE_INFINITY : available,
      widthOf: widthOfColumn,
    });
    return { fitted, isList: !isChosen && available < narrowWidth && widthOfAll(fitted) > available };
  }, [columns, layout, needed, available]);
  const { fitted } = fitting;
  useLayoutEffect(() => {
    let isCurrent = true;
    const measure = () => {
      if (!isCurrent || !root.current) return;
      setRoom(root.current.clientWidth);
      const table = root.current.querySelector('table');
      if (rows === undefined || !table) return;
      const found = [...measureHeaders(table, fitted), ...measureFigures(table, fitted)];
      setNeeded((known) => (found.some(([id, width]) => width > (known[id] ?? 0)) ? mergeWidths(known, found) : known));
    };
    measure();
    // Figures of the font that arrives later can be wider.
    void document.fonts.ready.then(measure);
    // A narrower table takes from its columns what they had beyond their own widths.
    const observer = new ResizeObserver(measure);
    if (root.current) observer.observe(root.current);
    return () => {
      isCurrent = false;
      observer.disconnect();
    };
  }, [root, fitted, rows]);
  return fitting;
}

type Needed = [id: string, width: number];

function measureHeaders<Row>(table: HTMLTableElement, columns: readonly FittedColumn<Row>[]): Needed[] {
  const cells = [...(table.tHead?.rows[0]?.cells ?? [])].slice(-columns.length);
  return columns.flatMap(({ column: { id } }, index): Needed[] => {
    const text = cells[index]?.querySelector('[data-head-text]');
    const missing = text ? text.scrollWidth - text.clientWidth : 0;
    return text && missing > 0 ? [[id, (cells[index]?.clientWidth ?? 0) + missing + 1]] : [];
  });
}

function measureFigures<Row>(table: HTMLTableElement, columns: readonly FittedColumn<Row>[]): Needed[] {
  const needed = new Map<string, number>();
  const range = document.createRange();
  // While texts are not shortened, a range has the width that they need.
  table.dataset.measuring = '';
  for (const row of table.tBodies[0]?.rows ?? []) {
    const cells = [...row.cells].slice(-columns.length);
    for (const [index, { column }] of columns.entries()) {
      const cell = cells[index];
      if (!cell || !(column.align === 'end' || cell.querySelector(':scope > time, :scope > bdi > time'))) continue;
      range.selectNodeContents(cell);
      const width = Math.ceil(range.getBoundingClientRect().width) + cellPadding;
      if (width > cell.clientWidth) needed.set(column.id, Math.max(needed.get(column.id) ?? 0, width));
    }
  }
  delete table.dataset.measuring;
  return [...needed];
}

function mergeWidths(known: Readonly<Record<string, number>>, needed: readonly Needed[]): Record<string, number> {
  const merged = { ...known };
  for (const [id, width] of needed) merged[id] = Math.max(width, merged[id] ?? 0);
  return merged;
}
