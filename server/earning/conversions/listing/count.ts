// The number of conversions that match, and a page of their ids, by the fastest exact way: stored totals, the totals of
// affiliates, or counting.
import { sql } from 'kysely';
import { containsWords } from '../../../accounts/programs/search.ts';
import type { Context } from '../../../context.ts';
import type { ListCursor } from '../../../platform/http/declaration/list-cursor.ts';
import { countRows, findPage, type Sort } from '../../../platform/http/declaration/lists.ts';
import type { Page } from '../../../platform/http/declaration/slice.ts';
import { countOrders } from '../../orders/totals.ts';
import { type Filters, findNamed, isSearchOnly, type Summaries, selectConversions, toTotalFilters } from './filters.ts';

/**
 * Up to this many matches it is faster to collect and sort them; above it, the index of the order meets enough matches on
 * its way. Matches of a search are looked up one by one, those of a period are adjacent in an index.
 */
const fewMatches = { search: 10_000, period: 200_000 };

/** One page of the ids of the conversions that match, and the number of matches. */
export async function findConversionPage(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { filters, sort, cursor, ...page }: Page & { filters: Filters; sort: Sort; cursor?: ListCursor | undefined },
): Promise<{ ids: string[]; total: number; nextCursor: string | null }> {
  const total = await countConversions(ctx, programId, filters);
  if (!cursor && total <= page.offset) return { ids: [], total, nextCursor: null };
  const few = filters.search ? fewMatches.search : filters.occurredFrom || filters.occurredTo ? fewMatches.period : 0;
  const found = await selectConversions(ctx, programId, filters, { isBroad: total > few });
  const request = { sort, cursor, count: async () => total, limit: page.limit, offset: page.offset };
  const { rows, nextCursor } =
    total > few
      ? await findPage(found, { ...request, table: 'summary' }, (all) => all.select('summary.id'))
      : await findPage(collect(ctx, found, filters, sort), { ...request, table: 'matching' }, (all) => all.select('matching.id'));
  return { ids: rows.map(({ id }) => id), total, nextCursor };
}

/** The matches, collected before they are sorted. */
function collect({ db }: Pick<Context, 'db'>, found: Summaries, filters: Filters, { column, direction }: Sort) {
  // The offset keeps the collected rows apart from the order.
  const collected = found.select(['summary.id', sql<unknown>`${sql.ref(`summary.${column}`)}`.as(column)]).offset(0);
  // Most orders are recorded as they occur. Collected in that order, few of a period replace one that was among the first so far.
  return db.selectFrom((filters.search ? collected : collected.orderBy('summary.occurredAt', direction)).as('matching'));
}

async function countConversions(ctx: Pick<Context, 'db'>, programId: string, filters: Filters): Promise<number> {
  const covered = toTotalFilters(filters);
  if (covered) return countOrders(ctx, programId, covered);
  if (isSearchOnly(filters) && filters.search) return countSearch(ctx, programId, filters.search);
  return countRows(await selectConversions(ctx, programId, filters, { isBroad: false }));
}

/** All orders of affiliates who match, as they are counted, and the orders of others that match independently. */
async function countSearch(ctx: Pick<Context, 'db'>, programId: string, search: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with matching as materialized (
      select id, conversions from affiliates where program_id = ${programId} and ${containsWords(sql`search`, search)}
    ), named as materialized (${await findNamed(ctx, programId, search)})
    select (select coalesce(sum(conversions), 0) from matching)::bigint + (
      select count(distinct summary.id) from named
      join conversion_summaries as summary on summary.program_id = ${programId} and summary.id = named.id
      where summary.affiliate_id not in (select id from matching)) as total`.execute(ctx.db);
  return rows[0]?.total ?? 0;
}
