// An item of the review queue, and what makes it worth a second look.
import { z } from 'zod';
import { FraudKind } from '../../earning/fraud/fraud-event.ts';
import { centsOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';

export const ReviewKind = z.enum(['application', 'page', 'fraud_alert', 'claim', 'bounty_submission']).meta({ id: 'ReviewKind' });
export type ReviewKind = z.infer<typeof ReviewKind>;

export const RiskKind = z
  .enum([
    'restricted_phrase',
    'new_address',
    'disposable_email',
    ...FraudKind.options,
    'order_credited_to_another',
    'order_credited_to_claimant',
    'unknown_order',
    'no_clicks',
  ])
  .meta({ id: 'ReviewRiskKind' });

export const ReviewRisk = z
  .object({ kind: RiskKind, detail: z.string().nullable().describe('The phrase or address, where there is one.') })
  .meta({ id: 'ReviewRisk' });
export type ReviewRisk = z.input<typeof ReviewRisk>;

export const ReviewItem = z
  .object({
    kind: ReviewKind,
    id: uuidOut.describe('Of the affiliate, page, fraud alert, claim or submission.'),
    title: z.string().describe("The affiliate's name, the title of the page, the id of the order, or the name of the bounty."),
    affiliateId: uuidOut,
    affiliateName: z.string(),
    slug: z.string().nullable().describe('Of a page.'),
    isNew: z.boolean().describe('A page without an approved revision.'),
    isInvited: z.boolean().describe('An affiliate who was invited and sent no application.'),
    risks: z.array(ReviewRisk),
    since: timestampOut.describe('Since when it has been waiting.'),
    amountCents: centsOut.nullable().describe('The commissions that a fraud alert holds, the amount of the claimed order, or the bonus.'),
  })
  .meta({
    id: 'ReviewItem',
    example: {
      kind: 'page',
      id: '01980a55-6a20-7c40-9d10-3f4a5b6c7d8e',
      title: "Ada's favourites",
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      affiliateName: 'Ada Lovelace',
      slug: 'ada-lovelace',
      isNew: false,
      isInvited: false,
      risks: [{ kind: 'restricted_phrase', detail: 'cure' }],
      since: '2026-11-18T09:00:00.000Z',
      amountCents: null,
    },
  });
export type ReviewItem = z.input<typeof ReviewItem>;
