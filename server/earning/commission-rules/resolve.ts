// Which rule would win for an affiliate and an item at a time, and why every other one would lose.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cents, countOut, line, timestampIn, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { allRulesAt, chooseRule, steps } from './choose-rule.ts';
import { describeCandidate, stepNames } from './explain.ts';
import { loadWholeHistory } from './load.ts';
import type { CommissionRate, Earner, OrderFacts } from './order-facts.ts';

const TriedShape = z
  .object({
    step: z.enum(steps),
    ruleId: uuidOut.nullable(),
    version: countOut.nullable(),
    name: z.string(),
    outcome: z.string(),
    sentence: z.string(),
  })
  .meta({ id: 'TriedRule' });

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const amount = z
  .string()
  .regex(/^\d{1,11}$/, 'must be an integer amount in cents')
  .transform(Number)
  .pipe(cents);

export const resolveRule = endpoint({
  id: 'commissionRules.resolve',
  route: 'GET /v1/programs/:programId/commission-rules/resolve',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Which rule would win',
  description:
    'For an affiliate, an item and a time: the rule that would pay, and every candidate rule with the reason why it does not apply. ' +
    'Nothing pays for an affiliate who is not active, or for an upline who was not active at that time: `winner` is null then.',
  query: z.object({
    affiliateId: uuid.optional().describe('Default: an active affiliate without a group and an override.'),
    productId: uuid.optional(),
    category: line(100).optional().describe('For an item without a product of ours.'),
    at: timestampIn.optional().describe('The rules, overrides and groups of this time are used. Default now.'),
    level: z.enum(['1', '2']).default('1'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be a two-letter country code in capitals')
      .optional(),
    newCustomer: flag.optional(),
    couponUsed: flag.optional(),
    orderAmountCents: amount.optional().describe('Default 10000.'),
  }),
  statuses: [200],
  result: z.object({ winner: TriedShape.nullable(), sentence: z.string(), candidates: z.array(TriedShape) }).meta({ id: 'ResolvedRule' }),
  refusals: { 404: '`affiliateId` or `productId` was not found in this program.' },
  async handle(ctx, { actor, query }) {
    const { programId } = actor;
    const level = query.level === '2' ? 2 : 1;
    const at = query.at ?? ctx.clock.now();
    const { earner, status } = query.affiliateId ? await getEarner(ctx, programId, { id: query.affiliateId, at, level }) : defaultEarner;
    const category = query.productId ? await getCategory(ctx, programId, query.productId) : (query.category ?? null);
    const amountCents = query.orderAmountCents ?? 10_000;
    const item = { position: 0, productId: query.productId ?? null, category, name: null, quantity: 1, amountCents };
    const facts: OrderFacts = {
      ...{ at: at.toISOString(), amountCents, lines: [item], affiliate: earner, upline: null },
      ...{ coupon: query.couponUsed ? { id: '', pay: null, productIds: [] } : null, sequence: null, country: query.country ?? null },
      ...{ isNewCustomer: query.newCustomer ?? null, customer: null, capPercent: null },
    };
    const rules = allRulesAt(await loadWholeHistory(ctx, programId, new Date(facts.at)), facts.at);
    const { candidates } = chooseRule(item, earner, facts, rules, level);
    const outcomes = candidates.map((one) =>
      status === 'active' || one.outcome !== 'applied' ? one : { ...one, outcome: affiliateNotActive },
    );
    const shown = outcomes.map((one) => ({ ...one, sentence: `${describeCandidate(one)} (${stepNames[one.step]}).` }));
    const winner = shown.find(({ outcome }) => outcome === 'applied') ?? null;
    const nothing = status === 'active' ? 'No rule would pay: the commission is 0.' : `This affiliate is ${status}: no commission is paid.`;
    return { winner, sentence: winner?.sentence ?? nothing, candidates: shown };
  },
});

const affiliateNotActive = 'affiliate_not_active' as const;
const defaultEarner: Found = { earner: { id: '', groupId: null, override: null }, status: 'active' };

type Found = { earner: Earner; status: string };
type Wanted = { id: string; at: Date; level: 1 | 2 };

/** The affiliate at that time. Who is credited must be active now; an upline must have been active then. */
async function getEarner(ctx: Pick<Context, 'db'>, programId: string, { id, at, level }: Wanted): Promise<Found> {
  const present = await ctx.db
    .selectFrom('affiliates')
    .select(['id', 'status', 'groupId', 'commissionOverrideType', 'commissionOverrideRate'])
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!present) throw new NotFound('affiliateId');
  const past = await ctx.db
    .selectFrom('affiliatePastTerms')
    .select(['status', 'groupId', 'commissionOverrideType', 'commissionOverrideRate'])
    .where('programId', '=', programId)
    .where('affiliateId', '=', id)
    .where('validUntil', '>', at)
    .orderBy('validUntil')
    .orderBy('id')
    .executeTakeFirst();
  const { commissionOverrideType: type, commissionOverrideRate: rate, groupId, status } = past ?? present;
  const override: CommissionRate | null = type === 'percentage' || type === 'flat' ? { type, rate: Number(rate) } : null;
  return { earner: { id, groupId, override }, status: level === 1 ? present.status : status };
}

async function getCategory(ctx: Pick<Context, 'db'>, programId: string, productId: string): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('products')
    .select('category')
    .where('programId', '=', programId)
    .where('id', '=', productId)
    .executeTakeFirst();
  if (!row) throw new NotFound('productId');
  return row.category;
}
