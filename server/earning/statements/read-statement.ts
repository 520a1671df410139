// The monthly statement of an affiliate: opening + earned − adjusted − paid = closing, to the cent. Each line is a ledger
// entry. The balance is the amount owed: pending, available and in transit.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { pageRows } from '../../platform/http/load/long-response.ts';
import { monthSpan } from '../../platform/lib/zoned-time.ts';

export type StatementLine = {
  seq: number;
  createdAt: Date;
  kind: 'earned' | 'adjusted' | 'paid';
  entry: string;
  orderId: string | null;
  /** The external id of the lead that it was earned for. */
  lead: string | null;
  reason: string | null;
  /** The change of the amount owed. */
  amountCents: number;
};

export type StatementSummary = {
  affiliateId: string;
  affiliateName: string;
  programName: string;
  currency: string;
  timezone: string;
  month: string;
  openingCents: number;
  earnedCents: number;
  adjustedCents: number;
  paidCents: number;
  closingCents: number;
  /** The last entry of the program's ledger in this month, and its hash. */
  lastEntry: { seq: number; hash: string } | null;
};

export type Statement = {
  summary: StatementSummary;
  /** The number of lines. */
  total: number;
  /** The lines in the order of the ledger. */
  pages: AsyncIterable<StatementLine[]>;
};

type Period = { programId: string; affiliateId: string; month: string };
/** Entries are only appended, so that all entries up to one are a snapshot across several queries. */
type Span = { from: Date; to: Date; lastSeq: number };
const owed = `('pending', 'available', 'in_transit')`;
const isOwed = sql.raw(`(entry.credit in ${owed}) <> (entry.debit in ${owed})`);
const cents = sql.raw(`case when entry.credit in ${owed} then entry.cents else -entry.cents end`);
const kind = sql.raw(
  `case when entry.kind = 'accrue' then 'earned' when entry.kind in ('settle', 'return') then 'paid' else 'adjusted' end`,
);

/** The statement of a month like 2026-03, in the program's time zone. */
export async function readStatement(ctx: Pick<Context, 'db'>, { programId, affiliateId, month }: Period): Promise<Statement> {
  const owner = { programId, affiliateId };
  const names = await readNames(ctx, programId, affiliateId);
  const span = { ...monthSpan(month, names.timezone), lastSeq: await readLastSeq(ctx, programId) };
  const { openingCents, earnedCents, movedCents, paidCents, total } = await readTotals(ctx, owner, span);
  const closingCents = openingCents + earnedCents + movedCents + paidCents;
  const totals = { openingCents, earnedCents, adjustedCents: 0 - movedCents, paidCents: 0 - paidCents, closingCents };
  const lastEntry = await readLastEntry(ctx, programId, span);
  return { summary: { affiliateId, ...names, month, ...totals, lastEntry }, total, pages: readPages(ctx, owner, span) };
}

async function readLastSeq(ctx: Pick<Context, 'db'>, programId: string): Promise<number> {
  const head = await ctx.db.selectFrom('ledgerHeads').select('seq').where('programId', '=', programId).executeTakeFirst();
  return head?.seq ?? 0;
}

async function readNames(ctx: Pick<Context, 'db'>, programId: string, affiliateId: string) {
  const { rows } = await sql<{ affiliateName: string; programName: string; currency: string; timezone: string }>`
    select trim(affiliate.first_name || ' ' || affiliate.last_name) as affiliate_name, program.name as program_name, program.currency, program.timezone
    from affiliates as affiliate join programs as program on program.id = affiliate.program_id
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(ctx.db);
  const [names] = rows;
  if (!names) throw new Error('The affiliate was found before and is missing now.');
  return names;
}

type Owner = Omit<Period, 'month'>;

type Sums = { openingCents: number; earnedCents: number; movedCents: number; paidCents: number; total: number };

async function readTotals(ctx: Pick<Context, 'db'>, { programId, affiliateId }: Owner, { from, to, lastSeq }: Span): Promise<Sums> {
  const sumOf = (condition: RawBuilder<unknown>) => sql`coalesce(sum(cents) filter (where ${condition}), 0)::bigint`;
  const { rows } = await sql<Sums>`
    with line as (
      select entry.created_at, ${kind} as kind, ${cents} as cents from ledger_entries as entry
      where entry.program_id = ${programId} and entry.affiliate_id = ${affiliateId} and entry.seq <= ${lastSeq} and entry.created_at < ${to} and ${isOwed}
    )
    select ${sumOf(sql`created_at < ${from}`)} as opening_cents,
      ${sumOf(sql`created_at >= ${from} and kind = 'earned'`)} as earned_cents,
      ${sumOf(sql`created_at >= ${from} and kind = 'adjusted'`)} as moved_cents,
      ${sumOf(sql`created_at >= ${from} and kind = 'paid'`)} as paid_cents,
      count(*) filter (where created_at >= ${from}) as total
    from line`.execute(ctx.db);
  return rows[0] ?? { openingCents: 0, earnedCents: 0, movedCents: 0, paidCents: 0, total: 0 };
}

async function* readPages(
  ctx: Pick<Context, 'db'>,
  { programId, affiliateId }: Owner,
  { from, to, lastSeq }: Span,
): AsyncGenerator<StatementLine[]> {
  for (let after = 0; ; ) {
    const { rows } = await sql<StatementLine>`
      select entry.seq, entry.created_at, entry.kind as entry, conversion.order_id, lead.external_id as lead,
        case when entry.kind in ('adjust', 'reverse') then coalesce(commission.note, commission.reason) end as reason, ${kind} as kind, ${cents} as amount_cents
      from ledger_entries as entry
        left join commissions as commission on commission.program_id = ${programId} and commission.id = entry.commission_id
        left join conversions as conversion on conversion.program_id = ${programId} and conversion.id = commission.conversion_id
        left join leads as lead on lead.program_id = ${programId} and lead.id = commission.lead_id
      where entry.program_id = ${programId} and entry.affiliate_id = ${affiliateId} and entry.created_at >= ${from} and entry.created_at < ${to}
        and entry.seq > ${after} and entry.seq <= ${lastSeq} and ${isOwed}
      order by entry.seq limit ${pageRows}`.execute(ctx.db);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

async function readLastEntry(ctx: Pick<Context, 'db'>, programId: string, { to, lastSeq }: Span): Promise<StatementSummary['lastEntry']> {
  const last = await ctx.db
    .selectFrom('ledgerEntries')
    .select(['seq', 'hash'])
    .where('programId', '=', programId)
    .where('seq', '<=', lastSeq)
    .where('createdAt', '<', to)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? { seq: last.seq, hash: last.hash.toString('hex') } : null;
}
