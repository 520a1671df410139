// What a dispatch would pay now, without paying it.
import { z } from 'zod';
import { AffiliateReference, findAffiliateReferences } from '../../../partners/affiliates/reference.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampIn, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { expandable } from '../../../platform/http/declaration/lists.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { sumForDisplay } from '../../../platform/lib/money.ts';
import { chooseProvider } from '../choose-provider.ts';
import { PayoutExchangeShape } from '../exchange/payout-exchange.ts';
import { findExclusions, StoredExclusion } from './exclusions.ts';
import { findDue, SkipReason } from './find-due.ts';
import { findRequests } from './request-missing.ts';

export const SkippedShape = z.object({ affiliateId: uuidOut, amountCents: centsOut, reason: SkipReason }).meta({ id: 'SkippedPayout' });
const affiliate = AffiliateReference.optional().describe('Included with `?expand=affiliate`.');

const DueShape = z
  .object({
    affiliateId: uuidOut,
    amountCents: centsOut,
    exchange: PayoutExchangeShape.nullable().describe('What would be paid in another currency now; null if it is paid in `currency`.'),
    commissionCount: countOut,
    exclusion: StoredExclusion.nullable().describe('Why the affiliate was left out of an earlier batch, until a batch pays them.'),
    affiliate,
  })
  .meta({ id: 'DuePayout' });

const SkippedDueShape = SkippedShape.extend({
  minimumCents: centsOut.describe('The smallest amount that is paid to this affiliate.'),
  payableFrom: timestampOut.nullable().describe('From when changed payout details are used, for `on_hold`; otherwise null.'),
  requestedAt: timestampOut.nullable().describe('When the affiliate was last asked for payout details or a tax form.'),
  affiliate,
}).meta({ id: 'SkippedDuePayout' });

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
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: z
    .object({
      cutoffAt: timestampOut,
      currency: currencyOut,
      totalCents: centsOut,
      due: z.array(DueShape),
      skipped: z.array(SkippedDueShape),
    })
    .meta({
      id: 'DuePayouts',
      example: {
        cutoffAt: '2026-11-02T09:30:00.000Z',
        currency: 'USD',
        totalCents: 12_850,
        due: [
          { affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', amountCents: 12_850, exchange: null, commissionCount: 3, exclusion: null },
        ],
        skipped: [{ ...skippedExample, minimumCents: 2_500, payableFrom: null, requestedAt: null }],
      },
    }),
  async handle(ctx, { actor: { programId }, query }) {
    const cutoffAt = toCutoff(query.cutoffAt, ctx.clock.now());
    const provider = await chooseProvider(ctx, programId, query.providerId);
    const { due, skipped, terms } = await findDue(ctx, programId, { cutoffAt }, provider);
    const totalCents = sumForDisplay(due.map(({ amountCents }) => amountCents));
    const ids = query.expand.has('affiliate') ? [...due, ...skipped].map(({ affiliateId }) => affiliateId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, ids);
    const exclusions = await findExclusions(
      ctx,
      programId,
      due.map(({ affiliateId }) => affiliateId),
    );
    const asked = await findRequests(ctx, programId, skipped);
    return {
      cutoffAt: cutoffAt.toISOString(),
      currency: provider.currency,
      totalCents,
      due: due.map((row) => ({
        ...row,
        exclusion: exclusions.get(row.affiliateId) ?? null,
        affiliate: affiliates.get(row.affiliateId),
      })),
      skipped: skipped.map((row) => ({
        ...row,
        minimumCents: terms.get(row.affiliateId)?.minimumCents ?? 0,
        payableFrom: row.reason === 'on_hold' ? toFuture(terms.get(row.affiliateId)?.usableFrom, ctx.clock.now()) : null,
        requestedAt: asked.get(row.affiliateId)?.toISOString() ?? null,
        affiliate: affiliates.get(row.affiliateId),
      })),
    };
  },
});

/** A time in the future; null once it has passed, when only a reported change still holds the payout. */
const toFuture = (time: Date | null | undefined, now: Date): string | null => (time && time > now ? time.toISOString() : null);
