// Columns grow until their header fits, and those of figures and times until each of them fits: an amount is never shortened,
// whatever the width of its column.
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Column } from './table-types.ts';

/** On both sides together, in pixels. */
const cellPadding = 24;

/** The widths that headers, figures and times need, by column, where a cell has less. */
export function useFittingWidths<Row>(
  table: RefObject<HTMLTableElement | null>,
  { columns, rows }: { columns: readonly Column<Row>[]; rows: readonly Row[] | undefined },
): Readonly<Record<string, number>> {
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  useLayoutEffect(() => {
    let isCurrent = true;
    const measure = () => {
      if (!isCurrent || rows === undefined || !table.current) return;
      const needed = [...measureHeaders(table.current, columns), ...measureFigures(table.current, columns)];
      setWidths((known) => (needed.some(([id, width]) => width > (known[id] ?? 0)) ? mergeWidths(known, needed) : known));
    };
    measure();
    // Figures of the font that arrives later can be wider.
    void document.fonts.ready.then(measure);
    // A narrower table takes from its columns what they had beyond their own widths.
    const observer = new ResizeObserver(measure);
    if (table.current) observer.observe(table.current);
    return () => {
      isCurrent = false;
      observer.disconnect();
    };
  }, [table, columns, rows]);
  return widths;
}

function measureHeaders<Row>(table: HTMLTableElement, columns: readonly Column<Row>[]): [id: string, width: number][] {
  const cells = [...(table.tHead?.rows[0]?.cells ?? [])].slice(-columns.length);
  return columns.flatMap(({ id }, index): [string, number][] => {
    const text = cells[index]?.querySelector('[data-head-text]');
    const missing = text ? text.scrollWidth - text.clientWidth : 0;
    return text && missing > 0 ? [[id, (cells[index]?.clientWidth ?? 0) + missing + 1]] : [];
  });
}

function measureFigures<Row>(table: HTMLTableElement, columns: readonly Column<Row>[]): [id: string, width: number][] {
  const needed = new Map<string, number>();
  const range = document.createRange();
  // While texts are not shortened, a range has the width that they need.
  table.dataset.measuring = '';
  for (const row of table.tBodies[0]?.rows ?? []) {
    const cells = [...row.cells].slice(-columns.length);
    for (const [index, column] of columns.entries()) {
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

function mergeWidths(known: Readonly<Record<string, number>>, needed: readonly [string, number][]): Record<string, number> {
  const merged = { ...known };
  for (const [id, width] of needed) merged[id] = Math.max(width, merged[id] ?? 0);
  return merged;
}
