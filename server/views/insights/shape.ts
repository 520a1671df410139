// The response of a breakdown.
import { z } from 'zod';
import { centsOut, countOut, currencyOut, dayOut } from '../../platform/http/declaration/fields.ts';

/** What figures can be broken down by. */
export const Breakdown = z.enum([
  'affiliate',
  'group',
  'link',
  'subId',
  'product',
  'coupon',
  'landingPage',
  'country',
  'source',
  'device',
  'day',
  'week',
  'month',
]);
export type Breakdown = z.infer<typeof Breakdown>;

export const Metric = z.enum(['clicks', 'conversions', 'salesCents', 'commissionsCents']);
export type Metric = z.infer<typeof Metric>;

const figures = {
  clicks: countOut.describe('The number of clicks.'),
  conversions: countOut.describe('The number of conversions.'),
  salesCents: centsOut.describe('The amounts of the orders, less refunds.'),
  commissionsCents: centsOut.describe('Commissions, less reversals.'),
};
const Figures = z.object(figures).meta({ id: 'MetricFigures' });
export type Figures = z.infer<typeof Figures>;

const compared = {
  ...figures,
  previous: Figures.nullable().describe('The same figures of the period before; null without a comparison.'),
};

const Row = z
  .object({
    value: z
      .string()
      .nullable()
      .describe(
        'What the row is for: the id of the affiliate, group, product or coupon; the link name, sub ID, address, country code or host; ' +
          '`desktop`, `phone` or `tablet`; the first day. Null: none, such as orders without a click.',
      ),
    name: z.string().nullable().describe('The name of the affiliate, group or product, or the code of the coupon.'),
    ...compared,
  })
  .meta({ id: 'MetricRow' });

const example = { clicks: 3120, conversions: 214, salesCents: 1_840_200, commissionsCents: 276_030 };
const exampleBefore = { clicks: 2980, conversions: 201, salesCents: 1_712_000, commissionsCents: 256_800 };

export const Metrics = z
  .object({
    metric: Metric.describe('What the rows are sorted by.'),
    breakdown: Breakdown.describe('What the figures are broken down by.'),
    currency: currencyOut,
    timezone: z.string().describe('Days are in this time zone.'),
    startsOn: dayOut.describe('The first day.'),
    endsOn: dayOut.describe('The last day, which is included.'),
    previousStartsOn: dayOut.nullable().describe('The first day of the period before; null without a comparison.'),
    previousEndsOn: dayOut.nullable().describe('Its last day, which is included.'),
    sums: z.object(compared).meta({ id: 'MetricSums' }).describe('The figures of the program in the period.'),
    rows: z.array(Row).describe('The highest first; days, weeks and months in their order.'),
    other: z
      .object({ values: countOut.describe('How many values.'), ...compared })
      .meta({ id: 'MetricOther' })
      .nullable()
      .describe('The sums of the values beyond `limit`; null if there are none.'),
  })
  .meta({
    id: 'Metrics',
    example: {
      metric: 'salesCents',
      breakdown: 'affiliate',
      currency: 'USD',
      timezone: 'America/New_York',
      startsOn: '2026-10-04',
      endsOn: '2026-11-02',
      previousStartsOn: '2026-09-04',
      previousEndsOn: '2026-10-03',
      sums: { ...example, previous: exampleBefore },
      rows: [{ value: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f', name: 'Ada Lindqvist', ...example, previous: exampleBefore }],
      other: null,
    },
  });
