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

/** The columns of a file. */
export type Columns = {
  header: readonly string[];
  /** The place of the first of these columns that the file has; -1 if it has none. */
  find(names: readonly string[]): number;
};

export function createColumns(header: readonly string[]): Columns {
  const places = new Map(header.map((name, index) => [normalizeColumn(name), index] as const).reverse());
  // A file asks for the same few names in each of its rows.
  const known = new Map<string, number>();
  const findOne = (name: string): number => {
    const place = known.get(name) ?? places.get(normalizeColumn(name)) ?? -1;
    known.set(name, place);
    return place;
  };
  return {
    header,
    find(names) {
      for (const name of names) {
        const place = findOne(name);
        if (place !== -1) return place;
      }
      return -1;
    },
  };
}

export function createRow(place: Place, { header, find }: Columns, cells: readonly string[], reading: Reading): Row {
  const text = (...names: string[]) => cells[find(names)] ?? '';
  const title = (names: readonly string[]) => header[find(names)] ?? names[0] ?? '';
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
  const formOf = (names: readonly string[]): AmountForm => (/cents$/.test(normalizeColumn(title(names))) ? 'cents' : reading.amounts);
  const amount = (...names: string[]) => parse(names, () => parseAmount(required(...names), reading.currency, formOf(names)));
  const time = (...names: string[]) => parse(names, () => parseTime(required(...names), reading.timezone));
  return {
    ...place,
    has: (...names) => find(names) !== -1,
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
