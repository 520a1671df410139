// When a commission counts: when its order occurred; without an order, when it was created, with its adjustments.
import { type RawBuilder, sql } from 'kysely';

/** From (inclusive) and to (exclusive). `isFew`: other conditions leave few commissions. */
type Times = { from?: Date | undefined; to?: Date | undefined; isFew: boolean };

/** The longest period whose commissions are collected; of a longer one, those that count at another time are excluded. */
const collectedMs = 93 * 86_400_000;

/** The condition that a row `commission` counts within these times. */
export function matchTimes(programId: string, { from, to, isFew }: Times): RawBuilder<boolean> {
  const within = (column: RawBuilder<unknown>) =>
    sql.join([sql`true`, ...(from ? [sql`${column} >= ${from}`] : []), ...(to ? [sql`${column} < ${to}`] : [])], sql` and `);
  const isShort = from !== undefined && to !== undefined && to.getTime() - from.getTime() <= collectedMs;
  return isShort && !isFew ? collect(programId, within) : exclude(programId, within);
}

type Within = (column: RawBuilder<unknown>) => RawBuilder<unknown>;

function collect(programId: string, within: Within): RawBuilder<boolean> {
  return sql<boolean>`commission.id in (
    select earned.id from conversion_summaries as sale
    join commissions as earned on earned.program_id = ${programId} and earned.conversion_id = sale.id
    where sale.program_id = ${programId} and ${within(sql`sale.occurred_at`)}
    union all
    select earned.id from commissions as earned where earned.program_id = ${programId} and ${within(sql`earned.created_at`)}
      and earned.conversion_id is null and earned.adjusts_commission_id is null
    union all
    select earned.id from commissions as original
    join commissions as earned on earned.program_id = ${programId} and earned.adjusts_commission_id = original.id
    where original.program_id = ${programId} and ${within(sql`original.created_at`)} and original.conversion_id is null)`;
}

function exclude(programId: string, within: Within): RawBuilder<boolean> {
  return sql<boolean>`(
    not exists (select from conversion_summaries as sale
      where sale.program_id = ${programId} and sale.id = commission.conversion_id and not (${within(sql`sale.occurred_at`)}))
    and not exists (select from commissions as original
      where original.program_id = ${programId} and original.id = commission.adjusts_commission_id and original.conversion_id is null
        and not (${within(sql`original.created_at`)}))
    and (commission.conversion_id is not null or commission.adjusts_commission_id is not null or (${within(sql`commission.created_at`)})))`;
}
