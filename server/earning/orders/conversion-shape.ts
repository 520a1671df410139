// The shape of a conversion as the API returns it: the order, who was credited and why, and what they earn. It is declared
// below the commissions, because their changes change the status of the order, which is announced.
import { z } from 'zod';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import { centsOut, countOut, currencyOut, dayOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { commissionSources } from '../commission-rules/choose-rule.ts';
import { Exchange, RateSource } from '../exchange-rates/exchange.ts';

/** What became of a signal: `credited`, or why it was not credited. */
export const signalOutcomes = [
  'credited',
  'outranked',
  'unknown',
  'affiliate_not_active',
  'outside_the_window',
  'after_the_order',
  'click_has_priority',
  'checkout_hijack',
  'archived',
  'not_started',
  'ended',
  'used_up',
  'below_minimum',
  'other_products',
] as const;

export const SignalFacts = z
  .object({
    clickedAt: timestampOut.optional(),
    secondsBeforeOrder: countOut.optional().describe('The time between the click and the order.'),
    windowDays: countOut.optional().describe('The attribution window of the program.'),
    guardSeconds: countOut.optional().describe('A later click counts as a hijacked checkout.'),
    creditedSignal: z
      .enum(['affiliate', 'coupon', 'click', 'referral_code', 'customer'])
      .optional()
      .describe('The signal that takes precedence.'),
    affiliateStatus: z.string().optional().describe('The status of the affiliate when the order was reported.'),
    creditPolicy: z.string().optional().describe("The coupon's policy."),
    minOrderCents: centsOut.optional().describe('The least amount for the coupon.'),
    startsAt: timestampOut.optional(),
    endsAt: timestampOut.optional(),
    maxRedemptions: countOut.optional(),
    boundBy: z.enum(['order', 'lead', 'member']).optional().describe('What bound the customer to their affiliate.'),
    boundMethod: z
      .enum(['affiliate', 'coupon', 'click', 'referral_code', 'customer'])
      .optional()
      .describe('The attribution signal of the order or lead that bound the customer.'),
    boundAt: timestampOut.optional().describe('When the customer was bound.'),
  })
  .meta({ id: 'SignalFacts' });
export type SignalFacts = z.infer<typeof SignalFacts>;

const statuses = z.enum(['pending', 'held', 'approved', 'paid', 'reversed', 'rejected']);
export const CommissionStatus = statuses.meta({ id: 'CommissionStatus' });
export type CommissionStatus = z.infer<typeof CommissionStatus>;

/** The status of an order is the first of these that one of its commissions has; without a commission, `approved`. */
export const statusPrecedence = ['held', 'pending', 'approved', 'paid', 'reversed', 'rejected'] as const;
export const ConversionStatus = statuses.meta({ id: 'ConversionStatus' });
export type ConversionStatus = z.infer<typeof ConversionStatus>;
export const AttributionMethod = z.enum(['affiliate', 'coupon', 'click', 'referral_code', 'customer']).meta({ id: 'AttributionMethod' });

export const SignalOutcome = z
  .object({
    signal: AttributionMethod,
    value: z
      .string()
      .describe('The value that was sent; for `click`, the id of the click that was used, and for `customer` their `externalId`.'),
    affiliateId: uuidOut.nullable().describe('The affiliate that the signal points to.'),
    outcome: z.enum(signalOutcomes).describe('`credited`, or why it was not credited, such as `outranked` or `unknown`.'),
    facts: SignalFacts.optional().describe('What the outcome depended on at the time of the order.'),
  })
  .meta({ id: 'SignalOutcome' });

export const Warning = z
  .object({
    code: z
      .enum(['unknown_product', 'affiliate_terms_changed', 'budget_exhausted', 'customer_unknown'])
      .describe(
        '`affiliate_terms_changed`: the order occurred before a change of the override, group or upline of the affiliate, or before ' +
          'they were invited; the message says which terms apply.',
      ),
    path: z.array(z.string()).describe('The field that the warning is about; empty for the whole order.'),
    message: z.string(),
  })
  .meta({ id: 'ConversionWarning' });
export type Warning = z.infer<typeof Warning>;

export const EarnedShape = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    level: z.int(),
    amountCents: centsOut,
    reversedCents: centsOut,
    type: z.enum(['percentage', 'flat']),
    rate: z.number().describe('Percent, or cents for a flat commission.'),
    source: z.enum(commissionSources),
    ruleId: uuidOut.nullable(),
    ruleVersion: countOut.nullable(),
    productId: uuidOut.nullable(),
    status: CommissionStatus,
    maturesAt: timestampOut,
  })
  .meta({ id: 'EarnedCommission' });

