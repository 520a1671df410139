// The affiliate's rate card: what each product earns, and the terms of the program. Rules are described by their terms: their
// names are for members.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { steps } from '../../earning/commission-rules/choose-rule.ts';
import { readRates } from '../../earning/commission-rules/rates/rates.ts';
import { TierProgress } from '../../earning/commission-rules/rates/tier-progress.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, page, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';

const Rate = z
  .object({
    step: z.enum(steps).nullable().describe('The kind of rule that applies; null if none does.'),
    type: z.enum(['percentage', 'flat']).nullable(),
    rate: z.number().nullable().describe('In percent, at the tier that the affiliate has reached.'),
    amountCents: centsOut.nullable().describe('For type `flat`.'),
    per: z.enum(['order', 'unit']).nullable(),
    exampleOrderCents: centsOut,
    exampleCents: centsOut.describe('What the affiliate earns for it.'),
    tiers: TierProgress.nullable().describe('The tiers of the rate and how far the affiliate is; null if it has none.'),
    validUntil: timestampOut.nullable().describe('When the rate ends; null if no end is set.'),
  })
  .meta({ id: 'PortalRate' });

const rateExample = {
  step: 'default' as const,
  type: 'percentage' as const,
  rate: 10,
  amountCents: null,
  per: 'order' as const,
  exampleOrderCents: 10_000,
  exampleCents: 1_000,
  tiers: null,
  validUntil: null,
};

const RateCard = z
  .object({
    currency: currencyOut,
    holdDays: countOut.describe('How long earnings are pending.'),
    minimumPayoutCents: centsOut,
    attributionDays: countOut.describe('How long after a click an order is credited.'),
    anythingElse: Rate,
    leadCents: centsOut.nullable().describe('What a lead earns; null if nothing.'),
    products: z.array(
      z.object({ productId: uuidOut, name: z.string(), priceCents: centsOut, rate: Rate.describe('What the product earns.') }),
    ),
    total: countOut.describe('How many products the affiliate may promote.'),
    limit: countOut,
    offset: countOut,
  })
  .meta({
    id: 'PortalRateCard',
    example: {
      currency: 'USD',
      holdDays: 30,
      minimumPayoutCents: 5000,
      attributionDays: 30,
      anythingElse: rateExample,
      leadCents: null,
      products: [],
      total: 0,
      limit: 50,
      offset: 0,
    },
  });

export const getRateCard = endpoint({
  id: 'portal.rates',
  route: 'GET /app/portal/:programId/rates',
  scope: 'embed',
  affiliateStatuses: ['active', 'suspended'],
  tag: 'Portal',
  summary: "Get the affiliate's rate card",
  query: z.object(page),
  statuses: [200],
  result: RateCard,
  async handle(ctx, { actor, query: { limit, offset } }) {
    const { programId, currency, affiliateId } = actor;
    const rates = await readRates(ctx, { programId, currency, id: affiliateId }, { limit, offset }, { countsTiers: true });
    const { anythingElse, lead, products, total } = rates;
    const leadCents = lead?.amountCents ?? null;
    return {
      ...(await readTerms(ctx, actor)),
      currency,
      anythingElse: toRateNow(anythingElse),
      leadCents,
      products: products.map((product) => ({ ...product, rate: toRateNow(product.rate) })),
      total,
      limit,
      offset,
    };
  },
});

type RuleRate = Awaited<ReturnType<typeof readRates>>['anythingElse'];

/** The rate at the tier that was reached. */
function toRateNow({ tiers, ...rate }: RuleRate): z.input<typeof Rate> {
  const current = tiers?.current;
  return {
    ...rate,
    rate: rate.type === 'percentage' ? (current?.rate ?? rate.rate) : rate.rate,
    amountCents: rate.type === 'flat' ? (current?.amountCents ?? rate.amountCents) : rate.amountCents,
    tiers: tiers?.progress ?? null,
  };
}

type Terms = { holdDays: number; minimumPayoutCents: number; attributionDays: number };

async function readTerms(
  { db }: Pick<Context, 'db'>,
  { programId, affiliateId }: { programId: string; affiliateId: string },
): Promise<Terms> {
  const { rows } = await sql<Terms>`
    select coalesce(tier.hold_days, program.hold_days) as hold_days, program.attribution_window_days as attribution_days,
      coalesce(tier.minimum_payout_cents, program.minimum_payout_cents) as minimum_payout_cents
    from affiliates as affiliate join programs as program on program.id = affiliate.program_id
    left join groups as tier on tier.program_id = ${programId} and tier.id = affiliate.group_id
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(db);
  const [terms] = rows;
  if (!terms) throw new Error('The affiliate is missing.');
  return terms;
}
