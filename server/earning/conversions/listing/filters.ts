// The filters of conversions, shared by the list and its totals. They read the summaries: narrow rows with an index for
// every filter and order that a table offers.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { containsWords, searchField, toLikePattern } from '../../../accounts/programs/search.ts';
import type { Context } from '../../../context.ts';
import type { Period } from '../../../platform/db/day-totals.ts';
import type { DB } from '../../../platform/db/schema.gen.ts';
import { externalIdentifier } from '../../../platform/http/declaration/external-identifier.ts';
import { logged, uuid } from '../../../platform/http/declaration/fields.ts';
import { amountRange, oneOf, severalOf, timeRange, withinAmounts, withinRange } from '../../../platform/http/declaration/lists.ts';
import { identifyBuyer } from '../../customers/buyer.ts';
import { AttributionMethod, ConversionStatus } from '../../orders/conversion-shape.ts';
import { matchAffiliates, matchOrder, orderFilters } from '../../orders/order-filters.ts';
import type { TotalFilters } from '../../orders/totals.ts';

const flag = z.enum(['true', 'false']).optional();

export const conversionFilters = {
  search: searchField('Finds a part of the order id or of the affiliate’s name, email or code, or a whole customer id or email'),
  status: oneOf(ConversionStatus),
  method: oneOf(AttributionMethod),
  affiliateId: severalOf(uuid),
  ...orderFilters,
  productId: uuid.optional().describe('Orders with a line of this product.'),
  ruleId: uuid.optional().describe('Orders with a commission by this rule, in any version.'),
  clickId: uuid.optional(),
  orderId: logged(externalIdentifier(255)).optional(),
  conflict: flag.describe('Whether another affiliate could have been credited.'),
  commission: z.enum(['none', 'some']).optional().describe('`none`: orders that earned no commission.'),
  refunded: flag.describe('Whether a part of the order was refunded.'),
  ...amountRange,
  ...timeRange('occurred'),
  ...timeRange('created'),
};

const Filters = z.object(conversionFilters);
export type Filters = z.output<typeof Filters>;
export type Summaries = SelectQueryBuilder<DB & { summary: DB['conversionSummaries'] }, 'summary', object>;

/** The summaries of the conversions that match. `isBroad`: the search matches many. */
export async function selectConversions(
  ctx: Pick<Context, 'db'>,
  programId: string,
  filters: Filters,
  { isBroad }: { isBroad: boolean },
): Promise<Summaries> {
  const { status, method, affiliateId, conflict, commission, refunded, search } = filters;
  let found: Summaries = ctx.db.selectFrom('conversionSummaries as summary').where('summary.programId', '=', programId);
  if (status) found = found.where('summary.status', 'in', status);
  if (method) found = found.where('summary.method', 'in', method);
  if (affiliateId) found = found.where('summary.affiliateId', 'in', affiliateId);
  if (conflict) found = found.where('summary.hasConflict', '=', conflict === 'true');
  if (commission) found = found.where('summary.commissionCents', commission === 'none' ? '=' : '>', 0);
  if (refunded) found = found.where('summary.refundedCents', refunded === 'true' ? '>' : '=', 0);
  if (filters.productId) found = found.where(sql<boolean>`summary.product_ids @> array[${filters.productId}::uuid]`);
  found = found.where(withinAmounts('summary.amountCents', filters));
  found = found.where(withinRange('summary.occurredAt', filters.occurredFrom, filters.occurredTo));
  found = found.where(withinRange('summary.createdAt', filters.createdFrom, filters.createdTo));
  found = whereRelated(found, programId, filters);
  for (const condition of await matchAffiliates(ctx, programId, filters, sql`summary.affiliate_id`)) found = found.where(condition);
  return search ? found.where(await matchesSearch(ctx, programId, { search, isBroad })) : found;
}

/** The filters as stored totals understand them; null if one of the filters needs the rows. */
export function toTotalFilters(given: Filters): TotalFilters | null {
  const { status, method, conflict, occurredFrom, occurredTo, createdFrom, createdTo, ...filters } = given;
  const [occurred, created] = [
    { from: occurredFrom, to: occurredTo },
    { from: createdFrom, to: createdTo },
  ];
  if (isFiltered(filters) || (isPeriod(occurred) && isPeriod(created))) return null;
  const hasConflict = conflict === undefined ? undefined : conflict === 'true';
  const time = isPeriod(created) ? ({ by: 'createdAt', period: created } as const) : ({ by: 'occurredAt', period: occurred } as const);
  return { status, method, hasConflict, ...time };
}

function isPeriod({ from, to }: Period): boolean {
  return from !== undefined || to !== undefined;
}

/** Whether the search is the only filter. */
export function isSearchOnly({ search: _, ...filters }: Filters): boolean {
  return !isFiltered(filters);
}

/** An empty search matches everything. */
function isFiltered(filters: Partial<Filters>): boolean {
  const names = Object.keys(conversionFilters) as (keyof Filters)[];
  return names.some((name) => filters[name] !== undefined && filters[name] !== '');
}

/** Conditions on other tables. */
function whereRelated(summaries: Summaries, programId: string, filters: Filters): Summaries {
  const { ruleId } = filters;
  let found = summaries;
  for (const column of ['couponId', 'clickId', 'orderId', 'subId'] as const) {
    const value = filters[column];
    if (value === undefined) continue;
    found = found.where('summary.id', 'in', (query) =>
      query.selectFrom('conversions').select('id').where('programId', '=', programId).where(column, '=', value),
    );
  }
  const { couponId: _coupon, subId: _subId, ...others } = filters;
  for (const condition of matchOrder(programId, others, sql`summary.id`)) found = found.where(condition);
  if (ruleId)
    found = found.where(
      sql<boolean>`summary.id in (select conversion_id from commissions where program_id = ${programId} and rule_id = ${ruleId}
        and moved_at is null)`,
    );
  return found;
}

/** From this length on, a part of an order id is found by its index; a shorter search is compared with the whole id. */
const minPartLength = 3;

/** The ids of the orders that match a search independently: by their order id or customer. */
export async function findNamed(ctx: Pick<Context, 'db'>, programId: string, search: string): Promise<RawBuilder<unknown>> {
  const { hashKey } = await ctx.db.selectFrom('programs').select('hashKey').where('id', '=', programId).executeTakeFirstOrThrow();
  const customer = identifyBuyer({ externalId: search, email: search }, hashKey);
  const orderId = search.length < minPartLength ? sql`lower(order_id) = ${search}` : sql`lower(order_id) like ${toLikePattern(search)}`;
  return sql`
    select id from conversions where program_id = ${programId} and ${orderId}
    union all
    select id from conversions where program_id = ${programId} and customer_keys && ${customer.customerKeys}::text[]`;
}

/** Few matches are found by their indexes; among many, each row that is met is compared. */
async function matchesSearch(ctx: Pick<Context, 'db'>, programId: string, { search, isBroad }: { search: string; isBroad: boolean }) {
  const named = await findNamed(ctx, programId, search);
  const affiliates = sql`select id from affiliates where program_id = ${programId} and ${containsWords(sql`search`, search)}`;
  if (isBroad) return sql<boolean>`(summary.affiliate_id in (${affiliates}) or summary.id in (${named}))`;
  return sql<boolean>`summary.id in (
    ${named}
    union all
    select credited.id from (${affiliates} offset 0) as affiliate
      join conversion_summaries as credited on credited.program_id = ${programId} and credited.affiliate_id = affiliate.id)`;
}
