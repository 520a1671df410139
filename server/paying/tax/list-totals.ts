// Annual payout totals per affiliate, for tax reporting.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { AffiliateReference, findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, page, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { expandable, type Sort, sortBy } from '../../platform/http/declaration/lists.ts';
import { sumForDisplay } from '../../platform/lib/money.ts';
import { localMonth } from '../../platform/lib/zoned-time.ts';
import { findEndOfYear, findPaidTotals, type PaidTotal, yearIn } from './paid-totals.ts';
import { findAffiliatesWithForm } from './tax-form.ts';
import { addVat, findInvoicedTotals, sumByCase, VatTotal } from './vat-totals.ts';

const Quarter = z.object({ amountCents: centsOut, payoutCount: countOut }).meta({ id: 'TaxQuarter' });

const example = {
  affiliateId: '01980a4e-9c2f-7d41-8b3a-5e6f7a8b9c0d',
  netCents: 154_832,
  vatCents: 29_418,
  amountCents: 184_250,
  currency: 'USD',
  payoutCount: 7,
  quarters: [
    { amountCents: 40_000, payoutCount: 2 },
    { amountCents: 62_250, payoutCount: 2 },
    { amountCents: 82_000, payoutCount: 3 },
    { amountCents: 0, payoutCount: 0 },
  ],
  vatTotals: [{ vatCase: 'domestic' as const, netCents: 154_832, vatCents: 29_418, vatExchange: null, amountCents: 184_250 }],
  hasTaxForm: true,
};

const sums = {
  netCents: centsOut.describe('`amountCents` − `vatCents`'),
  vatCents: centsOut.describe('The VAT on the invoices of the year, less cancellations.'),
  amountCents: centsOut.describe('The sum of paid payouts, less returned payouts.'),
  currency: currencyOut,
};
const vatTotalList = z.array(VatTotal).describe('By the reason for which invoices have VAT, or none.');

const TaxTotal = z
  .object({
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    ...sums,
    payoutCount: countOut.describe('The number of paid payouts, less returned payouts.'),
    quarters: z.array(Quarter).length(4).describe('January to March, April to June, and so on.'),
    vatTotals: vatTotalList,
    hasTaxForm: z.boolean().describe('Whether the affiliate has a valid tax form now; for a past year, at its end.'),
  })
  .meta({ id: 'TaxTotal', example });

const sumExample = {
  netCents: example.netCents,
  vatCents: example.vatCents,
  amountCents: example.amountCents,
  currency: example.currency,
  vatTotals: example.vatTotals,
};

const YearSum = z.object({ ...sums, vatTotals: vatTotalList }).meta({ id: 'TaxYearSum', example: sumExample });

const TaxTotalList = z
  .object({
    year: countOut,
    totals: z.array(TaxTotal),
    sum: YearSum.describe('All affiliates that were found, on every page.'),
    total: countOut,
    limit: countOut,
    offset: countOut,
  })
  .meta({ id: 'TaxTotalList', example: { year: 2026, totals: [example], sum: sumExample, total: 1, limit: 50, offset: 0 } });

export const listTaxTotals = endpoint({
  id: 'taxTotals.list',
  route: 'GET /v1/programs/:programId/tax/totals',
  scope: 'read',
  requires: 'tax.read',
  tag: 'Tax',
  summary: 'List the annual payout totals of affiliates',
  description:
    "A payout counts on the day it was paid, in the program's time zone. Tax files contain tax numbers, so they are exported in " +
    'the console or from the command line.',
  query: z.object({
    year: z
      .string()
      .regex(/^20\d\d$/, 'must be a year like 2026')
      .transform(Number)
      .optional()
      .describe('The calendar year. Default: the current year.')
      .meta({ json: { type: 'integer', minimum: 2000, maximum: 2099 } }),
    affiliateId: uuid.optional(),
    expand: expandable('affiliate'),
    ...page,
    sort: sortBy('amountCents', 'payoutCount'),
  }),
  statuses: [200],
  result: TaxTotalList,
  async handle(ctx, { actor: { programId }, query: { year: given, affiliateId, expand, limit, offset, sort } }) {
    const now = ctx.clock.now();
    const { currency, timezone } = await getProgram(ctx, programId);
    const year = given ?? Number(localMonth(now, timezone).slice(0, 4));
    const paid = addVat(await findPaidTotals(ctx, programId, year), await findInvoicedTotals(ctx, programId, yearIn(timezone, year)));
    const found = sortTotals(affiliateId ? paid.filter((one) => one.affiliateId === affiliateId) : paid, sort);
    const shown = found.slice(offset, offset + limit);
    const ids = shown.map((one) => one.affiliateId);
    const withForm = await findAffiliatesWithForm(ctx.db, programId, ids, await findEndOfYear(ctx, programId, { year, now }));
    const references = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? ids : []);
    const totals = shown.map(({ firstName: _first, lastName: _last, ...one }) => ({
      ...one,
      currency,
      affiliate: references.get(one.affiliateId),
      hasTaxForm: withForm.has(one.affiliateId),
    }));
    return { year, totals, sum: { ...sumOfYear(found), currency }, total: found.length, limit, offset };
  },
});

type WithVat = { netCents: number; vatCents: number; amountCents: number; vatTotals: VatTotal[] };

function sumOfYear(totals: readonly WithVat[]): WithVat {
  const vatTotals = sumByCase(totals.flatMap((total) => total.vatTotals));
  const sum = (field: 'netCents' | 'vatCents' | 'amountCents') => sumForDisplay(vatTotals.map((total) => total[field]));
  return { netCents: sum('netCents'), vatCents: sum('vatCents'), amountCents: sum('amountCents'), vatTotals };
}

/** Sorted by amount or count. Equal totals stay in the order of their ids. */
function sortTotals<Total extends PaidTotal>(
  totals: readonly Total[],
  { column, direction }: Sort<'amountCents' | 'payoutCount'>,
): Total[] {
  const sign = direction === 'asc' ? 1 : -1;
  return totals.toSorted((a, b) => sign * (a[column] - b[column]));
}
