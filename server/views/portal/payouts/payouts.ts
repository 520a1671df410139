// What was paid to the affiliate and what is on its way, with a receipt for every payout. Why a provider rejected a payment
// is for members of the program.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { type ExchangeColumns, readExchange, selectExchange } from '../../../paying/payouts/exchange/payout-exchange.ts';
import { toPayoutStatus } from '../../../paying/payouts/payout.ts';
import { receiptQuery, toReceiptPdf } from '../../../paying/payouts/receipt/get.ts';
import { readReceipt } from '../../../paying/payouts/receipt/receipt.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { page } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { countRows, listOf } from '../../../platform/http/declaration/lists.ts';
import type { AffiliateReader } from '../../../platform/http/declaration/principal.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { PortalPayout, type PortalPayoutState, PortalReceipt, type Receipt } from './payout.ts';

const statuses = ['active', 'suspended', 'archived'] as const;

export const listPortalPayouts = endpoint({
  id: 'portal.payouts',
  route: 'GET /app/portal/:programId/payouts',
  scope: 'embed',
  affiliateStatuses: statuses,
  tag: 'Portal',
  summary: "List the affiliate's payouts",
  query: z.object(page),
  statuses: [200],
  result: listOf('payouts', PortalPayout, 'PortalPayoutList'),
  async handle(ctx, { actor: { programId, affiliateId }, query: { limit, offset } }) {
    const payouts = ctx.db.selectFrom('payouts').where('programId', '=', programId).where('affiliateId', '=', affiliateId);
    const newest = payouts.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');
    const rows = await newest.limit(limit).offset(offset).execute();
    return { payouts: rows.map(toPortalPayout), total: await countRows(payouts), limit, offset };
  },
});

export const getPortalPayout = endpoint({
  id: 'portal.payout',
  route: 'GET /app/portal/:programId/payouts/:id',
  scope: 'embed',
  affiliateStatuses: statuses,
  tag: 'Portal',
  summary: "Get the receipt of one of the affiliate's payouts",
  path: { id: idSlot('payouts', 'The id of the payout.') },
  findsPath: true,
  query: z.object(receiptQuery),
  statuses: [200],
  media: ['application/pdf'],
  result: PortalReceipt,
  async handle(ctx, { actor, params: { id }, query: { format, language } }) {
    if (format === 'json') return readOwnReceipt(ctx, actor, id);
    const { programId, affiliateId } = actor;
    return toReceiptPdf(ctx, await readReceipt(ctx, { programId, payoutId: id, affiliateId }), language);
  },
});

type Row = {
  id: string;
  amountCents: number;
  currency: string;
  status: string;
  providerReference: string | null;
  createdAt: Date;
  settledAt: Date | null;
} & ExchangeColumns;

function toPortalPayout(row: Row): z.output<typeof PortalPayout> {
  const { id, amountCents, currency, status, providerReference, createdAt, settledAt } = row;
  const dates = { createdAt: createdAt.toISOString(), settledAt: settledAt?.toISOString() ?? null };
  return { id, amountCents, currency, exchange: readExchange(row), state: toState(status), reference: providerReference, ...dates };
}

function toState(stored: string): PortalPayoutState {
  const status = toPayoutStatus(stored);
  if (status === 'queued') return 'preparing';
  return status === 'sending' || status === 'sent' || status === 'reconcile_required' ? 'on_its_way' : status;
}

type ReceiptRow = Row & {
  periodStartAt: Date;
  periodEndAt: Date;
  programName: string;
  affiliateName: string;
  timezone: string;
  commissions: number;
};

/** Throws NotFound for the payout of another affiliate. */
async function readOwnReceipt(ctx: Pick<Context, 'db'>, { programId, affiliateId }: AffiliateReader, id: string): Promise<Receipt> {
  const { rows } = await sql<ReceiptRow>`
    select payout.id, payout.amount_cents, payout.currency, payout.status, payout.provider_reference, payout.created_at,
      payout.settled_at, ${selectExchange}, payout.period_start_at, payout.period_end_at, program.name as program_name, program.timezone,
      trim(affiliate.first_name || ' ' || affiliate.last_name) as affiliate_name,
      (select count(*) from payout_lines as line where line.program_id = ${programId} and line.payout_id = payout.id) as commissions
    from payouts as payout join programs as program on program.id = payout.program_id
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = payout.affiliate_id
    where payout.program_id = ${programId} and payout.affiliate_id = ${affiliateId} and payout.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new NotFound();
  const { programName, affiliateName, timezone, commissions } = row;
  const period = { periodStartAt: row.periodStartAt.toISOString(), periodEndAt: row.periodEndAt.toISOString() };
  return { ...toPortalPayout(row), ...period, programName, affiliateName, timezone, commissions };
}
