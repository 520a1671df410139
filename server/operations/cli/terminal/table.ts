// A table that fits the terminal: it shortens long texts, then omits the least important columns.
import { paint, type Style, type Terminal } from './terminal.ts';
import { truncate, widthOf } from './width.ts';

export type Cell = { text: string; style?: Style };

export type Column = {
  heading: string;
  cells: readonly Cell[];
  isNumeric: boolean;
  /** Never shortened, such as an id, which is copied. */
  isWhole: boolean;
  /** The column with the highest rank is omitted first. */
  rank: number;
};

const gap = 2;
const emptyCell: Cell = { text: '' };
const smallestWidth = 12;

/** Prints the columns, and returns the headings of those that did not fit. */
export function printColumns(terminal: Terminal, columns: readonly Column[], indent = ''): string[] {
  const available = terminal.columns - indent.length;
  let shown = columns;
  while (shown.length > 1 && smallestTotal(shown) > available) shown = withoutLeastImportant(shown);
  const widths = fitWidths(shown, available);
  const toLine = (cells: readonly Cell[], style?: Style) =>
    indent +
    cells
      .map((cell, index) => renderCell(terminal, shown[index], { ...cell, style: style ?? cell.style ?? [] }, widths[index] ?? 0))
      .join(' '.repeat(gap));
  const rows = [...(columns[0]?.cells.keys() ?? [])];
  const lines = [
    toLine(
      shown.map(({ heading }) => ({ text: heading })),
      'dim',
    ),
    ...rows.map((row) => toLine(shown.map(({ cells }) => cells[row] ?? emptyCell))),
  ];
  terminal.write(lines.map((line) => `${line.trimEnd()}\n`).join(''));
  return columns.filter((column) => !shown.includes(column)).map(({ heading }) => heading);
}

function renderCell(terminal: Terminal, column: Column | undefined, { text, style }: Required<Cell>, width: number): string {
  const cut = column?.isWhole ? text : truncate(text, width);
  const padding = ' '.repeat(Math.max(0, width - widthOf(cut)));
  return column?.isNumeric ? padding + paint(terminal, style, cut) : paint(terminal, style, cut) + padding;
}

function naturalWidth({ heading, cells }: Column): number {
  return Math.max(widthOf(heading), ...cells.map(({ text }) => widthOf(text)));
}

function minimumWidth(column: Column): number {
  const width = naturalWidth(column);
  return column.isWhole || column.isNumeric ? width : Math.min(width, Math.max(smallestWidth, widthOf(column.heading)));
}

function smallestTotal(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + minimumWidth(column), gap * (columns.length - 1));
}

function withoutLeastImportant(columns: readonly Column[]): readonly Column[] {
  const highest = Math.max(...columns.map(({ rank }) => rank));
  const index = columns.findLastIndex(({ rank }) => rank === highest);
  return columns.filter((_, position) => position !== index);
}

/** Takes what is missing from the widest texts, evenly. */
function fitWidths(columns: readonly Column[], available: number): number[] {
  const widths = columns.map(naturalWidth);
  const least = columns.map(minimumWidth);
  let excess = widths.reduce((sum, width) => sum + width, gap * (columns.length - 1)) - available;
  while (excess > 0) {
    const slack = widths.map((width, index) => (width > (least[index] ?? 0) ? width : 0));
    const widest = slack.indexOf(Math.max(...slack));
    if (slack[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
