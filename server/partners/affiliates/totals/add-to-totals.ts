// The totals of affiliates change in the transaction that writes the facts: lifetime totals (Contract §2.1) and daily
// totals. Clicks follow within about a second (fold-clicks.ts), and so do the figures that the console sorts by
// (copy-figures.ts).
import type { Tx } from '../../../context.ts';
import { isWrittenOneByOne } from '../../../platform/db/inserts/few-rows.ts';
import { insertOfProgram } from '../../../platform/db/inserts/insert-of-program.ts';
import { plainSql } from '../../../platform/db/statements/plain-sql.ts';
import { sumOf } from '../../../platform/lib/money.ts';
import { type LocalDate, localDate } from '../../../platform/lib/zoned-time.ts';
import { outdateSpans } from './finished-spans.ts';

/** Changes on one day in the program's time zone: the day of the order, or the day on which a bonus was granted. */
export type Addition = {
  affiliateId: string;
  day: LocalDate;
  conversions?: number;
  salesCents?: number;
  refundsCents?: number;
  commissionsCents?: number;
  reversalsCents?: number;
};

type Sum = Required<Addition>;
type Ledger = { programId: string; timezone: string };

/**
 * Adds to the totals of affiliates, locked in the order of their ids. Returns the affiliates who had no order before. The
 * ledger must be locked.
 */
export async function addToTotals(tx: Tx, { programId, timezone }: Ledger, additions: readonly Addition[]): Promise<string[]> {
  const today = localDate(tx.clock.now(), timezone);
  const finished = additions.map(({ day }) => day).filter((day) => day < today);
  const outdated = finished.length === 0 ? null : outdateSpans(tx, programId, finished);
  const sums = sumByDay(additions);
  if (sums.length === 0) {
    await outdated;
    return [];
  }
  const lifetime = addToLifetimes(tx, programId, sums);
  // Sent after the affiliates are locked, as everywhere that changes their days.
  const daily = insertDays(
    tx,
    programId,
    sums.map(({ affiliateId, ...sum }) => ({
      day: sum.day,
      affiliate_id: affiliateId,
      conversions: sum.conversions,
      sales_cents: sum.salesCents,
      refunds_cents: sum.refundsCents,
      commissions_cents: sum.commissionsCents,
      reversals_cents: sum.reversalsCents,
    })),
  );
  const marked = markFigures(
    tx,
    programId,
    sums.map(({ affiliateId, salesCents, refundsCents }) => ({ affiliateId, salesCents: salesCents - refundsCents })),
  );
  const [rows] = await Promise.all([lifetime, daily, marked, outdated]);
  return rows.filter(({ isFirst }) => isFirst).map(({ id }) => id);
}

type Lifetime = { id: string; isFirst: boolean };

async function addToLifetimes(tx: Tx, programId: string, sums: readonly Sum[]): Promise<Lifetime[]> {
  const changes = [...Map.groupBy(sums, ({ affiliateId }) => affiliateId)].sort(([a], [b]) => (a < b ? -1 : 1));
  if (isWrittenOneByOne(tx, changes)) {
    const found = await Promise.all(changes.map(([id, ofAffiliate]) => addToLifetime(tx, { programId, id }, ofAffiliate)));
    return found.flat();
  }
  const column = (pick: (sum: Sum) => string | number) => sums.map(pick);
  const ids = column((sum) => sum.affiliateId);
  const { rows } = await plainSql<{ id: string; isFirst: boolean }>`
    with lifetime as (
      select id, sum(conversions)::bigint as conversions, sum(commission_cents)::bigint as commission_cents
      from unnest(${ids}::uuid[], ${column((sum) => sum.conversions)}::bigint[],
        ${column((sum) => sum.commissionsCents - sum.reversalsCents)}::bigint[]) as added (id, conversions, commission_cents)
      group by id
    ), locked as materialized (
      select affiliate.id from affiliates as affiliate join lifetime using (id)
      where affiliate.program_id = ${programId} order by affiliate.id for no key update of affiliate
    )
    update affiliates as affiliate
    set conversions = affiliate.conversions + lifetime.conversions,
      commission_cents = affiliate.commission_cents + lifetime.commission_cents
    from lifetime join locked using (id)
    where affiliate.program_id = ${programId} and affiliate.id = lifetime.id
    returning affiliate.id, lifetime.conversions > 0 and affiliate.conversions = lifetime.conversions as is_first`.execute(tx.db);
  return rows;
}

