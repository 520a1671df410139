// The figures of a breakdown: the stored sums of finished spans (breakdown_totals), and the rows of the other days.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { SpanKey } from '../../partners/affiliates/totals/finished-spans.ts';
import type { Range } from '../overview/range.ts';
import { selectFacts } from './facts.ts';
import { type Plan, planReads } from './plan-reads.ts';
import { Breakdown } from './shape.ts';

/** The sums of groups are those of their affiliates, and the sums of weeks and months those of their days. */
const readAs: Partial<Record<Breakdown, Breakdown>> = { group: 'affiliate', week: 'day', month: 'day' };

/** The breakdowns whose sums are stored. */
export const storedBreakdowns = Breakdown.options.filter((breakdown) => !(breakdown in readAs));

type Asked = { range: Pick<Range, 'current' | 'previous'>; timezone: string };

/**
 * A query with the columns of `selectFacts`. Call it in a transaction with one snapshot (`readOnce`): which sums are current is
 * read before.
 */
export async function selectFigures(
  ctx: Pick<Context, 'db'>,
  programId: string,
  breakdown: Breakdown,
  { range, timezone }: Asked,
): Promise<RawBuilder<unknown>> {
  const keys = await readCurrentSpans(ctx, programId, { range, timezone });
  const { stored, counted } = planReads(range, (key) => keys.has(toText(key)));
  const facts = selectFacts(programId, breakdown, { pieces: counted, timezone });
  if (stored.length === 0) return facts;
  const sums = selectStored(programId, breakdown, stored);
  return counted.length === 0 ? sums : sql`${sums} union all ${facts}`;
}

/** Runs `read` on one snapshot of the database. */
export async function readOnce<T>(ctx: Pick<Context, 'db'>, read: (ctx: Pick<Context, 'db'>) => Promise<T>): Promise<T> {
  const snapshot = ctx.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute((db) => read({ db }));
}

const toText = ({ span, startsOn }: SpanKey) => `${span} ${startsOn}`;

async function readCurrentSpans({ db }: Pick<Context, 'db'>, programId: string, { range, timezone }: Asked): Promise<ReadonlySet<string>> {
  const first = range.previous && range.previous.from < range.current.from ? range.previous.from : range.current.from;
  const { rows } = await sql<{ key: string }>`
    select span || ' ' || starts_on as key from breakdown_spans
    where program_id = ${programId} and span in ('day', 'week', 'month') and starts_on between ${first} and ${range.current.to}
      and is_current and timezone = ${timezone}`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

function selectStored(programId: string, breakdown: Breakdown, stored: Plan['stored']): RawBuilder<unknown> {
  const sums = sql`
    select piece.is_current, nullif(total.value, '') as value, sum(total.clicks) as clicks, sum(total.conversions) as conversions,
      sum(total.sales_cents) as sales_cents, sum(total.commissions_cents) as commissions_cents
    from unnest(${stored.map(({ isCurrent }) => isCurrent)}::boolean[], ${stored.map(({ span }) => span)}::text[],
      ${stored.map(({ startsOn }) => startsOn)}::date[]) as piece (is_current, span, starts_on)
    cross join lateral (
      select value, clicks, conversions, sales_cents, commissions_cents from breakdown_totals
      where program_id = ${programId} and breakdown = ${readAs[breakdown] ?? breakdown} and span = piece.span and starts_on = piece.starts_on offset 0
    ) as total group by 1, 2`;
  if (breakdown !== 'group') return sums;
  return sql`
    select sums.is_current, affiliate.group_id::text as value, sums.clicks, sums.conversions, sums.sales_cents, sums.commissions_cents
    from (${sums}) as sums join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = sums.value::uuid`;
}
