// Daily totals recalculated from clicks, orders and commissions: after a change of the time zone, for a repair, and to
// check totals (find-wrong-totals.ts). Days start at instants computed here, so the database's time zone data is never used (lib/zoned-time.ts).
import { type RawBuilder, sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { addDays, countDays, type LocalDate, localDate, startOfDay, startsOfDays } from '../../../platform/lib/zoned-time.ts';
import { outdateAllSpans } from './finished-spans.ts';
import { selectPending } from './pending.ts';

type Db = Pick<Context, 'db'>;
/** The days that contain all facts, and the first instants of all but the first. */
type Days = { first: LocalDate; starts: Date[] };

const actor = { kind: 'schedule' as const, id: 'daily_totals.rebuild' };
/** Only today's clicks can still be added. A second day allows for clicks that are being written and for clocks that differ. */
const recentDays = 2;

/**
 * Recalculates the daily totals of a program in its time zone. The ledger must be locked: money doesn't change in the meantime.
 * Clicks continue to be recorded: only while the last days are counted again, their affiliates are locked.
 */
export async function rebuildDailyTotals(tx: Tx, programId: string): Promise<void> {
  await outdateAllSpans(tx, programId);
  const programs = tx.db.selectFrom('programs').select('timezone').where('id', '=', programId);
  const { timezone } = await programs.executeTakeFirstOrThrow();
  const recentDay = addDays(localDate(tx.clock.now(), timezone), 1 - recentDays);
  const recentAt = startOfDay(recentDay, timezone);
  const days = await findDays(tx, programId, timezone);
  await sql`delete from daily_totals where program_id = ${programId} and day < ${recentDay}::date`.execute(tx.db);
  await insertSums(tx, programId, days, {
    facts: sql`at < ${recentAt}`,
    clicks: sql`true`,
    pending: sql`day < ${recentDay}::date`,
  });
  const recent = await lockRecent(tx, programId, { recentDay, recentAt });
  await sql`delete from daily_totals where program_id = ${programId} and day >= ${recentDay}::date
    and affiliate_id = any(${recent}::uuid[])`.execute(tx.db);
  const ofLocked = sql`fact.affiliate_id = any(${recent}::uuid[])`;
  await insertSums(tx, programId, await findDays(tx, programId, timezone), {
    facts: sql`at >= ${recentAt}`,
    clicks: ofLocked,
    pending: sql`day >= ${recentDay}::date and ${ofLocked}`,
  });
  await recordChange(tx, { programId, actor, action: 'daily_totals.rebuilt', subjectId: programId, after: { timezone } });
}

export const dailyColumns = sql`program_id, day, affiliate_id, clicks, conversions, sales_cents, refunds_cents, commissions_cents, reversals_cents`;

type Recent = { recentDay: LocalDate; recentAt: Date };

/** Locks the affiliates whose clicks of the last days are counted again, so that none is added in the meantime. */
async function lockRecent(tx: Tx, programId: string, { recentDay, recentAt }: Recent): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from affiliates where program_id = ${programId} and id in (
      select affiliate_id from clicks where program_id = ${programId} and created_at >= ${recentAt}
      union select affiliate_id from daily_totals where program_id = ${programId} and day >= ${recentDay}::date)
    order by id for no key update`.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** Which facts are counted: by their time, and the clicks among them by affiliate. Pending clicks by day and affiliate. */
type Counted = { facts: RawBuilder<unknown>; clicks: RawBuilder<unknown>; pending: RawBuilder<unknown> };

/** Clicks that are folded in the meantime have added their own rows. */
async function insertSums(tx: Tx, programId: string, days: Days | null, counted: Counted): Promise<void> {
  if (!days) return;
  await sql`
    insert into daily_totals as total (${dailyColumns})
    ${sumFacts(days, sql`program_id = ${programId}`, counted)}
    on conflict (program_id, day, affiliate_id) do update set clicks = total.clicks + excluded.clicks,
      conversions = excluded.conversions, sales_cents = excluded.sales_cents, refunds_cents = excluded.refunds_cents,
      commissions_cents = excluded.commissions_cents, reversals_cents = excluded.reversals_cents`.execute(tx.db);
}

/** The days from the first to the last fact of the program; null without facts. */
export async function findDays({ db }: Db, programId: string, timezone: string): Promise<Days | null> {
  const { rows } = await sql<{ first: Date | null; last: Date | null }>`
    select least(min(first_click), min(first_order), min(first_commission)) as first,
      greatest(max(last_click), max(last_order), max(last_commission)) as last
    from (select min(created_at) as first_click, max(created_at) as last_click from clicks where program_id = ${programId}) as clicks
    cross join (select min(occurred_at) as first_order, max(occurred_at) as last_order
      from conversion_summaries where program_id = ${programId}) as orders
    cross join (select min(created_at) as first_commission, max(created_at) as last_commission
      from commissions where program_id = ${programId}) as commissions`.execute(db);
  const [found] = rows;
  if (!found?.first || !found.last) return null;
  const first = localDate(found.first, timezone);
  const days = countDays(first, localDate(found.last, timezone));
  return { first, starts: startsOfDays(addDays(first, 1), days, timezone) };
}

/**
 * The rows of `daily_totals` as they follow from the facts, without the clicks that are still pending: folding adds those to
 * the row of their day. `programs` is a condition on program_id.
 */
export function sumFacts(days: Days, programs: RawBuilder<unknown>, counted: Counted = all): RawBuilder<unknown> {
  return sql`
    select program_id, day, affiliate_id, sum(clicks)::bigint as clicks, sum(conversions)::bigint as conversions,
      sum(sales_cents)::bigint as sales_cents, sum(refunds_cents)::bigint as refunds_cents,
      sum(commissions_cents)::bigint as commissions_cents, sum(reversals_cents)::bigint as reversals_cents
    from (
      ${sumFactsPerDay(days, programs, counted)}
      union all
      select program_id, day, affiliate_id, -clicks, 0, 0, 0, 0, 0 from (${selectPending(programs)}) as fact where ${counted.pending}
    ) as fact group by 1, 2, 3`;
}

/** Each kind of fact is added up separately, so that what a fact doesn't have isn't added. */
function sumFactsPerDay({ first, starts }: Days, programs: RawBuilder<unknown>, counted: Counted): RawBuilder<unknown> {
  const perDay = (measures: RawBuilder<unknown>, facts: RawBuilder<unknown>) => sql`
    select program_id, ${first}::date + width_bucket(at, ${starts}::timestamptz[]) as day, affiliate_id, ${measures}
    from (${facts}) as fact where ${counted.facts} group by 1, 2, 3`;
  return sql`
    ${perDay(
      sql`count(*) as clicks, 0 as conversions, 0 as sales_cents, 0 as refunds_cents, 0 as commissions_cents, 0 as reversals_cents`,
      sql`select program_id, affiliate_id, created_at as at from clicks as fact where ${programs} and ${counted.clicks}`,
    )}
    union all
    ${perDay(
      sql`0, count(*), sum(amount_cents), sum(refunded_cents), 0, 0`,
      sql`select program_id, affiliate_id, occurred_at as at, amount_cents, refunded_cents from conversions where ${programs}`,
    )}
    union all
    ${perDay(
      sql`0, 0, 0, 0, sum(amount_cents), sum(reversed_cents)`,
      sql`select earned.program_id, earned.affiliate_id, earned.amount_cents, earned.reversed_cents,
          coalesce(conversion.occurred_at, (select created_at from (select * from commissions where ${programs}) as original
            where original.program_id = earned.program_id and original.id = earned.adjusts_commission_id), earned.created_at) as at
        from (select * from commissions where ${programs}) as earned
        left join (select * from conversions where ${programs}) as conversion
          on conversion.program_id = earned.program_id and conversion.id = earned.conversion_id`,
    )}`;
}

const all: Counted = { facts: sql`true`, clicks: sql`true`, pending: sql`true` };

/** Programs whose time zone has changed and whose days have not been rebuilt yet: only their sums over all days are exact. */
export const movedPrograms = (scope: RawBuilder<unknown>) => sql`
  select program_id from audit_log where ${scope} and subject_id = program_id and action in ('program.updated', 'daily_totals.rebuilt')
    and (action = 'daily_totals.rebuilt' or after ? 'timezone')
  group by 1 having max(created_at) filter (where action = 'program.updated')
    >= coalesce(max(created_at) filter (where action = 'daily_totals.rebuilt'), '-infinity')`;
