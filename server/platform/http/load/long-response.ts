// Long responses are read and sent page by page: memory stays constant, and other requests are served between two pages.
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';

/** Rows per page: a millisecond or two of work. */
export const pageRows = 200;
/** Rows that are formatted without a pause. */
const sliceRows = 50;
const longestRestMs = 50;

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
  for await (const text of paced(pages, (rows) => JSON.stringify(shape.parse(rows)).slice(1, -1))) {
    yield separator + text;
    separator = ',';
  }
  const closing = membersOf(after);
  yield `]${closing && ','}${closing}}`;
}

/** A CSV table with a header. Cells that a spreadsheet would run as a formula are escaped. */
export async function* csvPages(columns: readonly string[], pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  const options = { columns: [...columns], escape_formulas: true, record_delimiter: 'windows' as const };
  yield stringify([], { ...options, header: true });
  yield* paced(pages, (rows) => stringify([...rows], options));
}

/** Rows that are in memory already, in pages. */
export async function* inPages<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += pageRows) yield rows.slice(from, from + pageRows);
}

/**
 * Formats rows a few at a time and then rests for as long as that took. So a long response takes at most half of the event loop, and
 * less of a machine that is busy.
 */
export async function* paced<Row>(pages: AsyncIterable<readonly Row[]>, format: (rows: readonly Row[]) => string): AsyncGenerator<string> {
  for await (const page of pages) {
    for (let from = 0; from < page.length; from += sliceRows) {
      const startedAt = performance.now();
      const text = format(page.slice(from, from + sliceRows));
      const tookMs = performance.now() - startedAt;
      yield text;
      await sleep(Math.min(tookMs, longestRestMs));
    }
  }
}

function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
