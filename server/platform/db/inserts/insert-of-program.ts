// Inserts rows of one program with one statement, as an array per column, or row by row where that costs less (few-rows.ts).
import { CompiledQuery } from 'kysely';
import type { Tx } from '../../../context.ts';
import { toArrayText } from '../statements/array-text.ts';
import { isWrittenOneByOne } from './few-rows.ts';

type Value = string | number | boolean | Date | null;

type Insertion<Column extends string> = {
  /** The table, with the alias that `onConflict` uses. */
  into: string;
  /** The columns besides `program_id`, with their types. JSON is passed as text. */
  columns: Readonly<Record<Column, string>>;
  /** Columns that are calculated from others. `of` returns a column of the row. */
  calculated?: Readonly<Record<string, (of: (column: Column) => string) => string>>;
  /** What follows `on conflict`. Without parameters, which a cluster would reject. */
  onConflict?: string;
};

export type InsertOfProgram<Column extends string> = (
  tx: Pick<Tx, 'db' | 'allProgramsDb'>,
  programId: string,
  rows: readonly Readonly<Record<Column, Value>>[],
) => Promise<void>;

/** Returns a function that inserts rows. With `onConflict`, sort them, so that two transactions can't deadlock. */
export function insertOfProgram<Column extends string>(insertion: Insertion<Column>): InsertOfProgram<Column> {
  const { columns, calculated = {}, onConflict, into } = insertion;
  const names = Object.keys(columns) as Column[];
  const added = Object.values(calculated);
  const target = `insert into ${into} (program_id, ${[...names, ...Object.keys(calculated)].join(', ')})`;
  const end = onConflict ? ` on conflict ${onConflict}` : '';
  const place = (name: Column) => `$${names.indexOf(name) + 2}::${columns[name]}`;
  const one = `${target} values ($1, ${[...names.map(place), ...added.map((toSql) => toSql(place))].join(', ')})${end}`;
  const selected = ['$1::uuid', 'sent.*', ...added.map((toSql) => toSql((name) => `sent.${name}`))].join(', ');
  const arrays = names.map((name) => `${place(name)}[]`).join(', ');
  const all = `${target} select ${selected} from unnest(${arrays}) as sent (${names.join(', ')})${end}`;
  return async (tx, programId, rows) => {
    if (rows.length === 0) return;
    const run = (text: string, values: unknown[]) => tx.db.executeQuery(CompiledQuery.raw(text, [programId, ...values]));
    if (isWrittenOneByOne(tx, rows))
      await Promise.all(
        rows.map((row) =>
          run(
            one,
            names.map((name) => toText(row[name])),
          ),
        ),
      );
    else
      await run(
        all,
        names.map((name) => toArrayText(rows.map((row) => toText(row[name])))),
      );
  };
}

/** As PostgreSQL reads it: `pg` takes longer, and writes times in the time zone of the process. */
function toText(value: Value): string | number | null {
  if (typeof value === 'boolean') return String(value);
  return value instanceof Date ? value.toISOString() : value;
}
