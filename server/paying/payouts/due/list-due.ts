// What a dispatch would pay now, without paying it.
import { z } from 'zod';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampIn, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { sumForDisplay } from '../../../platform/lib/money.ts';
import { chooseProvider } from '../choose-provider.ts';
import { findDue, SkipReason } from './find-due.ts';

export const SkippedShape = z.object({ affiliateId: uuidOut, amountCents: centsOut, reason: SkipReason }).meta({ id: 'SkippedPayout' });
const DueShape = z.object({ affiliateId: uuidOut, amountCents: centsOut, commissionCount: countOut }).meta({ id: 'DuePayout' });

export const skippedExample = { affiliateId: '01980a52-77aa-7b1c-8d2e-3f4a5b6c7d8e', amountCents: 1_200, reason: 'below_minimum' };

export const cutoffField = timestampIn.optional().describe('Include only commissions that had matured by this time. Default: now.');

/** The cutoff of a request. Commissions that mature in the future can't be paid. */
export function toCutoff(given: Date | undefined, now: Date): Date {
  if (given && given > now) throw new Invalid([{ path: ['cutoffAt'], message: 'must not be in the future' }]);
  return given ?? now;
}

export const listDue = endpoint({
  id: 'payouts.due',
  route: 'GET /v1/programs/:programId/payouts/due',
  scope: 'read',
  tag: 'Payouts',
  summary: 'Get due payouts',
  description: 'Returns what `POST …/payouts/dispatch` would pay now: the amount per affiliate, who would be skipped, and why.',
  query: z.object({
    providerId: uuid.optional().describe('Default: the default payout provider.'),
    cutoffAt: cutoffField,
  }),
  statuses: [200],
  result: z
    .object({
      cutoffAt: timestampOut,
      currency: currencyOut,
      totalCents: centsOut,
      due: z.array(DueShape),
      skipped: z.array(SkippedShape),
    })
    .meta({
      id: 'DuePayouts',
      example: {
        cutoffAt: '2026-11-02T09:30:00.000Z',
        currency: 'USD',
        totalCents: 12_850,
        due: [{ affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', amountCents: 12_850, commissionCount: 3 }],
        skipped: [skippedExample],
      },
    }),
  async handle(ctx, { actor: { programId }, query }) {
    const cutoffAt = toCutoff(query.cutoffAt, ctx.clock.now());
    const provider = await chooseProvider(ctx, programId, query.providerId);
    const { due, skipped } = await findDue(ctx, programId, { cutoffAt }, provider);
    const totalCents = sumForDisplay(due.map(({ amountCents }) => amountCents));
    return { cutoffAt: cutoffAt.toISOString(), currency: provider.currency, totalCents, due, skipped };
  },
});
