// The receipt of a payout: who paid whom, how much, when, and the commissions that it pays. It says the same to the program
// and to the affiliate, and needs no agreement.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { type ExchangeColumns, type PayoutExchange, readExchange, selectExchange } from '../exchange/payout-exchange.ts';
import { type PayoutStatus, toPayoutStatus } from '../payout.ts';

export const ReceiptLanguage = z.enum(['en', 'de']);
export type ReceiptLanguage = z.infer<typeof ReceiptLanguage>;

/** About 40 pages. Of a payout with more commissions, the rest is one line, so that the lines always add up. */
const maxLines = 1500;

export type ReceiptLine = {
  kind: 'order' | 'adjustment' | 'bonus' | 'lead';
  earnedAt: Date;
  orderId: string | null;
  lead: string | null;
  /** What a person wrote, or why it was adjusted. */
  reason: string | null;
  amountCents: number;
};

export type Receipt = {
  id: string;
  amountCents: number;
  currency: string;
  /** What was paid in another currency. */
  exchange: PayoutExchange | null;
  status: PayoutStatus;
  reference: string | null;
  createdAt: Date;
  settledAt: Date | null;
  periodStartAt: Date;
  periodEndAt: Date;
  programName: string;
  affiliateName: string;
  timezone: string;
  lines: ReceiptLine[];
  /** The commissions that are not among the lines. */
  rest: { count: number; amountCents: number };
};

type Row = Omit<Receipt, 'exchange' | 'status' | 'reference' | 'lines' | 'rest'> &
  ExchangeColumns & { status: string; providerReference: string | null };
type Key = { programId: string; payoutId: string };

/** With `affiliateId`, only a payout of this affiliate. Throws NotFound. */
export async function readReceipt(
  ctx: Pick<Context, 'db'>,
  { programId, payoutId, affiliateId = null }: Key & { affiliateId?: string | null },
): Promise<Receipt> {
  const { rows } = await sql<Row>`
    select payout.id, payout.amount_cents, payout.currency, payout.status, payout.provider_reference, payout.created_at,
      payout.settled_at, ${selectExchange}, payout.period_start_at, payout.period_end_at, program.name as program_name, program.timezone,
      trim(affiliate.first_name || ' ' || affiliate.last_name) as affiliate_name
    from payouts as payout join programs as program on program.id = payout.program_id
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = payout.affiliate_id
    where payout.program_id = ${programId} and payout.id = ${payoutId}
      and payout.affiliate_id = coalesce(${affiliateId}::uuid, payout.affiliate_id)`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new NotFound();
  const { status, providerReference: reference, ...payout } = row;
  return {
    ...payout,
    exchange: readExchange(payout),
    status: toPayoutStatus(status),
    reference,
    ...(await readLines(ctx, { programId, payoutId })),
  };
}

async function readLines(ctx: Pick<Context, 'db'>, { programId, payoutId }: Key): Promise<Pick<Receipt, 'lines' | 'rest'>> {
  const ofPayout = sql`line.program_id = ${programId} and line.payout_id = ${payoutId}`;
  const { rows: lines } = await sql<ReceiptLine>`
    select earned.kind, earned.created_at as earned_at, sold.order_id, lead.external_id as lead,
      case when earned.kind in ('adjustment', 'bonus') then coalesce(earned.note, earned.reason) end as reason, line.cents as amount_cents
    from payout_lines as line
    join commissions as earned on earned.program_id = ${programId} and earned.id = line.commission_id
    left join conversions as sold on sold.program_id = ${programId} and sold.id = earned.conversion_id
    left join leads as lead on lead.program_id = ${programId} and lead.id = earned.lead_id
    where ${ofPayout} order by earned.created_at, earned.id limit ${maxLines}`.execute(ctx.db);
  const { rows } = await sql<{ count: number; amountCents: number }>`
    select count(*) as count, coalesce(sum(cents), 0)::bigint as amount_cents from payout_lines as line where ${ofPayout}`.execute(ctx.db);
  const all = rows[0] ?? { count: 0, amountCents: 0 };
  const shown = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { lines, rest: { count: all.count - lines.length, amountCents: all.amountCents - shown } };
}
