// Which rule applies to an affiliate and an item at a time, and why every other candidate doesn't.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cents, countOut, countryIn, line, timestampIn, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { allRulesAt, chooseRule, outcomes, steps } from './choose-rule.ts';
import { findAffiliateAt, findAffiliates } from './earners/affiliate-at-order.ts';
import { describeCandidate, stepNames } from './explain.ts';
import { loadWholeHistory } from './load.ts';
import { type Earner, type OrderFacts, toItemFacts } from './order-facts.ts';
import { RuleEvent } from './terms.ts';

const CandidateShape = z
  .object({
    step: z.enum(steps),
    ruleId: uuidOut.nullable().describe('Null for a coupon or an override.'),
    version: countOut.nullable(),
    name: z.string(),
    outcome: z.enum(outcomes).describe('`applied`, or the reason why the rule does not apply.'),
    sentence: z.string(),
  })
  .meta({ id: 'CandidateRule' });

const candidateExample = {
  step: 'category',
  ruleId: '01980a52-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  version: 1,
  name: 'Teas',
  outcome: 'applied',
  sentence: '“Teas” applies (category rule).',
};

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const amount = z
  .string()
  .regex(/^\d{1,11}$/, 'must be an integer amount in cents')
  .transform(Number)
  .pipe(cents);

const Query = z.object({
  affiliateId: uuid.optional().describe('Default: an active affiliate without a group or an override.'),
  productId: uuid.optional(),
  category: line(100).optional().describe('The category of an item that is not in the catalogue.'),
  at: timestampIn.optional().describe('Rules, overrides and groups apply as they were at this time. Default: now.'),
  level: z.enum(['1', '2']).default('1'),
  event: RuleEvent.default('sale').describe('Whether rules for orders or rules for leads are considered.'),
  country: countryIn.optional(),
  newCustomer: flag.optional(),
  couponUsed: flag.optional(),
  orderAmountCents: amount.optional().describe('The amount of the order in cents. Default: 10000.'),
});

export const resolveRule = endpoint({
  id: 'commissionRules.resolve',
  route: 'GET /v1/programs/:programId/commission-rules/resolve',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Find the rule that applies',
  description:
    'Returns the rule that applies to an affiliate, an item and a time (`winner`), and all candidate rules, with the reason why ' +
    'a rule does not apply. `winner` is null if no rule applies, if the affiliate is not active, or if an upline was not active ' +
    'at that time.',
  query: Query,
  statuses: [200],
  result: z.object({ winner: CandidateShape.nullable(), sentence: z.string(), candidates: z.array(CandidateShape) }).meta({
    id: 'ResolvedRule',
    example: { winner: candidateExample, sentence: candidateExample.sentence, candidates: [candidateExample] },
  }),
  errors: [{ status: 404, code: 'not_found', when: '`affiliateId` or `productId` was not found in this program.' }],
  async handle(ctx, { actor: { programId }, query }) {
    const level = query.level === '2' ? 2 : 1;
    const at = query.at ?? ctx.clock.now();
    const { earner, status } = query.affiliateId ? await getEarner(ctx, programId, { id: query.affiliateId, at, level }) : defaultEarner;
    const category = query.productId ? await getCategory(ctx, programId, query.productId) : (query.category ?? null);
    const facts = toFacts(query, { at, category, earner });
    const rules = allRulesAt(await loadWholeHistory(ctx, programId, at), facts.at);
    const considered = facts.lines.flatMap((item) => chooseRule(item, earner, facts, rules, level).candidates);
    const candidates = considered
      .map((candidate) =>
        status === 'active' || candidate.outcome !== 'applied' ? candidate : { ...candidate, outcome: 'affiliate_not_active' as const },
      )
      .map((candidate) => ({ ...candidate, sentence: `${describeCandidate(candidate)} (${stepNames[candidate.step]}).` }));
    const winner = candidates.find(({ outcome }) => outcome === 'applied') ?? null;
    const none = status === 'active' ? 'No rule applies: the commission is 0.' : `This affiliate is ${status}: no commission is earned.`;
    return { winner, sentence: winner?.sentence ?? none, candidates };
  },
});

const defaultEarner: Found = { earner: { id: '', groupId: null, override: null }, status: 'active' };

type Subject = { at: Date; category: string | null; earner: Earner };

/** The facts of an order with this one item. */
function toFacts(query: z.output<typeof Query>, { at, category, earner }: Subject): OrderFacts {
  const isLead = query.event === 'lead';
  const amountCents = isLead ? 0 : (query.orderAmountCents ?? 10_000);
  return {
    ...toItemFacts({ productId: query.productId ?? null, category, amountCents }, earner, at.toISOString()),
    event: isLead ? 'lead' : undefined,
    coupon: query.couponUsed ? { id: '', pay: null, productIds: [] } : null,
    country: query.country ?? null,
    isNewCustomer: query.newCustomer ?? null,
  };
}

type Found = { earner: Earner; status: string };
type Wanted = { id: string; at: Date; level: 1 | 2 };

/** The affiliate at that time. The credited affiliate must be active now; an upline must have been active then. */
export async function getEarner(ctx: Pick<Context, 'db'>, programId: string, { id, at, level }: Wanted): Promise<Found> {
  const affiliates = await findAffiliates(ctx, programId, [id], at);
  const [present, then] = [affiliates.get(id), findAffiliateAt(affiliates, id, at)];
  if (!present || !then) throw new NotFound('affiliateId');
  const { groupId, override } = then;
  return { earner: { id, groupId, override }, status: level === 1 ? present.status : then.status };
}

async function getCategory(ctx: Pick<Context, 'db'>, programId: string, productId: string): Promise<string | null> {
  const products = ctx.db.selectFrom('products').select('category').where('programId', '=', programId);
  const row = await products.where('id', '=', productId).executeTakeFirst();
  if (!row) throw new NotFound('productId');
  return row.category;
}
