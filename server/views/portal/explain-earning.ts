// One earning: what happened and happens next, and why it has this rate. Only what concerns the affiliate: rules of others,
// signals, fraud alerts and the other commissions of the order are left out.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { steps } from '../../earning/commission-rules/choose-rule.ts';
import { commissionSlot } from '../../earning/commissions/commission.ts';
import { explainLines } from '../../earning/conversions/explaining/assemble.ts';
import { readRefunds, readRuleVersions, readStoredOrder } from '../../earning/conversions/explaining/read-order.ts';
import { timelineSteps } from '../../earning/conversions/explaining/shape.ts';
import { buildTimeline } from '../../earning/conversions/explaining/timeline.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { Earning, type EarningRow, readEarnings, toEarning } from './earning-rows.ts';

const TermsShape = {
  step: z.enum([...steps, 'imported']).describe('The kind of rule; `imported` for an amount of another system.'),
  type: z.enum(['percentage', 'flat']),
  rate: z.number().nullable().describe('In percent.'),
  amountCents: centsOut.nullable().describe('For type `flat`.'),
  per: z.enum(['order', 'unit']),
};

const Why = z
  .object({
    ...TermsShape,
    baseCents: centsOut.describe('What the rate was applied to.'),
    of: z.enum(['order', 'commission']),
    limits: z.array(z.enum(['tier', 'minimum_per_order', 'maximum_per_order', 'budget', 'program_cap'])),
    outranked: z.array(z.object(TermsShape)).describe('The rates over which this one takes precedence.'),
  })
  .meta({ id: 'EarningReason' });

const Explained = Earning.extend({
  timeline: z.array(
    z.object({
      step: z.enum(timelineSteps).describe('What happened or will happen.'),
      state: z.enum(['done', 'current', 'upcoming']).describe('Whether it is done or to come.'),
      startsAt: timestampOut.nullable().describe('When the step began or will begin; null if that is not known.'),
      endsAt: timestampOut.nullable().describe('When the step ended or will end; null if that is not known.'),
      amountCents: centsOut,
    }),
  ),
  why: Why.nullable().describe('Null for adjustments and bonuses.'),
}).meta({
  id: 'PortalExplainedEarning',
  example: {
    id: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f',
    kind: 'order',
    level: 1,
    products: [{ name: 'Practice Starter Kit', quantity: 1 }],
    amountCents: 3735,
    reversedCents: 0,
    state: 'pending',
    stateAt: '2026-12-21T09:30:00.000Z',
    reason: null,
    subIds: ['newsletter'],
    earnedAt: '2026-11-21T09:30:00.000Z',
    timeline: [{ step: 'earned', state: 'done', startsAt: '2026-11-21T09:30:00.000Z', endsAt: null, amountCents: 3735 }],
    why: null,
  },
});

export const explainEarning = endpoint({
  id: 'portal.earning',
  route: 'GET /app/portal/:programId/earnings/:commissionId',
  scope: 'embed',
  affiliateStatuses: ['active', 'suspended'],
  tag: 'Portal',
  summary: 'Explain an earning',
  path: { commissionId: commissionSlot },
  statuses: [200],
  result: Explained,
  async handle(ctx, { actor, params: { commissionId } }) {
    const now = ctx.clock.now();
    const [row] = await readEarnings(ctx, actor, { now, id: commissionId, limit: 1, offset: 0 });
    if (!row) throw new NotFound();
    return { ...toEarning(row, now), timeline: await readTimeline(ctx, actor.programId, row), why: await readReason(ctx, actor, row) };
  },
});

async function readTimeline(ctx: Context, programId: string, row: EarningRow): Promise<z.input<typeof Explained>['timeline']> {
  const refunds = row.conversionId === null ? [] : await readRefunds(ctx, { programId, conversionId: row.conversionId });
  const last = refunds.filter(({ undoneAt }) => undoneAt === null).at(-1);
  const recorded = { ...row, paidCents: row.settledCents - row.inTransitCents, maturedAt: null, holds: [] };
  const reversal = { at: last?.occurredAt ?? (row.reversedCents > 0 ? row.updatedAt : null), reasons: [] };
  return buildTimeline([recorded], row.earnedAt, reversal).map(({ reasons: _, ...step }) => step);
}

type Owner = { programId: string; affiliateId: string };

async function readReason(ctx: Context, { programId, affiliateId }: Owner, row: EarningRow): Promise<z.input<typeof Why> | null> {
  if (row.kind !== 'order' || row.conversionId === null) return null;
  const order = await readStoredOrder(ctx, { programId, conversionId: row.conversionId });
  const draft = order.decision.drafts.find(
    (each) => each.affiliateId === affiliateId && each.level === row.level && each.amountCents === row.amountCents,
  );
  if (!draft) return null;
  const versions = await readRuleVersions(ctx, programId, order.decision);
  const line = explainLines(order, versions).find(({ level, position }) => level === draft.level && position === (draft.positions[0] ?? 0));
  const outranked = (line?.candidates ?? []).flatMap(({ step, outcome, terms }) => {
    if (outcome !== 'outranked' || !terms) return [];
    const { type, rate, amountCents, per } = terms;
    return [{ step, type, rate, amountCents, per }];
  });
  const { step, type, rate, formula, baseCents, limits } = draft;
  return {
    step,
    type,
    rate: type === 'percentage' ? rate : null,
    amountCents: type === 'flat' ? rate : null,
    per: formula.kind === 'flat' ? formula.per : 'order',
    baseCents,
    of: formula.kind === 'percentage' ? formula.of : 'order',
    limits: limits.map(({ by }) => by),
    outranked,
  };
}
