// Long responses are read and sent page by page: memory stays constant, and other requests are served between two pages.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';

/** Rows per page: a few milliseconds of work. */
export const pageRows = 500;

/** A JSON object, one member of which is an array that comes in pages. `before` and `after` are its other members. */
export async function* jsonPages<Row extends z.ZodType>(
  { before, name, after }: { before: object; name: string; after: object },
  row: Row,
  pages: AsyncIterable<readonly z.input<Row>[]>,
): AsyncGenerator<string> {
  const shape = z.array(row);
  const opening = membersOf(before);
  yield `{${opening}${opening && ','}${JSON.stringify(name)}:[`;
  let separator = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + JSON.stringify(shape.parse(page)).slice(1, -1);
    separator = ',';
  }
  const closing = membersOf(after);
  yield `]${closing && ','}${closing}}`;
}

/** A CSV table with a header. Cells that a spreadsheet would run as a formula are escaped. */
export async function* csvPages(columns: readonly string[], pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  const options = { columns: [...columns], escape_formulas: true, record_delimiter: 'windows' as const };
  yield stringify([], { ...options, header: true });
  for await (const page of pages) yield stringify([...page], options);
}

/** Rows that are in memory already, in pages between which other requests are served. */
export async function* inPages<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += pageRows) {
    await nextTurn();
    yield rows.slice(from, from + pageRows);
  }
}

function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
