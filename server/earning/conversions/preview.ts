// What an order would pay: the same look-up, attribution and calculation as for a reported order; nothing is stored.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { sumOf } from '../../platform/lib/money.ts';
import { explainCalculation } from '../commission-rules/explain.ts';
import { SignalOutcome, Warning } from '../orders/conversion-shape.ts';
import { findWarnings } from './conversion.ts';
import { ReportedOrder } from './order.ts';
import { toError } from './outcome-error.ts';
import { attributeOrders, decideOrders } from './recording/decide.ts';
import { lookUp } from './recording/look-up.ts';
import { lookUpRules } from './recording/record.ts';
import { CalculatedCommission, LineCandidates } from './stored-decision.ts';

const Preview = z
  .object({
    affiliateId: uuidOut.nullable().describe('The affiliate who would be credited; null for none.'),
    commissionCents: centsOut,
    currency: currencyOut,
    commissions: z.array(CalculatedCommission),
    signals: z.array(SignalOutcome),
    lines: z.array(LineCandidates).describe('For each line and level, every rule that was considered, with its outcome.'),
    sentences: z.array(z.string()),
    warnings: z.array(Warning),
  })
  .meta({
    id: 'Preview',
    example: {
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      commissionCents: 498,
      currency: 'USD',
      commissions: [exampleOf(CalculatedCommission)],
      signals: [
        {
          signal: 'click',
          value: '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a',
          affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
          outcome: 'credited',
        },
      ],
      lines: [],
      sentences: ['The order ($49.80): 10% by “Standard” (default rule) = $4.98.'],
      warnings: [],
    },
  });

export const previewOrder = endpoint({
  id: 'commissionRules.preview',
  route: 'POST /v1/programs/:programId/commission-rules/preview',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Preview the commission of an order',
  description:
    'Accepts an order like `POST /v1/conversions` and returns who would be credited and what they would earn. Nothing is recorded.',
  body: ReportedOrder,
  statuses: [200],
  result: Preview,
  errors: [
    { status: 400, code: 'amount_too_large', when: 'The commission of the order would exceed the largest amount that can be stored.' },
    { status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' },
  ],
  handle: (ctx, { actor, body }) =>
    ctx.db
      .transaction()
      .setAccessMode('read only')
      .execute((db) => preview({ ...ctx, db }, actor, body)),
});

type Owner = Actor & { programId: string; currency: string };

async function preview(ctx: Context, actor: Owner, order: ReportedOrder): Promise<z.input<typeof Preview>> {
  const { programId, currency } = actor;
  const found = await lookUp(ctx, programId, [{ order }]);
  // An order that is already recorded can be previewed too.
  const fresh = { ...found, recorded: new Map() };
  const attempts = attributeOrders([{ id: ctx.ids.uuid(), customerId: ctx.ids.uuid(), order, actor }], fresh, ctx.clock.now());
  const [decision] = decideOrders(attempts, fresh, await lookUpRules(ctx, programId, attempts)).decisions;
  if (!decision || decision.kind === 'duplicate') throw new Error('A preview has no decision.');
  if (decision.kind === 'rejected') throw toError(decision);
  const none = { commissions: [], lines: [], warnings: [], commissionCents: 0, currency };
  if (decision.kind === 'unattributed')
    return { ...none, affiliateId: null, signals: [...decision.signals], sentences: ['No affiliate would be credited.'] };
  const { calculation, facts, affiliate, attribution } = decision;
  return {
    affiliateId: affiliate.id,
    commissionCents: sumOf(calculation.drafts.map(({ amountCents }) => amountCents)),
    currency,
    commissions: calculation.drafts,
    signals: attribution.signals,
    lines: calculation.lines,
    sentences: explainCalculation(facts, calculation, currency),
    warnings: findWarnings({ order, products: found.products, affiliate, calculation, currency }),
  };
}
