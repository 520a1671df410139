// A system that programs move from: which files it exports, and what their rows mean.
import type { AmountForm } from '../files/parse-cell.ts';
import type { Row } from '../files/row.ts';
import type { PastRecord, Place } from '../records.ts';

export type FileKind = {
  /** Such as `commissions`. */
  name: string;
  /** Columns without which a file is not this export; each with the names it can have. */
  required: readonly (readonly string[])[];
  /** What a row means. Throws RowFault. */
  read(row: Row): PastRecord[];
};

export type Source = {
  name: string;
  title: string;
  /** How its files write amounts, except in columns whose name ends with "cents". */
  amounts: AmountForm;
  files: readonly FileKind[];
};

/** Where a record comes from. */
export function placeOf({ file, row }: Row): Place {
  return { file, row };
}

/** First and last name of a full name, which is split before its last word. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? words.pop() : '';
  return { firstName: words.join(' '), lastName: last ?? '' };
}
