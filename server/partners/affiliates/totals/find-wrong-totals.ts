// Daily and lifetime totals compared with the clicks, orders and commissions, for `tributary verify`. These are added up
// once, per day; the lifetime totals are their sums.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { LocalDate } from '../../../platform/lib/zoned-time.ts';
import { pendingSales } from './pending.ts';
import { dailyColumns, findDays, movedPrograms, sumFacts } from './rebuild-daily-totals.ts';

/** `stored` and `expected` are the values by column. */
export type WrongTotal = { programId: string; affiliateId: string; stored: object; expected: object };
/** `day` is null for a sum over all days. */
export type WrongDailyTotal = WrongTotal & { day: LocalDate | null };
export type WrongTotals = { daily: WrongDailyTotal[]; lifetime: WrongTotal[] };

/** At most 1,000 of each. */
export async function findWrongTotals({ db }: Pick<Context, 'db'>, programId: string): Promise<WrongTotals> {
  const { timezone } = await db.selectFrom('programs').select('timezone').where('id', '=', programId).executeTakeFirstOrThrow();
  const days = (await findDays({ db }, programId, timezone)) ?? { first: '2000-01-01', starts: [] };
  const program = sql`program_id = ${programId}`;
  const { rows } = await sql<WrongDailyTotal & { isDaily: boolean }>`
    with facts as materialized (${sumFacts(days, program)}),
    stored as materialized (select ${dailyColumns} from daily_totals where ${program}),
    lived as (${sumOverDays('facts')})
    (select true as is_daily, program_id, affiliate_id, day::text, stored, expected from (${differentDays(program)}) as daily limit 1000)
    union all
    (select false, program_id, affiliate_id, null, stored, expected from (${differentLives(program)}) as lifetime limit 1000)`.execute(db);
  const wrong: WrongTotals = { daily: [], lifetime: [] };
  for (const { isDaily, day, ...total } of rows)
    if (isDaily) wrong.daily.push({ ...total, day });
    else wrong.lifetime.push(total);
  return wrong;
}

const measures = ['clicks', 'conversions', 'sales_cents', 'refunds_cents', 'commissions_cents', 'reversals_cents'];

function sumOverDays(table: string): RawBuilder<unknown> {
  const sums = sql.join(measures.map((measure) => sql`sum(${sql.ref(measure)}) as ${sql.ref(measure)}`));
  return sql`select program_id, affiliate_id, ${sums} from ${sql.table(table)} group by 1, 2`;
}

const row = (table: string) => sql.join(measures.map((measure) => sql`coalesce(${sql.ref(`${table}.${measure}`)}, 0)`));
const differs = sql`(${row('stored')}) is distinct from (${row('fact')})`;

const named = (table: string) =>
  sql`json_build_object(${sql.join(measures.flatMap((name) => [sql.lit(name), sql`coalesce(${sql.ref(`${table}.${name}`)}, 0)`]))})`;
const both = sql`${named('stored')} as stored, ${named('fact')} as expected`;

const differentDays = (program: RawBuilder<unknown>) => sql`
  select program_id, affiliate_id, day, ${both} from stored full join facts as fact using (program_id, affiliate_id, day)
  where ${differs} and program_id not in (${movedPrograms(program)})
  union all
  select program_id, affiliate_id, null, ${both} from (${sumOverDays('stored')}) as stored full join lived as fact using (program_id, affiliate_id)
  where ${differs} and program_id in (${movedPrograms(program)})`;

/** The sales in the figures of an affiliate, including those that are pending. */
const storedSales = sql`coalesce(figure.sales_cents, 0) + coalesce(pending.sales_cents, 0)`;

const differentLives = (program: RawBuilder<unknown>) => sql`
  select affiliate.program_id, affiliate.id as affiliate_id,
    json_build_object('clicks', affiliate.clicks, 'conversions', affiliate.conversions, 'commission_cents', affiliate.commission_cents,
      'sales_cents', ${storedSales}) as stored,
    json_build_object('clicks', coalesce(fact.clicks, 0), 'conversions', coalesce(fact.conversions, 0),
      'commission_cents', coalesce(fact.commissions_cents - fact.reversals_cents, 0),
      'sales_cents', coalesce(fact.sales_cents - fact.refunds_cents, 0)) as expected
  from (select * from affiliates where ${program}) as affiliate
  left join (select * from affiliate_figures where ${program}) as figure
    on figure.program_id = affiliate.program_id and figure.affiliate_id = affiliate.id
  left join (select program_id, affiliate_id, sum(sales_cents)::bigint as sales_cents from (${pendingSales(program)}) as sale group by 1, 2)
    as pending on pending.program_id = affiliate.program_id and pending.affiliate_id = affiliate.id
  left join lived as fact on fact.program_id = affiliate.program_id and fact.affiliate_id = affiliate.id
  where (affiliate.clicks, affiliate.conversions, affiliate.commission_cents, ${storedSales})
    is distinct from (coalesce(fact.clicks, 0), coalesce(fact.conversions, 0), coalesce(fact.commissions_cents - fact.reversals_cents, 0),
      coalesce(fact.sales_cents - fact.refunds_cents, 0))`;
