// A month of an affiliate's account: opening + earned − adjusted − paid = closing, to the cent, each line
// an entry of the ledger. What stands in it is what is owed: pending, available and on its way.
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { sumForDisplay } from '../lib/money.ts';
import { monthSpan } from '../lib/zoned-time.ts';

export type StatementLine = {
  seq: number;
  at: Date;
  kind: 'earned' | 'adjusted' | 'paid';
  entry: string;
  orderId: string | null;
  reason: string | null;
  /** What it added to what is owed; below 0 it took away. */
  cents: number;
};

export type Statement = {
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
  lines: StatementLine[];
  /** The last entry of the program's ledger in this month, and its hash. */
  seal: { seq: number; hash: string } | null;
};

type Period = { programId: string; affiliateId: string; month: string };
const owed = `('pending', 'available', 'in_transit')`;

/** The statement of a month like 2026-03, in the program's time zone. */
export async function makeStatement(ctx: Pick<Context, 'db'>, { programId, affiliateId, month }: Period): Promise<Statement> {
  const names = await readNames(ctx, programId, affiliateId);
  const { from, to } = monthSpan(month, names.timezone);
  const openingCents = await owedBefore(ctx, { programId, affiliateId }, from);
  const lines = await readLines(ctx, { programId, affiliateId }, { from, to });
  const of = (kind: StatementLine['kind']) => sumForDisplay(lines.filter((line) => line.kind === kind).map(({ cents }) => cents));
  const [earnedCents, adjustedCents, paidCents] = [of('earned'), -of('adjusted'), -of('paid')];
  const closingCents = openingCents + earnedCents - adjustedCents - paidCents;
  const totals = { openingCents, earnedCents, adjustedCents, paidCents, closingCents };
  return { affiliateId, ...names, month, ...totals, lines, seal: await readSeal(ctx, programId, to) };
}

async function readNames(ctx: Pick<Context, 'db'>, programId: string, affiliateId: string) {
  const { rows } = await sql<{ affiliateName: string; programName: string; currency: string; timezone: string }>`
    select affiliate.first_name || ' ' || affiliate.last_name as affiliate_name, program.name as program_name, program.currency, program.timezone
    from affiliates as affiliate join programs as program on program.id = affiliate.program_id
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(ctx.db);
  const [names] = rows;
  if (!names) throw new Error('The affiliate of a statement is gone.');
  return names;
}

type Owner = Omit<Period, 'month'>;

async function owedBefore(ctx: Pick<Context, 'db'>, { programId, affiliateId }: Owner, from: Date): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(case when credit in ${sql.raw(owed)} then cents else 0 end - case when debit in ${sql.raw(owed)} then cents else 0 end), 0)::bigint as cents
    from ledger_entries where program_id = ${programId} and affiliate_id = ${affiliateId} and created_at < ${from}`.execute(ctx.db);
  return rows[0]?.cents ?? 0;
}

async function readLines(
  ctx: Pick<Context, 'db'>,
  { programId, affiliateId }: Owner,
  { from, to }: { from: Date; to: Date },
): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    select entry.seq, entry.created_at as at, entry.kind as entry, conversion.order_id,
      case when entry.kind in ('adjust', 'reverse', 'write_off') then commission.reason end as reason,
      case when entry.kind = 'accrue' then 'earned' when entry.kind in ('settle', 'return') then 'paid' else 'adjusted' end as kind,
      (case when entry.credit in ${sql.raw(owed)} then entry.cents else 0 end - case when entry.debit in ${sql.raw(owed)} then entry.cents else 0 end) as cents
    from ledger_entries as entry
      left join commissions as commission on commission.program_id = entry.program_id and commission.id = entry.commission_id
      left join conversions as conversion on conversion.program_id = commission.program_id and conversion.id = commission.conversion_id
    where entry.program_id = ${programId} and entry.affiliate_id = ${affiliateId} and entry.created_at >= ${from} and entry.created_at < ${to}
      and (entry.credit in ${sql.raw(owed)}) <> (entry.debit in ${sql.raw(owed)})
    order by entry.seq`.execute(ctx.db);
  return rows;
}

async function readSeal(ctx: Pick<Context, 'db'>, programId: string, to: Date): Promise<Statement['seal']> {
  const last = await ctx.db
    .selectFrom('ledgerEntries')
    .select(['seq', 'hash'])
    .where('programId', '=', programId)
    .where('createdAt', '<', to)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? { seq: last.seq, hash: last.hash.toString('hex') } : null;
}
