// What one order would pay: the same look-up, attribution and calculation as a report, and nothing is kept.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { Invalid, NotFound } from '../../platform/lib/errors.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { calculate } from '../commission-rules/calculate.ts';
import { allVersions, rulesAt } from '../commission-rules/choose-rule.ts';
import { explainCalculation } from '../commission-rules/explain.ts';
import { loadHistory, loadRunningTotals } from '../commission-rules/load.ts';
import { lookUp } from './credit/look-up.ts';
import { readProgram } from './credit/settings.ts';
import { weigh } from './credit/weigh.ts';
import { ReportedOrder } from './order.ts';
import { WarningShape, warningsOf } from './warnings.ts';

const anything = z.record(z.string(), z.unknown());

export const previewOrder = endpoint({
  id: 'commissionRules.preview',
  route: 'POST /v1/programs/:programId/commission-rules/preview',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'What an order would pay',
  description: 'Takes an order as `POST /v1/conversions` does, and says who would be credited and what it would pay. Nothing is recorded.',
  body: ReportedOrder,
  statuses: [200],
  result: z
    .object({
      affiliateId: uuidOut.nullable().describe('Who would be credited; null for nobody.'),
      commissionCents: centsOut,
      commissions: z.array(anything),
      hints: z.array(anything),
      lines: z.array(anything),
      sentences: z.array(z.string()),
      warnings: z.array(WarningShape),
    })
    .meta({ id: 'Preview' }),
  refusals: { 404: '`affiliateId` was not found in this program.' },
  handle: (ctx, { actor, body }) =>
    ctx.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (db) => {
        const tx = { ...ctx, db };
        const { programId } = actor;
        const { settings, currency } = await readProgram(tx, programId);
        if (body.currency !== undefined && body.currency !== currency)
          throw new Invalid([{ path: ['currency'], message: `must be ${currency}, the currency of the program` }]);
        const found = await lookUp(tx, programId, [body], settings);
        if (body.affiliateId && !found.people.has(body.affiliateId)) throw new NotFound('affiliateId');
        const { credited, attribution } = weigh(body, found, settings, ctx.clock.now());
        const nobody = {
          affiliateId: null,
          commissionCents: 0,
          commissions: [],
          lines: [],
          sentences: ['Nobody would be credited.'],
          warnings: [],
        };
        if (!credited) return { ...nobody, hints: attribution.findings };
        const { facts, person } = credited;
        const history = await loadHistory(tx, programId, [facts]);
        const running = await loadRunningTotals(tx, programId, [facts], allVersions(history));
        const calculation = calculate(facts, rulesAt(history, facts.at), running);
        return {
          affiliateId: person.id,
          commissionCents: sumOf(calculation.drafts.map(({ amountCents }) => amountCents)),
          commissions: calculation.drafts,
          hints: attribution.findings,
          lines: calculation.lines,
          sentences: explainCalculation(facts, calculation, currency),
          warnings: warningsOf({ order: body, products: found.products, calculation, currency }),
        };
      }),
});
