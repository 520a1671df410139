// SQL whose interpolations are all values. Its text depends only on the place in the code, so it is put together once:
// for the statements of an order, kysely would need longer to compile them than to send them.
import { CompiledQuery, type Kysely, type QueryResult, type Transaction } from 'kysely';
import type { DB } from '../schema.gen.ts';

const texts = new WeakMap<TemplateStringsArray, string>();

type PlainStatement<Row> = { execute(db: Kysely<DB> | Transaction<DB>): Promise<QueryResult<Row>> };

/** A statement as with kysely's `sql`, for hot paths. Lists are passed as arrays, for `= any(…)` and `unnest(…)`. */
export function plainSql<Row = unknown>(parts: TemplateStringsArray, ...values: readonly unknown[]): PlainStatement<Row> {
  const text = texts.get(parts) ?? joinParts(parts);
  return { execute: (db) => db.executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>) };
}

function joinParts(parts: TemplateStringsArray): string {
  const text = parts.reduce((joined, part, index) => `${joined}$${index}${part}`);
  texts.set(parts, text);
  return text;
}
