// Lists that are read page by page, by cursor or by offset.

type Query = Readonly<Record<string, unknown>>;

export type PageSource = {
  /** The field of a page that has its rows. */
  rows: string;
  /** Whether pages name the cursor of the next one; otherwise they are found by offset. */
  hasCursor: boolean;
  read(query: Query): Promise<Record<string, unknown>>;
};

/** A list of the API: `for await (const row of list)` reads every row, and requests pages as they are needed. */
export class List<Row, Page> implements AsyncIterable<Row> {
  readonly #query: Query;
  readonly #source: PageSource;

  constructor(query: Query, source: PageSource) {
    this.#query = query;
    this.#source = source;
  }

  /** One page, as the query names it, with everything that the API returns beside the rows, such as `total`. */
  async page(): Promise<Page> {
    return (await this.#source.read(this.#query)) as Page;
  }

  /** Every row. */
  async all(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    const { rows, hasCursor, read } = this.#source;
    const known = new Set<unknown>();
    let query: Query | null = this.#query;
    while (query) {
      const page: Record<string, unknown> = await read(query);
      const found = page[rows] as Row[];
      for (const row of found) if (hasCursor || isNew(row, known)) yield row;
      query = hasCursor ? nextByCursor(query, page) : nextByOffset(query, found.length, page);
    }
  }
}

/** A row that was added to the start of a list in the meantime moves others to the next page, which returns them again. */
function isNew(row: unknown, known: Set<unknown>): boolean {
  const { id } = row as { id?: unknown };
  if (id === undefined) return true;
  if (known.has(id)) return false;
  known.add(id);
  return true;
}

function nextByCursor({ offset: _, ...query }: Query, { nextCursor }: Record<string, unknown>): Query | null {
  return typeof nextCursor === 'string' ? { ...query, cursor: nextCursor } : null;
}

function nextByOffset(query: Query, count: number, { total }: Record<string, unknown>): Query | null {
  const offset = Number(query.offset ?? 0) + count;
  return count > 0 && offset < Number(total) ? { ...query, offset } : null;
}
