// A payout and its receipt as the affiliate sees them.
import { z } from 'zod';
import { PayoutExchangeShape } from '../../../paying/payouts/exchange/payout-exchange.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';

const State = z
  .enum(['preparing', 'on_its_way', 'paid', 'failed', 'returned', 'cancelled'])
  .describe('`returned`: the money came back after it was paid. What failed, was returned or cancelled is part of the balance again.')
  .meta({ id: 'PortalPayoutState' });

export type PortalPayoutState = z.output<typeof State>;

const fields = {
  id: uuidOut,
  amountCents: centsOut,
  currency: currencyOut,
  exchange: PayoutExchangeShape.nullable().describe('What is paid in another currency; null if it is paid in `currency`.'),
  state: State,
  reference: z.string().nullable().describe("The payout provider's reference for the payment."),
  createdAt: timestampOut,
  settledAt: timestampOut.nullable().describe('When it was paid, failed, returned or cancelled.'),
};

const example = {
  id: '01980a7c-31d2-7b44-8c0e-5f6a7b8c9d10',
  amountCents: 12_850,
  currency: 'USD',
  exchange: null,
  state: 'paid' as const,
  reference: 'ext_4711',
  createdAt: '2026-11-02T09:30:00.000Z',
  settledAt: '2026-11-02T09:30:04.000Z',
};

export const PortalPayout = z.object(fields).meta({ id: 'PortalPayout', example });

export const PortalReceipt = z
  .object({
    ...fields,
    programName: z.string(),
    affiliateName: z.string(),
    timezone: z.string(),
    periodStartAt: timestampOut.describe('When the oldest commission in the payout was earned.'),
    periodEndAt: timestampOut.describe('Only commissions that had matured by this time are included.'),
    commissions: countOut.describe('How many commissions it pays.'),
  })
  .meta({
    id: 'PortalReceipt',
    example: {
      ...example,
      programName: 'Fern & Field',
      affiliateName: 'Ada Lindqvist',
      timezone: 'America/New_York',
      periodStartAt: '2026-10-01T08:12:00.000Z',
      periodEndAt: '2026-11-02T09:30:00.000Z',
      commissions: 14,
    },
  });
export type Receipt = z.output<typeof PortalReceipt>;
