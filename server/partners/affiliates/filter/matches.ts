// The affiliates that match a filter, as SQL: their conditions, and the tables that these need. Only needed tables are
// joined, so that counting and sorting can use one index.
import { type RawBuilder, sql } from 'kysely';
import { containsWords } from '../../../accounts/programs/search.ts';
import type { Context } from '../../../context.ts';
import type { AffiliateFilter } from './filter.ts';

export type Match = AffiliateFilter & {
  programId: string;
  /** Only these affiliates. */
  ids?: readonly string[] | undefined;
};

export type Source = {
  usesFigures: boolean;
  usesAffiliates: boolean;
  /** The column of the affiliate's id. */
  id: RawBuilder<string>;
  /** `from … where …` */
  from: RawBuilder<unknown>;
};

type Condition = RawBuilder<boolean> | null | undefined | false;

const isCondition = (condition: Condition): condition is RawBuilder<boolean> => !!condition;

function range(column: RawBuilder<unknown>, min: unknown, max: unknown): Condition[] {
  return [min !== undefined && sql`${column} >= ${min}`, max !== undefined && sql`${column} <= ${max}`];
}

function onAffiliates(match: Match): RawBuilder<boolean>[] {
  const { ids, groupId, hasGroup, tags, search, wasInvited, createdFrom, createdTo } = match;
  const conditions: Condition[] = [
    ids && sql`affiliate.id = any(${[...ids]}::uuid[])`,
    groupId && sql`affiliate.group_id = any(${groupId}::uuid[])`,
    hasGroup !== undefined && (hasGroup ? sql`affiliate.group_id is not null` : sql`affiliate.group_id is null`),
    tags && sql`affiliate.tags && ${tags}::text[]`,
    search ? sql`(${containsWords(sql`affiliate.search`, search)} or ${containsWords(sql`affiliate.vanity_slug`, search)})` : null,
    wasInvited !== undefined && (wasInvited ? sql`affiliate.invited_at is not null` : sql`affiliate.invited_at is null`),
    createdFrom && sql`affiliate.created_at >= ${createdFrom}`,
    createdTo && sql`affiliate.created_at < ${createdTo}`,
  ];
  return conditions.filter(isCondition);
}

const perHundred = (value: number | undefined) => (value === undefined ? undefined : value / 100);

function onFigures(match: Match): RawBuilder<boolean>[] {
  const { pageState, hasPayoutDetails, lastSaleFrom, lastSaleTo } = match;
  const conditions: Condition[] = [
    pageState && sql`figure.page_state = any(${pageState}::text[])`,
    hasPayoutDetails !== undefined && sql`figure.has_payout_details = ${hasPayoutDetails}`,
    lastSaleFrom && sql`figure.last_sale_at >= ${lastSaleFrom}`,
    lastSaleTo && sql`figure.last_sale_at < ${lastSaleTo}`,
    ...range(sql`figure.clicks`, match.clicksMin, match.clicksMax),
    ...range(sql`figure.conversions`, match.conversionsMin, match.conversionsMax),
    ...range(sql`figure.sales_cents`, match.salesCentsMin, match.salesCentsMax),
    ...range(sql`figure.commission_cents`, match.commissionCentsMin, match.commissionCentsMax),
    ...range(sql`figure.balance_cents`, match.balanceCentsMin, match.balanceCentsMax),
    ...range(sql`figure.earnings_per_click`, match.earningsPerClickCentsMin, match.earningsPerClickCentsMax),
    ...range(sql`figure.conversion_rate`, perHundred(match.conversionRateMin), perHundred(match.conversionRateMax)),
  ];
  return conditions.filter(isCondition);
}

/** Both tables have the status. */
function onStatus({ status }: Match, column: RawBuilder<unknown>): RawBuilder<boolean>[] {
  if (!status) return [];
  return [status.length === 1 ? sql`${column} = ${status[0]}` : sql`${column} = any(${status}::text[])`];
}

type Needs = { affiliates?: boolean; figures?: boolean };

/** The tables and conditions of a filter, with the additional tables that the caller needs. */
export function selectMatches(match: Match, needs: Needs = {}): Source {
  const { programId } = match;
  const [ofAffiliates, ofFigures] = [onAffiliates(match), onFigures(match)];
  const usesFigures = ofFigures.length > 0 || needs.figures === true;
  const isOnFigures = usesFigures && ofAffiliates.length === 0 && needs.affiliates !== true;
  const usesAffiliates = !isOnFigures;
  const tables = !usesFigures
    ? sql`affiliates as affiliate`
    : !usesAffiliates
      ? sql`affiliate_figures as figure`
      : sql`affiliates as affiliate
          join affiliate_figures as figure on figure.program_id = affiliate.program_id and figure.affiliate_id = affiliate.id`;
  const conditions = [
    ...(usesAffiliates ? [sql`affiliate.program_id = ${programId}`] : []),
    ...(usesFigures ? [sql`figure.program_id = ${programId}`] : []),
    ...onStatus(match, isOnFigures ? sql`figure.status` : sql`affiliate.status`),
    ...ofAffiliates,
    ...ofFigures,
  ];
  const id = usesAffiliates ? sql<string>`affiliate.id` : sql<string>`figure.affiliate_id`;
  return { usesFigures, usesAffiliates, id, from: sql`from ${tables} where ${sql.join(conditions, sql` and `)}` };
}

/** Whether nothing but the status is filtered. */
export function isByStatusOnly({ programId: _, status: __, search, ...others }: Match): boolean {
  return !search && Object.values(others).every((value) => value === undefined);
}

/** The exact number of matches: from the counts per status if possible, else by counting. */
export async function countMatches(ctx: Pick<Context, 'db'>, match: Match): Promise<number> {
  if (!isByStatusOnly(match)) {
    const { rows } = await sql<{ total: number }>`select count(*) as total ${selectMatches(match).from}`.execute(ctx.db);
    return rows[0]?.total ?? 0;
  }
  let counts = ctx.db.selectFrom('affiliateCounts').where('programId', '=', match.programId);
  if (match.status) counts = counts.where('status', 'in', match.status);
  const { total } = await counts.select((row) => row.fn.sum<string | null>('affiliates').as('total')).executeTakeFirstOrThrow();
  return Number(total ?? 0);
}
