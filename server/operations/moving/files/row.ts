// A row of a file, read by column. The names of columns are compared without case, spaces and punctuation, so that
// `Created at`, `created_at` and `createdAt` are the same.
import type { Place } from '../records.ts';
import { type AmountForm, CellFault, parseAmount, parseTime } from './parse-cell.ts';

/** How the cells of a file are read. `currency` is that of the program. */
export type Reading = { currency: string; timezone: string; amounts: AmountForm };

/** Why a row can't be read. `column` is the name as the file has it. */
export class RowFault extends Error {
  readonly column: string;
  constructor(column: string, message: string) {
    super(message);
    this.column = column;
  }
}

/** Each method takes several names of a column, and uses the first that the file has. */
export type Row = Place & {
  has(...names: string[]): boolean;
  /** The text; empty if the cell is empty or the file has no such column. */
  text(...names: string[]): string;
  required(...names: string[]): string;
  amount(...names: string[]): number;
  /** 0 if the cell is empty. */
  amountOrZero(...names: string[]): number;
  time(...names: string[]): Date;
  timeOrNull(...names: string[]): Date | null;
  /** The value that the text means. */
  oneOf<Value>(values: Readonly<Record<string, Value>>, ...names: string[]): Value;
  /** The ISO code, or null without a column or value. */
  currency(...names: string[]): string | null;
};

export function normalizeColumn(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** `columns`: the place of each column, by its normalized name. */
export function createRow(
  place: Place,
  columns: ReadonlyMap<string, number>,
  cells: readonly string[],
  reading: Reading,
  header: readonly string[],
): Row {
  const find = (names: readonly string[]) => names.map(normalizeColumn).find((name) => columns.has(name));
  const text = (...names: string[]) => cells[columns.get(find(names) ?? '') ?? -1] ?? '';
  const title = (names: readonly string[]) => header[columns.get(find(names) ?? '') ?? -1] ?? names[0] ?? '';
  const required = (...names: string[]) => {
    const value = text(...names);
    if (value === '') throw new RowFault(title(names), 'is empty');
    return value;
  };
  const parse = <Value>(names: readonly string[], read: () => Value): Value => {
    try {
      return read();
    } catch (error) {
      throw error instanceof CellFault ? new RowFault(title(names), error.message) : error;
    }
  };
  const formOf = (names: readonly string[]): AmountForm => (/cents$/.test(find(names) ?? '') ? 'cents' : reading.amounts);
  const amount = (...names: string[]) => parse(names, () => parseAmount(required(...names), reading.currency, formOf(names)));
  const time = (...names: string[]) => parse(names, () => parseTime(required(...names), reading.timezone));
  return {
    ...place,
    has: (...names) => find(names) !== undefined,
    text,
    required,
    amount,
    amountOrZero: (...names) => (text(...names) === '' ? 0 : amount(...names)),
    time,
    timeOrNull: (...names) => (text(...names) === '' ? null : time(...names)),
    oneOf(values, ...names) {
      const key = normalizeColumn(required(...names));
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      if (value === undefined) throw new RowFault(title(names), `is ${text(...names)}, which is none of ${Object.keys(values).join(', ')}`);
      return value;
    },
    currency: (...names) => text(...names).toUpperCase() || null,
  };
}
