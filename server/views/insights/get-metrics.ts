// Clicks, conversions, sales and commissions of a period, broken down by one thing and compared with the period before.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { wholeNumber } from '../../platform/http/declaration/fields.ts';
import { type Interval, localDate } from '../../platform/lib/zoned-time.ts';
import { periodQuery, readSpan } from '../overview/period.ts';
import { toRange } from '../overview/range.ts';
import { sumFigures } from '../overview/sum-figures.ts';
import { type Compared, readBreakdown, readBuckets, readSums } from './read-breakdown.ts';
import { Breakdown, Metric, Metrics } from './shape.ts';
import { readOnce } from './stored-totals.ts';

const { from, to, compare } = periodQuery;

export const getMetrics = endpoint({
  id: 'metrics.get',
  route: 'GET /v1/programs/:programId/metrics',
  scope: 'read',
  tag: 'Insights',
  summary: 'Get figures by affiliate, link, country and more',
  description:
    'Amounts count on the day of their order: a refund reduces the sales of the day on which the order was placed. Orders belong to the ' +
    'link, country, source, landing page and device of the click that they were credited by. By product, an order counts for each of its ' +
    'products, with the amounts that commissions were calculated from, and clicks are 0. All other breakdowns add up to `sums`.',
  query: z.object({
    metric: Metric.default('salesCents').describe('What the rows are sorted by. Default: `salesCents`.'),
    breakdown: Breakdown.default('affiliate').describe('What the figures are broken down by. Default: `affiliate`.'),
    from,
    to,
    compare,
    limit: wholeNumber({ min: 1, max: 500, fallback: 50 }).describe(
      'The maximum number of rows; `other` has the sums of the rest. Days, weeks and months are not limited.',
    ),
  }),
  statuses: [200],
  result: Metrics,
  async handle(ctx, { actor: { programId }, query }) {
    const { metric, breakdown, limit } = query;
    const { timezone, currency } = await getProgram(ctx, programId);
    const interval = toInterval(breakdown);
    const range = toRange({ ...query, interval, ...readSpan(query, localDate(ctx.clock.now(), timezone)) });
    const asked = { programId, timezone, breakdown, metric, range, limit };
    const { rows, other, sums } = await readOnce(ctx, async (once) =>
      interval ? { ...(await readBuckets(once, asked)), other: null } : readValues(once, asked),
    );
    const names = await readNames(
      ctx,
      asked,
      rows.flatMap(({ value }) => value ?? []),
    );
    return {
      metric,
      breakdown,
      currency,
      timezone,
      startsOn: range.current.from,
      endsOn: range.current.to,
      previousStartsOn: range.previous?.from ?? null,
      previousEndsOn: range.previous?.to ?? null,
      sums,
      rows: rows.map(({ value, ...figures }) => ({ value, name: names.get(value ?? '') ?? null, ...figures })),
      other,
    };
  },
});

function toInterval(breakdown: Breakdown): Interval | undefined {
  return breakdown === 'day' || breakdown === 'week' || breakdown === 'month' ? breakdown : undefined;
}

type Asked = Parameters<typeof readBreakdown>[1];

async function readValues(ctx: Pick<Context, 'db'>, asked: Asked) {
  const { rows, other } = await readBreakdown(ctx, asked);
  const sums = asked.breakdown === 'product' ? await readSums(ctx, asked) : addUp(other ? [...rows, other] : rows, asked);
  return { rows, other, sums };
}

function addUp(rows: readonly Compared[], { range }: Pick<Asked, 'range'>): Compared {
  return { ...sumFigures(rows), previous: range.previous && sumFigures(rows.flatMap(({ previous }) => previous ?? [])) };
}

const nameOf = {
  affiliate: { table: 'affiliates', name: sql`trim(first_name || ' ' || last_name)` },
  group: { table: 'groups', name: sql`name` },
  product: { table: 'products', name: sql`name` },
  coupon: { table: 'coupons', name: sql`code` },
};

/** The names of the values that are ids. */
async function readNames({ db }: Pick<Context, 'db'>, { programId, breakdown }: Asked, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0 || !isNamed(breakdown)) return new Map();
  const { table, name } = nameOf[breakdown];
  const { rows } = await sql<{ id: string; name: string }>`
    select id, ${name} as name from ${sql.table(table)} where program_id = ${programId} and id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.name]));
}

function isNamed(breakdown: Breakdown): breakdown is keyof typeof nameOf {
  return breakdown in nameOf;
}