const example = {
  id: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
  orderId: 'FF-10023',
  status: 'pending',
  holdReasons: [],
  affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  amountCents: 4980,
  refundedCents: 0,
  currency: 'USD',
  exchange: null,
  commissionCents: 498,
  reversedCents: 0,
  attribution: {
    method: 'click',
    clickId: '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a',
    couponId: null,
    clickedAt: '2026-11-02T09:12:00.000Z',
    conflict: null,
  },
  commissions: [
    {
      id: '01980a54-1c23-7d11-a2b3-8c7d6e5f4a3b',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      level: 1,
      amountCents: 498,
      reversedCents: 0,
      type: 'percentage',
      rate: 10,
      source: 'rule',
      ruleId: '01980a50-2a3b-7c4d-8e5f-6a7b8c9d0e1f',
      ruleVersion: 1,
      productId: null,
      status: 'pending',
      maturesAt: '2026-12-02T09:30:00.000Z',
    },
  ],
  subId: 'newsletter',
  warnings: [],
  occurredAt: '2026-11-02T09:30:00.000Z',
  createdAt: '2026-11-02T09:30:01.000Z',
};

export const ExchangeShape = z
  .object({
    currency: currencyOut.describe('ISO 4217. The currency in which the order was reported.'),
    amountCents: centsOut.describe('The amount of the order in this currency.'),
    rate: z.string().describe('What one unit of the currency is worth in the currency of the program, as a decimal.'),
    quotedOn: dayOut.describe('The day of the rate: that of the order, or the latest one before it that has a rate.'),
    rateSource: RateSource.describe('Where the rate is from.'),
  })
  .meta({
    id: 'Exchange',
    example: { currency: 'EUR', amountCents: 10000, rate: '1.0842', quotedOn: '2026-11-26', rateSource: 'uploaded' },
  });

/** How the order was converted, as the API returns it. */
export function toExchange(exchange: Exchange | null | undefined): z.input<typeof ExchangeShape> | null {
  if (!exchange) return null;
  const { lineCents: _, ...shown } = exchange;
  return shown;
}

/** The conversion of an order by the `exchange` of its stored facts; null if it was not converted. */
export function readOrderExchange(stored: unknown): z.input<typeof ExchangeShape> | null {
  return toExchange(Exchange.nullable().parse(stored));
}

/** An amount in the currency of an order that was converted into that of the program. */
export const OriginalAmount = z
  .object({ amountCents: centsOut, currency: currencyOut })
  .meta({ id: 'OriginalAmount', example: { amountCents: 10000, currency: 'EUR' } });

/** The amount as a response shows it; null for an order that was not converted. */
export function toOriginal(amountCents: number | null, currency: string | null | undefined): z.input<typeof OriginalAmount> | null {
  return amountCents === null || !currency ? null : { amountCents, currency };
}

export const ConversionShape = z
  .object({
    id: uuidOut,
    orderId: z.string(),
    status: ConversionStatus.describe(
      `The first of ${statusPrecedence.map((status) => `\`${status}\``).join(', ')} that one of its commissions has. An order without commissions is \`approved\`.`,
    ),
    holdReasons: z
      .array(z.string())
      .describe(
        'Why it is on hold: `dispute`, `manual`, or the kind of a fraud alert, such as `self_referral`. Empty unless `status` is `held`.',
      ),
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    amountCents: centsOut,
    refundedCents: centsOut,
    currency: currencyOut,
    exchange: ExchangeShape.nullable().describe('How the order was converted; null for an order in the currency of the program.'),
    commissionCents: centsOut.describe('The sum of all levels, as earned.'),
    reversedCents: centsOut.describe('The part of the commissions that refunds have reversed.'),
    attribution: z.object({
      method: AttributionMethod,
      clickId: uuidOut.nullable(),
      couponId: uuidOut.nullable(),
      clickedAt: timestampOut.nullable(),
      conflict: z.array(SignalOutcome).nullable().describe('The other affiliates who could have been credited.'),
    }),
    commissions: z.array(EarnedShape),
    subId: z.string().nullable(),
    warnings: z.array(Warning).describe('What to check in the reported order. The order was recorded.'),
    occurredAt: timestampOut,
    createdAt: timestampOut,
  })
  .meta({ id: 'Conversion', example });

export type Conversion = z.input<typeof ConversionShape>;

export function toStatus(commissions: readonly { status: ConversionStatus }[]): ConversionStatus {
  const all = new Set(commissions.map(({ status }) => status));
  return statusPrecedence.find((status) => all.has(status)) ?? 'approved';
}
