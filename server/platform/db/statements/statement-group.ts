// Statements that are sent together, with one synchronization point at their end: PostgreSQL runs them one after the other
// and sends all results at once. After an error it skips those that follow. A separate kind of query for the `pg` client, which
// waits for the result of each query before it sends the next.
import type { PostgresQueryResult } from 'kysely';
import { columnNames } from './column-names.ts';

/** A statement with its values as PostgreSQL reads them, and what to do with its result. With a name, it is prepared. */
export type Sending = {
  text: string;
  name: string | undefined;
  values: readonly unknown[];
  resolve(result: Result): void;
  reject(error: unknown): void;
};

/** What kysely reads of a result. */
export type Result = PostgresQueryResult<Record<string, unknown>>;

/** The part of the client's connection that queries use. `pg` does not declare it. */
type Wire = {
  parsedStatements: Record<string, string>;
  stream: { cork(): void; uncork(): void };
  parse(statement: { text: string; name: string | undefined }): void;
  bind(portal: { statement: string | undefined; values: readonly unknown[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(portal: object): void;
  sync(): void;
};
type Column = { name: string; parse: (text: string) => unknown };
type GetParser = (type: number, format?: 'text') => (text: string) => unknown;

export class StatementGroup {
  readonly #statements: readonly Sending[];
  readonly #getParser: GetParser;
  readonly #results: Result[];
  /** Of the statement that PostgreSQL is running. */
  #position = 0;
  #columns: Column[] = [];
  #hasEnded = false;
  /** Runs at the end. `pg` replaces it with one that also ends its timeout. */
  callback: (error?: unknown) => void;

  constructor(statements: readonly Sending[], { getParser, onEnd }: { getParser: GetParser; onEnd: (error?: unknown) => void }) {
    this.#statements = statements;
    this.#getParser = getParser;
    this.#results = statements.map(() => ({ command: '' as Result['command'], rowCount: 0, rows: [] }));
    this.callback = onEnd;
  }

  /** The client stores the name and the text of a statement when PostgreSQL has parsed it. */
  get name(): string | undefined {
    return this.#statements[this.#position]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#position]?.text;
  }

  submit(wire: Wire): void {
    const named = new Set<string>();
    wire.stream.cork();
    for (const { text, name, values } of this.#statements) {
      const isParsed = name !== undefined && (named.has(name) || wire.parsedStatements[name] !== undefined);
      if (!isParsed) wire.parse({ text, name });
      if (name !== undefined) named.add(name);
      wire.bind({ statement: name, values });
      wire.describe({ type: 'P' });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name: columnNames.toCode(name),
      parse: this.#getParser(dataTypeID, 'text'),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    this.#columns.forEach(({ name, parse }, index) => {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : parse(text);
    });
    this.#results[this.#position]?.rows.push(row);
  }

  /** `text` is the command and its numbers, such as `INSERT 0 1`; the last one counts the rows, if any. */
  handleCommandComplete({ text }: { text: string }): void {
    const result = this.#results[this.#position];
    if (result) {
      const words = text.split(' ');
      result.command = words[0] as Result['command'];
      result.rowCount = Number(words.at(-1)) || 0;
    }
    this.#position += 1;
  }

  handleEmptyQuery(): void {
    this.#position += 1;
  }

  handleError(error: unknown): void {
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  #end(error?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const [index, { resolve, reject }] of this.#statements.entries()) {
      if (index < this.#position) resolve(this.#results[index] as Result);
      else reject(error);
    }
    this.callback(error);
  }
}
