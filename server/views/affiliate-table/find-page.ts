// One page of the table of affiliates: first the ids of the page, from as few tables as the filter and the sort need and
// in the order of an index, then the rows of these ids.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { countMatches, isByStatusOnly, type Match, type Source, selectMatches } from '../../partners/affiliates/filter/matches.ts';
import { opposite } from '../../platform/http/declaration/lists.ts';
import { sliceOf } from '../../platform/http/declaration/slice.ts';

export const sortColumns = [
  'createdAt',
  'name',
  'email',
  'status',
  'group',
  'tags',
  'referralCode',
  'vanitySlug',
  'lastSaleAt',
  'clicks',
  'conversions',
  'salesCents',
  'commissionCents',
  'earningsPerClickCents',
  'conversionRate',
  'balanceCents',
  'pageState',
  'hasPayoutDetails',
] as const;
export type SortColumn = (typeof sortColumns)[number];

type Direction = 'asc' | 'desc';
export type PageRequest = { limit: number; offset: number; sort: { column: SortColumn; direction: Direction } };

type Key = { table: 'affiliates' | 'figures'; column: RawBuilder<unknown> };

const onAffiliate = (column: RawBuilder<unknown>): Key => ({ table: 'affiliates', column });
const onFigure = (column: RawBuilder<unknown>): Key => ({ table: 'figures', column });

/** What each column sorts by; every one of them has an index. */
const keys: Record<Exclude<SortColumn, 'group'>, Key> = {
  createdAt: onAffiliate(sql`affiliate.created_at`),
  name: onAffiliate(sql`affiliate.search`),
  email: onAffiliate(sql`affiliate.email_key`),
  status: onAffiliate(sql`affiliate.status`),
  tags: onAffiliate(sql`affiliate.tags`),
  referralCode: onAffiliate(sql`affiliate.referral_code`),
  vanitySlug: onAffiliate(sql`coalesce(affiliate.vanity_slug, '')`),
  lastSaleAt: onFigure(sql`figure.last_sale_at`),
  clicks: onFigure(sql`figure.clicks`),
  conversions: onFigure(sql`figure.conversions`),
  salesCents: onFigure(sql`figure.sales_cents`),
  commissionCents: onFigure(sql`figure.commission_cents`),
  earningsPerClickCents: onFigure(sql`figure.earnings_per_click`),
  conversionRate: onFigure(sql`figure.conversion_rate`),
  balanceCents: onFigure(sql`figure.balance_cents`),
  pageState: onFigure(sql`figure.page_state`),
  hasPayoutDetails: onFigure(sql`figure.has_payout_details`),
};

/** Up to this many matches it is faster to collect them all and sort them; above it, to follow the index of the order. */
const fewMatches = 10_000;
/** The same for one status and a figure: affiliates of a status are often all at one end of the order, such as those without sales. */
const fewOfStatus = 150_000;

/** The ids of one page of matches in their order, and the exact number of matches. */
export async function findPageIds(ctx: Pick<Context, 'db'>, match: Match, page: PageRequest): Promise<{ ids: string[]; total: number }> {
  const { column, direction } = page.sort;
  if (column === 'group') return findByGroup(ctx, match, page);
  const total = await countMatches(ctx, match);
  if (total <= page.offset) return { ids: [], total };
  const { toPage, ...slice } = sliceOf(page, total, direction);
  return { ids: toPage(await readIds(ctx, match, { ...slice, column, total })), total };
}

type Slice = { column: Exclude<SortColumn, 'group'>; direction: Direction; limit: number; offset: number; total: number };

async function readIds(ctx: Pick<Context, 'db'>, match: Match, slice: Slice): Promise<string[]> {
  const { column, direction, limit, offset, total } = slice;
  const { table, column: key } = keys[column];
  const source = selectMatches(match, { [table]: true });
  const order = createOrder(column, direction, { key, id: table === 'figures' ? sql`figure.affiliate_id` : source.id });
  const isStatusAndFigure = isByStatusOnly(match) && match.status !== undefined && table === 'figures';
  const isCollected = isStatusAndFigure ? total <= fewOfStatus : !isByStatusOnly(match) && total <= fewMatches;
  const select = isCollected
    ? sql<{ id: string }>`
        with collected as materialized (${selectKeys(source, key)})
        select id from collected order by ${createOrder(column, direction, { key: sql`key`, id: sql`id`, createdAt: sql`created_at` })}
        limit ${limit} offset ${offset}`
    : sql<{ id: string }>`select ${source.id} as id ${source.from} order by ${order} limit ${limit} offset ${offset}`;
  const { rows } = await select.execute(ctx.db);
  return rows.map(({ id }) => id);
}

function selectKeys(source: Source, key: RawBuilder<unknown>): RawBuilder<unknown> {
  const createdAt = source.usesAffiliates ? sql`affiliate.created_at` : sql`null::timestamptz`;
  return sql`select ${source.id} as id, ${key} as key, ${createdAt} as created_at ${source.from}`;
}

type OrderTerms = { key: RawBuilder<unknown>; id: RawBuilder<unknown>; createdAt?: RawBuilder<unknown> };

/** Rows that sort equally are ordered by id; within a status by time, newest first, as their index is. */
function createOrder(column: SortColumn, direction: Direction, { key, id, createdAt }: OrderTerms): RawBuilder<unknown> {
  if (column !== 'status') return sql`${key} ${sql.raw(direction)}, ${id} ${sql.raw(direction)}`;
  const time = createdAt ?? sql`affiliate.created_at`;
  return sql`${key} ${sql.raw(direction)}, ${time} ${sql.raw(opposite(direction))}, ${id} ${sql.raw(opposite(direction))}`;
}

/** Sorted by the name of the group: the groups that the page touches are read one after the other, those without a group last. */
async function findByGroup(ctx: Pick<Context, 'db'>, match: Match, { limit, offset, sort }: PageRequest) {
  const { from } = selectMatches(match, { affiliates: true });
  const { rows } = await sql<{ groupId: string | null; matches: number }>`
    select counted.group_id, counted.matches from (select affiliate.group_id, count(*) as matches ${from} group by affiliate.group_id) as counted
    left join groups on groups.program_id = ${match.programId} and groups.id = counted.group_id
    order by groups.name_key ${sql.raw(sort.direction)} nulls last`.execute(ctx.db);
  const ids: string[] = [];
  let [skip, total] = [offset, 0];
  for (const { groupId, matches } of rows) {
    total += matches;
    const wanted = Math.min(limit - ids.length, Math.max(matches - skip, 0));
    if (wanted > 0) {
      const isGroup = groupId === null ? sql`affiliate.group_id is null` : sql`affiliate.group_id = ${groupId}`;
      const page = await sql<{ id: string }>`select affiliate.id ${from} and ${isGroup}
        order by affiliate.created_at desc, affiliate.id desc limit ${wanted} offset ${skip}`.execute(ctx.db);
      ids.push(...page.rows.map(({ id }) => id));
    }
    skip = Math.max(skip - matches, 0);
  }
  return { ids, total };
}
