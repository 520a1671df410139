// Prints an object: a line per field, then what is nested in it.
import { printColumns } from '../terminal/table.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { widthOf } from '../terminal/width.ts';
import { isRow, toColumns } from './columns.ts';
import { type ApiDocument, resolveSchema, type Schema } from './document.ts';
import { isTime, toCell, toLabel } from './format-value.ts';

type Item = { document: ApiDocument; value: unknown; schema: Schema | null; currency: string | null; indent?: string };

export function printRecord(terminal: Terminal, { document, value, schema, currency, indent = '' }: Item): void {
  if (!isRow(value)) {
    terminal.write(`${indent}${toCell('', value, currency).text}\n`);
    return;
  }
  const own = typeof value.currency === 'string' ? value.currency : currency;
  const fields = Object.entries(value);
  const simple = fields.filter(([, each]) => !isNested(each));
  const width = Math.max(0, ...simple.map(([name]) => widthOf(toLabel(name))));
  for (const [name, each] of simple) {
    const { text, style = [] } = toCell(name, each, own);
    const label = paint(terminal, 'dim', toLabel(name).padEnd(width));
    terminal.write(`${indent}${label}  ${paint(terminal, style, isTime(each) ? `${text} UTC` : text)}\n`);
  }
  for (const [name, each] of fields.filter((entry) => isNested(entry[1]))) {
    terminal.write(`\n${indent}${paint(terminal, 'bold', toLabel(name))}\n`);
    const nested = schema?.properties?.[name];
    printNested(terminal, {
      document,
      value: each,
      schema: nested ? resolveSchema(document, nested) : null,
      currency: own,
      indent: `${indent}  `,
    });
  }
}

function printNested(terminal: Terminal, item: Required<Item>): void {
  const { document, value, schema, currency, indent } = item;
  if (!Array.isArray(value)) {
    printRecord(terminal, item);
    return;
  }
  const rows = value.filter(isRow);
  const rowSchema = schema?.items ? resolveSchema(document, schema.items) : null;
  printColumns(terminal, toColumns(document, { rows, schema: rowSchema, currency }), indent);
}

/** An object or a list of objects; a list of texts is one line. */
function isNested(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isRow);
  return isRow(value) && Object.keys(value).length > 0;
}
