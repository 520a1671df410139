import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, page, uuidOut } from '../../platform/http/declaration/fields.ts';
import { localMonth } from '../../platform/lib/zoned-time.ts';
import { endOf, paidIn } from './paid.ts';
import { withCurrentForms } from './tax-form.ts';

const Quarter = z.object({ cents: centsOut, count: countOut }).meta({ id: 'TaxQuarter' });

const TotalShape = z
  .object({
    affiliateId: uuidOut,
    firstName: z.string(),
    lastName: z.string(),
    cents: centsOut.describe('Paid, less what came back.'),
    count: countOut.describe('Payouts, less those that came back.'),
    quarters: z.array(Quarter).length(4).describe('January to March, and so on.'),
    hasTaxForm: z.boolean().describe('Whether a form counts now, or counted at the end of a past year.'),
  })
  .meta({ id: 'TaxTotal' });

export const listTaxTotals = endpoint({
  id: 'taxTotals.list',
  route: 'GET /v1/programs/:programId/tax/totals',
  scope: 'read',
  tag: 'Tax',
  summary: 'List what affiliates were paid in a year',
  description:
    'By the day a payout arrived, in the program’s time zone. The files for tax offices hold identifiers and are written by the command line alone.',
  query: z.object({
    year: z
      .string()
      .regex(/^20\d\d$/, 'must be a year like 2026')
      .transform(Number)
      .optional()
      .describe('Default: the present year.')
      .meta({ json: { type: 'integer', minimum: 2000, maximum: 2099 } }),
    ...page,
  }),
  statuses: [200],
  result: z
    .object({ year: countOut, currency: z.string(), totals: z.array(TotalShape), total: countOut, limit: countOut, offset: countOut })
    .meta({ id: 'TaxTotalList' }),
  async handle(ctx, { actor: { programId }, query: { year: given, limit, offset } }) {
    const now = ctx.clock.now();
    const { currency, timezone } = await getProgram(ctx, programId);
    const year = given ?? Number(localMonth(now, timezone).slice(0, 4));
    const paid = await paidIn(ctx, programId, year);
    const shown = paid.slice(offset, offset + limit);
    const ids = shown.map(({ affiliateId }) => affiliateId);
    const onFile = await withCurrentForms(ctx.db, programId, ids, await endOf(ctx, programId, { year, now }));
    const totals = shown.map((one) => ({ ...one, hasTaxForm: onFile.has(one.affiliateId) }));
    return { year, currency, totals, total: paid.length, limit, offset };
  },
});
