// The response of the overview.
import { z } from 'zod';
import { centsOut, countOut, currencyOut, dayOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { AttentionItem } from './attention.ts';
import { Headline } from './headline.ts';

const affiliates = countOut.describe('The affiliates concerned.');
const percent = z.number().nullable().describe('One decimal; null without sales.');

const Money = z
  .object({
    pending: z
      .object({ amountCents: centsOut, affiliates, nextAt: timestampOut.nullable().describe('When the next one matures.') })
      .describe('In the hold period.'),
    held: z
      .object({ amountCents: centsOut, affiliates, conversions: countOut.describe('How many orders are on hold.') })
      .describe('On hold: a decision is required.'),
    ready: z.object({ amountCents: centsOut, affiliates }).describe('Payable to affiliates with a balance above 0.'),
    inTransit: z
      .object({ amountCents: centsOut, affiliates, sinceAt: timestampOut.nullable().describe('When the oldest of them was dispatched.') })
      .describe('Dispatched, and not paid yet.'),
    paid: z
      .object({ amountCents: centsOut, affiliates, lastAt: timestampOut.nullable().describe('When the last one was paid.') })
      .describe('Paid in the period.'),
    debts: z.object({ amountCents: centsOut, affiliates }).describe('Negative balances (0 or more): the next payouts net them.'),
  })
  .meta({ id: 'OverviewMoney' });

const metric = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value: value.describe('The value of the period.'),
    previous: value.nullable().describe('The value of the period before; null without a comparison.'),
  });

const point = {
  salesCents: centsOut,
  commissionsCents: centsOut,
  commissionPercent: percent,
  affiliates: countOut.describe('Affiliates with sales.'),
};

const Bucket = z
  .object({
    from: dayOut.describe('The first day.'),
    to: dayOut.describe('The last day, which is included.'),
    isIncomplete: z.boolean().describe('Contains today.'),
    ...point,
    previous: z
      .object({ from: dayOut.describe('The first day.'), to: dayOut.describe('The last day, which is included.'), ...point })
      .nullable()
      .describe('The same bucket of the period before.'),
  })
  .meta({ id: 'OverviewBucket' });

const TopAffiliate = z
  .object({
    id: uuidOut,
    name: z.string(),
    groupName: z.string().nullable(),
    clicks: countOut.describe('The number of clicks.'),
    conversions: countOut.describe('The number of conversions.'),
    salesCents: centsOut,
    commissionsCents: centsOut,
  })
  .meta({ id: 'TopAffiliate' });

const examplePoint = { salesCents: 286_400, commissionsCents: 35_800, commissionPercent: 12.5, affiliates: 12 };

export const Overview = z
  .object({
    programId: uuidOut,
    name: z.string(),
    currency: currencyOut,
    timezone: z.string(),
    asOf: timestampOut,
    from: dayOut.describe('The first day.'),
    to: dayOut.describe('The last day, which is included.'),
    previousFrom: dayOut.nullable(),
    previousTo: dayOut.nullable(),
    interval: z.enum(['day', 'week', 'month']),
    headline: Headline.describe('What matters most now.'),
    money: Money.describe('The money of the program, by state.'),
    due: z
      .object({ affiliates: countOut.describe('How many affiliates would be paid.'), amountCents: centsOut })
      .describe('What a dispatch would pay now.'),
    metrics: z.object({
      salesCents: metric(centsOut).describe('Orders of affiliates, less refunds.'),
      commissionsCents: metric(centsOut).describe('Commissions, less reversals.'),
      commissionPercent: metric(percent).describe('Commissions as a percentage of sales.'),
      affiliates: metric(countOut).describe('Affiliates with sales.'),
    }),
    series: z.array(Bucket),
    topAffiliates: z.array(TopAffiliate).describe('By sales, the highest first.'),
    attention: z.array(AttentionItem).describe('The most urgent first.'),
    hasOrders: z.boolean().describe('Whether an order was ever credited; without one, the first steps take the place of figures.'),
  })
  .meta({
    id: 'Overview',
    example: {
      programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
      name: 'Fern & Field',
      currency: 'USD',
      timezone: 'America/New_York',
      asOf: '2026-11-02T09:30:00.000Z',
      from: '2026-11-02',
      to: '2026-11-02',
      previousFrom: '2026-11-01',
      previousTo: '2026-11-01',
      interval: 'day',
      headline: { kind: 'payouts_due', affiliates: 84, amountCents: 198_020 },
      money: {
        pending: { amountCents: 412_040, affiliates: 96, nextAt: '2026-12-04T09:30:00.000Z' },
        held: { amountCents: 21_240, affiliates: 3, conversions: 3 },
        ready: { amountCents: 198_020, affiliates: 84 },
        inTransit: { amountCents: 75_300, affiliates: 8, sinceAt: '2026-11-02T09:02:00.000Z' },
        paid: { amountCents: 753_000, affiliates: 84, lastAt: '2026-11-02T08:00:00.000Z' },
        debts: { amountCents: 8420, affiliates: 3 },
      },
      due: { affiliates: 84, amountCents: 198_020 },
      metrics: {
        salesCents: { value: 286_400, previous: 262_000 },
        commissionsCents: { value: 35_800, previous: 33_100 },
        commissionPercent: { value: 12.5, previous: 12.6 },
        affiliates: { value: 12, previous: 11 },
      },
      series: [
        {
          from: '2026-11-02',
          to: '2026-11-02',
          isIncomplete: true,
          ...examplePoint,
          previous: { from: '2026-11-01', to: '2026-11-01', ...examplePoint },
        },
      ],
      topAffiliates: [
        {
          id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
          name: 'Ada Lindqvist',
          groupName: 'Clinicians',
          clicks: 3120,
          conversions: 214,
          salesCents: 1_840_200,
          commissionsCents: 276_030,
        },
      ],
      attention: [
        {
          kind: 'pages',
          count: 4,
          oldestAt: '2026-10-31T10:00:00.000Z',
          amountCents: null,
          names: ['Ada Lindqvist', 'Leo Brandt'],
          id: null,
        },
      ],
      hasOrders: true,
    },
  });
