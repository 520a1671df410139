// Invariants that are conditions on the same rows. One statement reads the rows for all of them; each can also be checked
// separately, like any other invariant of a program.
import { type RawBuilder, sql } from 'kysely';
import type { ScopedInvariant } from './money.ts';

export type RowInvariants = {
  /** What follows `from`; `scope` is a condition on program_id. */
  from(scope: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The columns `program_id` and `id` of a violation. */
  key: RawBuilder<unknown>;
  invariants: readonly RowInvariant[];
  /** Joins by merging indexes, which takes two thirds of the time of hash tables of so many wide rows. */
  isInOrderOfIds?: boolean;
};

/** `isBroken` is a condition in parentheses, or one that binds closer than `or`. A row for which it is null is not broken. */
export type RowInvariant = {
  name: string;
  isBroken: RawBuilder<unknown>;
  /** What the row has and what it should have, to show both. */
  values?: { stored: RawBuilder<unknown>; expected: RawBuilder<unknown> };
};

/** Each invariant separately. */
export function separate({ from, key, invariants }: RowInvariants): ScopedInvariant[] {
  return invariants.map(({ name, isBroken, values }) => ({
    name,
    breaks: (scope) => sql`select ${key}, ${showValues(values)} from ${from(scope)} where ${isBroken}`,
  }));
}

function showValues(values: RowInvariant['values']): RawBuilder<unknown> {
  return sql`to_json(${values?.stored ?? sql`null::text`}) as stored, to_json(${values?.expected ?? sql`null::text`}) as expected`;
}

type Values = { stored: unknown; expected: unknown };

/** `values` has those of every invariant, in their order. */
export type BrokenRow = { programId: string; id: string; broken: number[]; values: (Values | null)[] };

/** The rows that violate any of the invariants; `broken` has the numbers of those, from 1. */
export function selectBroken({ from, key, invariants }: RowInvariants, scope: RawBuilder<unknown>): RawBuilder<BrokenRow> {
  const conditions = invariants.map(({ isBroken }) => isBroken);
  return sql<BrokenRow>`
    select ${key}, array_positions(array[${sql.join(conditions)}], true) as broken, json_build_array(${sql.join(invariants.map(toValues))}) as values
    from ${from(scope)} where ${sql.join(conditions, sql` or `)}`;
}

function toValues({ values }: RowInvariant): RawBuilder<unknown> {
  return values ? sql`json_build_object('stored', ${values.stored}, 'expected', ${values.expected})` : sql`null::json`;
}
