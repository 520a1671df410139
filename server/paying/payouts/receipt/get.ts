// The receipt of one payout, for the program. The portal shows the same PDF to the affiliate.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { Document, endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { PayoutExchangeShape } from '../exchange/payout-exchange.ts';
import { PayoutStatus, payoutSlot } from '../payout.ts';
import { renderReceipt } from './pdf.ts';
import { type Receipt, ReceiptLanguage, readReceipt } from './receipt.ts';

export const receiptQuery = {
  format: z.enum(['json', 'pdf']).default('json'),
  language: ReceiptLanguage.default('en').describe('The language of the PDF.'),
};

const Line = z
  .object({
    kind: z.enum(['order', 'adjustment', 'bonus', 'lead']),
    earnedAt: timestampOut.describe('When the commission was earned.'),
    orderId: z.string().nullable(),
    leadExternalId: z.string().nullable().describe('The lead that it was earned for.'),
    reason: z.string().nullable().describe('The note of a bonus, or the reason for an adjustment.'),
    amountCents: centsOut.describe('Negative if a debt was netted.'),
  })
  .meta({ id: 'PayoutReceiptLine' });

const Shape = z
  .object({
    payoutId: uuidOut,
    programName: z.string(),
    affiliateName: z.string(),
    status: PayoutStatus,
    amountCents: centsOut,
    currency: currencyOut,
    exchange: PayoutExchangeShape.nullable().describe('What is paid in another currency; null if it is paid in `currency`.'),
    periodStartAt: timestampOut.describe('When the oldest commission in the payout was earned.'),
    periodEndAt: timestampOut.describe('Only commissions that had matured by this time are included.'),
    settledAt: timestampOut.nullable().describe('When it was paid, failed, returned or cancelled.'),
    lines: z.array(Line).describe('The commissions, oldest first; at most 1,500.'),
    otherCount: countOut.describe('The number of commissions that are not in `lines`.'),
    otherCents: centsOut.describe('The sum of the commissions that are not in `lines`.'),
  })
  .meta({
    id: 'PayoutReceipt',
    example: {
      payoutId: '01980a7c-31d2-7b44-8c0e-5f6a7b8c9d10',
      programName: 'Fern & Field',
      affiliateName: 'Ada Lindqvist',
      status: 'paid',
      amountCents: 12_850,
      currency: 'USD',
      exchange: null,
      periodStartAt: '2026-10-01T08:12:00.000Z',
      periodEndAt: '2026-11-02T09:30:00.000Z',
      settledAt: '2026-11-02T09:30:04.000Z',
      lines: [
        {
          kind: 'order',
          earnedAt: '2026-10-01T08:12:00.000Z',
          orderId: 'FF-10023',
          leadExternalId: null,
          reason: null,
          amountCents: 12_850,
        },
      ],
      otherCount: 0,
      otherCents: 0,
    },
  });

export const getPayoutReceipt = endpoint({
  id: 'payoutReceipts.get',
  route: 'GET /v1/programs/:programId/payout-receipts/:id',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get the receipt of a payout, including as PDF',
  description: 'Who paid whom, how much, when, and the commissions that it pays. The affiliate sees the same in the portal.',
  path: { id: payoutSlot },
  query: z.object(receiptQuery),
  statuses: [200],
  heavy: true,
  media: ['application/pdf'],
  result: Shape,
  async handle(ctx, { actor: { programId }, params: { id }, query: { format, language } }) {
    const receipt = await readReceipt(ctx, { programId, payoutId: id });
    return format === 'json' ? toShape(receipt) : toReceiptPdf(ctx, receipt, language);
  },
});

export async function toReceiptPdf(ctx: Context, receipt: Receipt, language: ReceiptLanguage): Promise<Document> {
  const content = await renderReceipt(ctx.workers, { receipt, language, createdAt: ctx.clock.now() });
  return new Document('application/pdf', content, `receipt-${receipt.id.slice(-8)}.pdf`);
}

function toShape({ id, lines, rest, ...receipt }: Receipt): z.input<typeof Shape> {
  return {
    ...receipt,
    payoutId: id,
    periodStartAt: receipt.periodStartAt.toISOString(),
    periodEndAt: receipt.periodEndAt.toISOString(),
    settledAt: receipt.settledAt?.toISOString() ?? null,
    lines: lines.map(({ lead, ...line }) => ({ ...line, leadExternalId: lead, earnedAt: line.earnedAt.toISOString() })),
    otherCount: rest.count,
    otherCents: rest.amountCents,
  };
}
