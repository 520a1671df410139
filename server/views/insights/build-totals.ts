// Adds up the finished days, weeks and months of each program by breakdown, and again those whose rows have changed. Insights reads these
// sums; days without current sums are counted from their rows, so that its figures are exact at any time.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { addFinishedSpans, lastOf, markCurrent, readChanges, type SpanKey } from '../../partners/affiliates/totals/finished-spans.ts';
import { insertOfProgram } from '../../platform/db/inserts/insert-of-program.ts';
import { transact } from '../../platform/db/transact.ts';
import { addDays, countDays, type LocalDate, localDate, mondayOf, startOfDay } from '../../platform/lib/zoned-time.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import type { Span } from '../overview/range.ts';
import { selectFacts } from './facts.ts';
import { storedBreakdowns } from './stored-totals.ts';

/** A click is written within seconds of its time. */
const settledMs = 3_600_000;
/** How many spans one run adds up for a program; the next run continues. */
const spansPerRun = 400;

export const buildBreakdownTotals = job({
  name: 'breakdown_totals.build',
  retries: 0,
  cron: '*/10 * * * *',
  async run(ctx) {
    await forEachProgram(ctx, { run: (programId, own) => buildTotalsOf(own, programId) });
  },
});

/** Adds up what is finished and not current: days first, then weeks and months, each the newest first. */
export async function buildTotalsOf(ctx: Context, programId: string): Promise<void> {
  await addFinished(ctx, programId);
  const { rows } = await sql<SpanKey & { timezone: string }>`
    select span, starts_on::text, timezone from breakdown_spans where program_id = ${programId} and not is_current
    order by span <> 'day', starts_on desc limit ${spansPerRun}`.execute(ctx.db);
  for (const { timezone, ...key } of rows) {
    await transact(ctx, (tx) => (key.span === 'day' ? buildDay(tx, programId, key, timezone) : addUpDays(tx, programId, key)));
  }
}

type Stored = { timezone: string; first: LocalDate | null; firstDay: LocalDate | null; lastDay: LocalDate | null };

/** Adds the spans that have finished since the last run or that contain older rows. */
async function addFinished(ctx: Context, programId: string): Promise<void> {
  const { rows } = await sql<Stored>`
    select timezone, (select min(day)::text from daily_totals where program_id = ${programId}) as first,
      days.first_day::text, days.last_day::text
    from programs as program cross join lateral (
      select min(starts_on) as first_day, max(starts_on) as last_day from breakdown_spans as stored
      where stored.program_id = ${programId} and span = 'day' and stored.timezone = program.timezone
    ) as days where program.id = ${programId}`.execute(ctx.db);
  const [stored] = rows;
  if (!stored?.first) return;
  const { timezone, first, firstDay, lastDay } = stored;
  const end = localDate(new Date(ctx.clock.now().getTime() - settledMs), timezone);
  const spans = listFinished({ first, end, known: firstDay !== null && lastDay !== null ? { from: firstDay, to: lastDay } : null });
  if (spans.length === 0) return;
  const withTimes = spans.map(({ next, ...key }) => ({
    ...key,
    startsAt: startOfDay(key.startsOn, timezone),
    endsAt: startOfDay(next, timezone),
  }));
  await transact(ctx, async (tx) => {
    await openLedger(tx, programId);
    await addFinishedSpans(tx, { programId, timezone }, withTimes);
  });
}

type Missing = { first: LocalDate; end: LocalDate; known: Span | null };

/** The days before `end` from the month of the first row on, without known ones, and the weeks and months that end with one of them. */
function listFinished({ first, end, known }: Missing): (SpanKey & { next: LocalDate })[] {
  const spans: (SpanKey & { next: LocalDate })[] = [];
  const start = `${first.slice(0, 7)}-01`;
  const skipKnown = (day: LocalDate) => (known && day >= known.from && day <= known.to ? addDays(known.to, 1) : day);
  for (let day = skipKnown(start); day < end; day = skipKnown(addDays(day, 1))) {
    const next = addDays(day, 1);
    spans.push({ span: 'day', startsOn: day, next });
    if (mondayOf(day) === addDays(day, -6) && mondayOf(day) >= start) spans.push({ span: 'week', startsOn: mondayOf(day), next });
    if (next.endsWith('-01')) spans.push({ span: 'month', startsOn: `${day.slice(0, 7)}-01`, next });
  }
  return spans;
}

const writeTotals = insertOfProgram({
  into: 'breakdown_totals',
  columns: {
    breakdown: 'text',
    span: 'text',
    starts_on: 'date',
    value: 'text',
    clicks: 'bigint',
    conversions: 'bigint',
    sales_cents: 'bigint',
    commissions_cents: 'bigint',
  },
});

type Row = { value: string; clicks: number; conversions: number; salesCents: number; commissionsCents: number };

async function buildDay(tx: Tx, programId: string, key: SpanKey, timezone: string): Promise<void> {
  const { span, startsOn } = key;
  const changes = await startBuild(tx, programId, key);
  if (changes === null) return;
  const pieces = [{ isCurrent: true, from: startsOn, to: startsOn }];
  for (const breakdown of storedBreakdowns) {
    const { rows } = await sql<Row>`
      select * from (
        select coalesce(value, '') as value, ${sums} from (${selectFacts(programId, breakdown, { pieces, timezone })}) as fact group by value
      ) as summed where clicks <> 0 or conversions <> 0 or sales_cents <> 0 or commissions_cents <> 0 order by value`.execute(tx.db);
    await writeTotals(
      tx,
      programId,
      rows.map(({ value, clicks, conversions, salesCents, commissionsCents }) => ({
        breakdown,
        span,
        starts_on: startsOn,
        value,
        clicks,
        conversions,
        sales_cents: salesCents,
        commissions_cents: commissionsCents,
      })),
    );
  }
  await markCurrent(tx, programId, key, changes);
}

const sums = sql.join(
  ['clicks', 'conversions', 'sales_cents', 'commissions_cents'].map(
    (name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`,
  ),
);

/** A week or month is the sum of its days. While one of them isn't current, it is left for a later run. */
async function addUpDays(tx: Tx, programId: string, key: SpanKey): Promise<void> {
  const { span, startsOn } = key;
  const changes = await startBuild(tx, programId, key);
  const last = lastOf(key);
  const ofDays = sql`program_id = ${programId} and span = 'day' and starts_on between ${startsOn}::date and ${last}::date`;
  const { rows } = await sql<{ days: number }>`select count(*) as days from breakdown_spans where ${ofDays} and is_current`.execute(tx.db);
  if (changes === null || rows[0]?.days !== countDays(startsOn, last) + 1) return;
  await sql`
    insert into breakdown_totals (program_id, breakdown, span, starts_on, value, clicks, conversions, sales_cents, commissions_cents)
    select program_id, breakdown, ${span}::text, ${startsOn}::date, value, ${sums} from breakdown_totals where ${ofDays}
    group by program_id, breakdown, value`.execute(tx.db);
  await markCurrent(tx, programId, key, changes);
}

/** Deletes the former sums of a span. Returns how often its rows have changed so far; null if the span was removed. */
async function startBuild(tx: Tx, programId: string, key: SpanKey): Promise<number | null> {
  await sql`set local statement_timeout = '2min'`.execute(tx.db);
  const changes = await readChanges(tx, programId, key);
  await sql`
    delete from breakdown_totals where program_id = ${programId} and breakdown = any(${storedBreakdowns}::text[])
      and span = ${key.span} and starts_on = ${key.startsOn}`.execute(tx.db);
  return changes;
}
