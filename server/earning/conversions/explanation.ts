// Why an order was credited and paid as it was: in data, as it was decided, and in sentences.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { formatCents } from '../../platform/lib/currency.ts';
import { explainCalculation } from '../commission-rules/explain.ts';
import type { OrderFacts } from '../commission-rules/order-facts.ts';
import { conversionSlot } from './conversion.ts';
import type { HintFinding, Method } from './credit/attribution.ts';
import type { Decision } from './write.ts';

const anything = z.record(z.string(), z.unknown());

export const explainConversion = endpoint({
  id: 'conversions.explanation',
  route: 'GET /v1/programs/:programId/conversions/:id/explanation',
  scope: 'read',
  tag: 'Conversions',
  summary: 'Explain a conversion',
  description:
    'Each hint and what became of it, each rule tried and why it won or lost, the inputs as they were, limits and rounding, in data and in sentences.',
  path: { id: conversionSlot },
  statuses: [200],
  result: z
    .object({
      conversionId: uuidOut,
      orderId: z.string(),
      sentences: z.array(z.string()).describe('For a person.'),
      hints: z.array(z.object({ hint: z.string(), value: z.string(), affiliateId: uuidOut.nullable(), outcome: z.string() })),
      lines: z.array(anything).describe('For each line and level, every rule that was tried, with its outcome.'),
      commissions: z.array(anything).describe('What was calculated: rule, rate, base, limits, result.'),
      suspicions: z.array(anything),
      inputs: anything.describe('Everything the calculation looked at, as it was.'),
      capCents: centsOut.nullable(),
      rounding: z.string(),
    })
    .meta({ id: 'Explanation' }),
  async handle(ctx, { actor, params }) {
    const row = await ctx.db
      .selectFrom('conversions')
      .select(['id', 'orderId', 'currency', 'facts', 'decision'])
      .where('programId', '=', actor.programId)
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow();
    const facts = row.facts as unknown as OrderFacts;
    const decision = row.decision as unknown as Decision;
    const names = await namesOf(ctx, actor.programId, decision.findings);
    return {
      conversionId: row.id,
      orderId: row.orderId,
      sentences: [
        ...creditWords(decision.findings, names),
        ...explainCalculation(facts, decision, row.currency),
        ...capWords(decision, row.currency),
        ...suspicionWords(decision),
      ],
      hints: decision.findings,
      lines: decision.lines,
      commissions: decision.drafts,
      suspicions: [...decision.suspicions],
      inputs: facts,
      capCents: decision.capCents,
      rounding: 'Half up, once for each commission, on its whole base.',
    };
  },
});

async function namesOf(ctx: Context, programId: string, findings: readonly HintFinding[]): Promise<Map<string, string>> {
  const ids = findings.flatMap(({ affiliateId }) => affiliateId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('affiliates')
    .select(['id', 'firstName', 'lastName'])
    .where('programId', '=', programId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
}

const hintWords: Record<Method, string> = {
  affiliate: 'the affiliate that the report names',
  coupon: 'the coupon',
  click: 'the click',
  referral_code: 'the referral code',
  customer: 'whoever brought this customer first',
};

const refusalWords: Record<string, string> = {
  outranked: 'another hint comes first',
  unknown: 'it names nothing in this program',
  affiliate_not_active: 'the affiliate is not active',
  outside_the_window: 'it is outside the attribution window',
  after_the_order: 'it came after the order',
  click_has_priority: "the coupon's policy lets a click come first",
  checkout_hijack: 'the click came when the buyer was already paying, and somebody else had come before',
  archived: 'the coupon is archived',
  not_started: 'the coupon was not valid yet',
  ended: 'the coupon had expired',
  used_up: 'the coupon had been used as often as it may be',
  below_minimum: "the order is below the coupon's minimum",
  other_products: 'the coupon is for other products',
};

function creditWords(findings: readonly HintFinding[], names: ReadonlyMap<string, string>): string[] {
  return findings.map(({ hint, value, affiliateId, outcome }) => {
    const who = (affiliateId && names.get(affiliateId)) ?? 'nobody';
    const what = `${hintWords[hint]}${value && hint !== 'affiliate' ? ` ${value}` : ''}`;
    if (outcome === 'credited') return `${who} is credited, by ${what}.`;
    return `${what.charAt(0).toUpperCase()}${what.slice(1)} (${who}) was not followed: ${refusalWords[outcome] ?? outcome}.`;
  });
}

function capWords({ capCents, drafts }: Decision, currency: string): string[] {
  const isCapped = drafts.some(({ limits }) => limits.some(({ by }) => by === 'program_cap'));
  return isCapped && capCents !== null ? [`All levels together pay at most ${formatCents(capCents, currency)} for this order.`] : [];
}

function suspicionWords({ suspicions }: Decision): string[] {
  return suspicions.map(
    ({ kind, action }) =>
      `${kind.replaceAll('_', ' ')} was noticed: the commission is ${action === 'hold' ? 'held until a person decides' : 'only flagged'}.`,
  );
}