async function addToLifetime(tx: Tx, { programId, id }: { programId: string; id: string }, sums: readonly Sum[]): Promise<Lifetime[]> {
  const orders = sumOf(sums.map(({ conversions }) => conversions));
  const cents = sumOf(sums.map(({ commissionsCents, reversalsCents }) => commissionsCents - reversalsCents));
  const { rows } = await plainSql<{ id: string; conversions: number }>`
    update affiliates set conversions = conversions + ${orders}, commission_cents = commission_cents + ${cents}
    where program_id = ${programId} and id = ${id} returning id, conversions`.execute(tx.db);
  return rows.map((row) => ({ id: row.id, isFirst: orders > 0 && row.conversions === orders }));
}

const insertDays = insertOfProgram({
  into: 'daily_totals as total',
  columns: {
    day: 'date',
    affiliate_id: 'uuid',
    conversions: 'bigint',
    sales_cents: 'bigint',
    refunds_cents: 'bigint',
    commissions_cents: 'bigint',
    reversals_cents: 'bigint',
  },
  onConflict: `(program_id, day, affiliate_id) do update set
    conversions = total.conversions + excluded.conversions,
    sales_cents = total.sales_cents + excluded.sales_cents,
    refunds_cents = total.refunds_cents + excluded.refunds_cents,
    commissions_cents = total.commissions_cents + excluded.commissions_cents,
    reversals_cents = total.reversals_cents + excluded.reversals_cents`,
});

/** A change of an affiliate's totals or balance, and of its sales. */
type Marked = { affiliateId: string; salesCents: number };

/** Call in the transaction that changes totals or balances of affiliates. Their figures follow within about a second. */
export async function markFigures(tx: Tx, programId: string, changes: readonly Marked[]): Promise<void> {
  if (changes.length === 0) return;
  const sales = new Map<string, number>();
  for (const { affiliateId, salesCents } of changes) sales.set(affiliateId, (sales.get(affiliateId) ?? 0) + salesCents);
  await plainSql`
    insert into figure_changes (program_id, id, affiliate_ids, sales_cents)
    values (${programId}, ${tx.ids.uuid()}, ${[...sales.keys()]}, ${[...sales.values()]})`.execute(tx.db);
}

/** One sum for each affiliate and day, because a statement can't update a row twice. */
function sumByDay(additions: readonly Addition[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { affiliateId, day, ...added } of additions) {
    const sum = sums.get(`${affiliateId} ${day}`);
    sums.set(`${affiliateId} ${day}`, {
      affiliateId,
      day,
      conversions: (sum?.conversions ?? 0) + (added.conversions ?? 0),
      salesCents: (sum?.salesCents ?? 0) + (added.salesCents ?? 0),
      refundsCents: (sum?.refundsCents ?? 0) + (added.refundsCents ?? 0),
      commissionsCents: (sum?.commissionsCents ?? 0) + (added.commissionsCents ?? 0),
      reversalsCents: (sum?.reversalsCents ?? 0) + (added.reversalsCents ?? 0),
    });
  }
  return [...sums.values()].filter(isChange);
}

function isChange({ conversions, salesCents, refundsCents, commissionsCents, reversalsCents }: Sum): boolean {
  return [conversions, salesCents, refundsCents, commissionsCents, reversalsCents].some((value) => value !== 0);
}
