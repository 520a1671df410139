// Filters of conversions and commissions by what an order was credited by: the figures of Insights lead to these lists.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { matchGroup } from '../../partners/affiliates/filter/match-group.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { logged, monthIn, uuid } from '../../platform/http/declaration/fields.ts';
import { oneOf } from '../../platform/http/declaration/lists.ts';
import { addMonths, startOfDay } from '../../platform/lib/zoned-time.ts';
import { clickValueFilters, haveValues, matchClick } from '../../promotion/tracking/click-values.ts';

const Without = z.enum(['group', 'link', 'subId', 'coupon', 'landingPage', 'country', 'source', 'device']);

export const orderFilters = {
  groupId: uuid.optional().describe('Affiliates who are in this group now.'),
  couponId: uuid.optional(),
  subId: logged(externalIdentifier(100)).optional(),
  ...clickValueFilters,
  without: oneOf(Without).describe('Only results that have none of these: an order without a click has no link, for example.'),
  cohort: monthIn.optional().describe('Only affiliates whose first order was in this month, such as `2026-03`.'),
};

const Filters = z.object(orderFilters);
export type OrderFilters = z.output<typeof Filters>;

/** Conditions on the order and its click. `order` is the expression for the id of the order, which may be null. */
export function matchOrder(programId: string, filters: OrderFilters, order: RawBuilder<unknown>): RawBuilder<boolean>[] {
  const { couponId, subId, without = [] } = filters;
  const named = [
    ...(couponId ? [sql<boolean>`sale.coupon_id = ${couponId}`] : []),
    ...(subId ? [sql<boolean>`sale.sub_id = ${subId}`] : []),
    ...matchClick(filters),
  ];
  const present = haveValues(without, { subId: sql`sale.sub_id`, coupon: sql`sale.coupon_id` });
  const found = (condition: RawBuilder<unknown>) => sql<boolean>`exists (
    select from conversions as sale left join clicks as click on click.program_id = ${programId} and click.id = sale.click_id
    where sale.program_id = ${programId} and sale.id = ${order} and ${condition})`;
  return [
    ...(named.length > 0 ? [found(sql.join(named, sql` and `))] : []),
    ...present.map((condition) => sql<boolean>`not ${found(condition)}`),
  ];
}

/** Conditions on the affiliate; `affiliate` is the expression for its id. */
export async function matchAffiliates(
  ctx: Pick<Context, 'db'>,
  programId: string,
  filters: Pick<OrderFilters, 'groupId' | 'without' | 'cohort'>,
  affiliate: RawBuilder<unknown>,
): Promise<RawBuilder<boolean>[]> {
  const { cohort } = filters;
  return [
    ...matchGroup(programId, filters, affiliate),
    ...(cohort ? [sql<boolean>`${affiliate} in (${await selectCohort(ctx, programId, cohort)})`] : []),
  ];
}

/** The affiliates with an order in the month and none before. */
async function selectCohort(ctx: Pick<Context, 'db'>, programId: string, month: string): Promise<RawBuilder<unknown>> {
  const { timezone } = await getProgram(ctx, programId);
  const [firstDay, nextDay] = [`${month}-01`, addMonths(month, 1)];
  return sql`
    select selling.affiliate_id from (
      select distinct affiliate_id from daily_totals
      where program_id = ${programId} and day >= ${firstDay}::date and day < ${nextDay}::date and conversions <> 0
    ) as selling
    where not exists (
      select from conversions as earlier where earlier.program_id = ${programId} and earlier.affiliate_id = selling.affiliate_id
        and earlier.occurred_at < ${startOfDay(firstDay, timezone)})`;
}
