// Cohorts: who is still selling, by the month of the first order.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, dayOut, wholeNumber } from '../../platform/http/declaration/fields.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { lastMonths, readCohorts } from './read-cohorts.ts';
import { readOnce } from './stored-totals.ts';

const figures = {
  conversions: countOut.describe('The number of their orders, including those that were returned.'),
  salesCents: centsOut.describe('The amounts of these orders, less refunds.'),
  commissionsCents: centsOut.describe('All commissions of these affiliates, less reversals.'),
};

const CohortMonth = z
  .object({
    startsOn: dayOut.describe('The first day of the month.'),
    affiliates: countOut.describe('How many affiliates of the cohort have an order in this month.'),
    ...figures,
  })
  .meta({ id: 'CohortMonth' });

const Cohort = z
  .object({
    startsOn: dayOut.describe('The first day of the month in which these affiliates had their first order.'),
    affiliates: countOut.describe('The number of affiliates in the cohort.'),
    ...figures,
    months: z.array(CohortMonth).describe('Every month from that of the first order to the current one.'),
  })
  .meta({ id: 'Cohort' });

const first = { startsOn: '2026-10-01', affiliates: 12, conversions: 31, salesCents: 254_200, commissionsCents: 38_130 };
const second = { startsOn: '2026-11-01', affiliates: 7, conversions: 15, salesCents: 118_900, commissionsCents: 17_835 };

const Cohorts = z
  .object({
    currency: currencyOut,
    timezone: z.string().describe('Months are in this time zone.'),
    startsOn: dayOut.describe('The first day of the first month.'),
    endsOn: dayOut.describe('Today: the last month is not complete.'),
    cohorts: z.array(Cohort).describe('The oldest first. Months in which no affiliate had a first order have no cohort.'),
  })
  .meta({
    id: 'Cohorts',
    example: {
      currency: 'USD',
      timezone: 'America/New_York',
      startsOn: '2025-12-01',
      endsOn: '2026-11-02',
      cohorts: [
        { startsOn: '2026-10-01', affiliates: 12, conversions: 46, salesCents: 373_100, commissionsCents: 55_965, months: [first, second] },
      ],
    },
  });

export const getCohorts = endpoint({
  id: 'cohorts.get',
  route: 'GET /v1/programs/:programId/metrics/cohorts',
  scope: 'read',
  tag: 'Insights',
  summary: 'Get affiliates by the month of their first order',
  description:
    'An affiliate belongs to the month in which their first order occurred, whether or not it was returned since. Orders and commissions ' +
    'count on the day of the order, as in the other figures. Affiliates without an order, and what an affiliate earned in months before ' +
    'their first order, are in no cohort.',
  query: z.object({
    months: wholeNumber({ min: 1, max: 60, fallback: 12 }).describe('How many months of first orders, including the current one.'),
  }),
  statuses: [200],
  result: Cohorts,
  async handle(ctx, { actor: { programId }, query }) {
    const { timezone, currency } = await getProgram(ctx, programId);
    const today = localDate(ctx.clock.now(), timezone);
    const months = lastMonths(today, query.months);
    const cohorts = await readOnce(ctx, (once) => readCohorts(once, { programId, timezone, months }));
    return { currency, timezone, startsOn: months.from, endsOn: today, cohorts };
  },
});
