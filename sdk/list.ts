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

  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    return this.#source.hasCursor ? this.#readByCursor() : this.#readByOffset();
  }

  async *#readByCursor(): AsyncGenerator<Row, void, undefined> {
    for (let query: Query | null = this.#query; query; ) {
      const page: Record<string, unknown> = await this.#source.read(query);
      yield* page[this.#source.rows] as Row[];
      query = nextByCursor(query, page);
    }
  }

  /**
   * Rows that are added or removed in the meantime move others to another page. So each page begins with the last row of the
   * page before. If none of its rows was read yet, rows before it were removed, and the page before is read again.
   */
  async *#readByOffset(): AsyncGenerator<Row, void, undefined> {
    const start = Number(this.#query.offset ?? 0);
    const known = new Set<unknown>();
    let overlap: number | null = null;
    for (let offset = start; ; ) {
      const page = await this.#source.read({ ...this.#query, offset });
      const found = page[this.#source.rows] as Row[];
      overlap ??= found.length > 1 && idOf(found[0]) !== undefined ? found.length - 1 : 0;
      if (overlap > 0 && offset > start && !found.some((row) => known.has(idOf(row)))) {
        offset = Math.max(start, offset - overlap);
        continue;
      }
      yield* found.filter((row) => isNew(row, known));
      const end = offset + found.length;
      if (found.length === 0 || end >= Number(page.total)) return;
      offset = overlap > 0 ? end - 1 : end;
    }
  }
}

function idOf(row: unknown): unknown {
  return (row as { id?: unknown }).id;
}

/** Adds the id of a row to the known ones. A row without an id is always new. */
function isNew(row: unknown, known: Set<unknown>): boolean {
  const id = idOf(row);
  if (id === undefined) return true;
  if (known.has(id)) return false;
  known.add(id);
  return true;
}

function nextByCursor({ offset: _, ...query }: Query, { nextCursor }: Record<string, unknown>): Query | null {
  return typeof nextCursor === 'string' ? { ...query, cursor: nextCursor } : null;
}
