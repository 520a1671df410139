// Invariants of what is stored a second time for this purpose, and of amounts that follow from other tables. Each violation
// names the column with both of its values.
import { type RawBuilder, sql } from 'kysely';
import { type Recorded, type RecordedTable, recordedTables, recordedValues } from '../../platform/db/recorded-values.ts';
import type { ScopedInvariant } from './money.ts';

const tables = Object.keys(recordedTables) as RecordedTable[];

export const recordedInvariants: readonly ScopedInvariant[] = [
  ...tables.map((table) => ({
    name: `amounts, rates and dates of ${table} are those that were recorded`,
    breaks: (scope: RawBuilder<unknown>) => findChanged(table, scope),
  })),
  {
    name: 'the refunded base of a commission is what was refunded of its lines',
    breaks: (scope) => sql`
      with line as (
        select refund.program_id, refund.conversion_id, line.position, sum(line.amount_cents) as cents
        from (select * from refunds where undone_at is null and ${scope}) as refund
        join refund_lines as line on line.program_id = refund.program_id and line.refund_id = refund.id group by 1, 2, 3
      ), concerned as (
        select program_id, conversion_id from line
        union select program_id, conversion_id from commissions where refunded_cents <> 0 and conversion_id is not null and ${scope}
      ), refunded as (
        select commission.program_id, commission.id, commission.refunded_cents, commission.base_cents, original.base_cents as original_cents,
          coalesce(sum(line.cents), 0) as cents
        from concerned
        join commissions as commission using (program_id, conversion_id)
        join commissions as original on original.program_id = commission.program_id
          and original.id = coalesce(commission.adjusts_commission_id, commission.id)
        left join line on line.program_id = commission.program_id and line.conversion_id = commission.conversion_id
          and line.position = any(original.positions)
        where commission.base_cents > 0 and commission.status <> 'rejected' group by 1, 2, 3, 4, 5
      )
      select program_id, id, refunded_cents as stored, least(greatest(cents - (original_cents - base_cents), 0), base_cents) as expected
      from refunded where refunded_cents <> least(greatest(cents - (original_cents - base_cents), 0), base_cents)`,
  },
  {
    name: 'the amount of a refund is the sum of its lines',
    breaks: (scope) => sql`
      select program_id, id, amount_cents as stored, coalesce(line.cents, 0) as expected from (select * from refunds where ${scope}) as refund
      left join (select program_id, refund_id as id, sum(amount_cents) as cents from refund_lines where ${scope} group by 1, 2) as line
        using (program_id, id)
      where amount_cents <> coalesce(line.cents, 0)`,
  },
  {
    name: 'the amount of a refund in the currency of its order is the sum of its lines',
    breaks: (scope) => sql`
      select program_id, id, original_cents as stored, line.cents as expected from (select * from refunds where ${scope}) as refund
      left join (select program_id, refund_id as id, sum(original_cents) as cents from refund_lines where ${scope} group by 1, 2) as line
        using (program_id, id)
      where original_cents is distinct from line.cents`,
  },
  {
    name: 'a commission rule is as its latest version says',
    breaks: (scope) => sql`
      select program_id, rule.id, rule.terms as stored, version.rule -> 'terms' as expected
      from (select * from commission_rules where ${scope}) as rule
      left join commission_rule_versions as version using (program_id)
      where version.rule_id = rule.id and version.version = rule.version and rule.terms <> version.rule -> 'terms'`,
  },
];

/** The columns of rows that differ from the copy that was written with them: all columns of rows without one. */
function findChanged(table: RecordedTable, scope: RawBuilder<unknown>): RawBuilder<unknown> {
  const tenant = table === 'programs' ? 'row.id as program_id' : 'row.program_id';
  const { key = ['id'] }: Recorded = recordedTables[table];
  const columns = [tenant, ...key.map((name) => `row."${name}"`)].join(', ');
  const scoped = table === 'programs' ? sql`(select *, id as program_id from programs)` : sql`${sql.table(table)}`;
  return sql`
    select ${sql.raw(columns)}, changed.key as column, changed.value as stored, row.recorded_values -> changed.key as expected
    from (select * from ${scoped} as any_program where ${scope}
      and recorded_values <> ${sql.raw(recordedValues(table))} offset 0) as row
    cross join lateral jsonb_each(${sql.raw(recordedValues(table, 'row'))}) as changed
    where changed.value is distinct from row.recorded_values -> changed.key`;
}
