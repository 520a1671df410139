// Long responses are read and sent page by page, so that memory stays constant and other requests are served in between.
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';

/** Rows per page: about one or two milliseconds of work. */
export const pageRows = 200;
/** Rows that are formatted without a pause. */
const sliceRows = 50;
const maxPauseMs = 50;

/** A JSON object with one array member that is streamed in pages, between the members of `before` and `after`. */
export async function* jsonPages<Row extends z.ZodType>(
  { before, name, after }: { before: object; name: string; after: object },
  row: Row,
  pages: AsyncIterable<readonly z.input<Row>[]>,
): AsyncGenerator<string> {
  const shape = z.array(row);
  const opening = stringifyMembers(before);
  yield `{${opening}${opening && ','}${JSON.stringify(name)}:[`;
  let separator = '';
  for await (const text of formatPaced(pages, (rows) => JSON.stringify(shape.parse(rows)).slice(1, -1))) {
    yield separator + text;
    separator = ',';
  }
  const closing = stringifyMembers(after);
  yield `]${closing && ','}${closing}}`;
}

/** A CSV table with a header row. */
export async function* csvPages(columns: readonly string[], pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  yield csvHeader(columns);
  yield* formatPaced(pages, (rows) => csvRows(columns, rows));
}

/** The header row of a CSV table. */
export function csvHeader(columns: readonly string[]): string {
  return stringify([], { columns: [...columns], header: true, record_delimiter: 'windows' });
}

/** Rows of a CSV table. Text that a spreadsheet would run as a formula is escaped; negative numbers are not. */
export function csvRows(columns: readonly string[], rows: readonly object[]): string {
  const number = (value: number) => ({ value: String(value), escape_formulas: false });
  return stringify([...rows], { columns: [...columns], escape_formulas: true, record_delimiter: 'windows', cast: { number } });
}

/** Splits rows that are already in memory into pages. */
export async function* toPages<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += pageRows) yield rows.slice(from, from + pageRows);
}

/**
 * Formats a few rows at a time and then pauses for as long as that took, so that a long response uses at most half of
 * the event loop, and less on a busy machine.
 */
export async function* formatPaced<Row>(
  pages: AsyncIterable<readonly Row[]>,
  format: (rows: readonly Row[]) => string,
): AsyncGenerator<string> {
  for await (const page of pages) {
    for (let from = 0; from < page.length; from += sliceRows) {
      const startedAt = performance.now();
      const text = format(page.slice(from, from + sliceRows));
      const tookMs = performance.now() - startedAt;
      yield text;
      await sleep(Math.min(tookMs, maxPauseMs));
    }
  }
}

function stringifyMembers(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
