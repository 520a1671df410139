import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import { RuleShape, ruleSlot, toRuleShape } from './rule.ts';

export const getRule = endpoint({
  id: 'commissionRules.get',
  route: 'GET /v1/programs/:programId/commission-rules/:id',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Get a commission rule with its versions',
  path: { id: ruleSlot },
  statuses: [200],
  result: RuleShape.extend({
    versions: z.array(z.object({ version: countOut, createdAt: timestampOut, rule: z.record(z.string(), z.unknown()) })),
  }).meta({
    id: 'CommissionRuleWithVersions',
  }),
  async handle(ctx, { actor, params }) {
    const { programId } = actor;
    const row = await ctx.db
      .selectFrom('commissionRules')
      .selectAll()
      .where('programId', '=', programId)
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow();
    const versions = await ctx.db
      .selectFrom('commissionRuleVersions')
      .select(['version', 'createdAt', 'rule'])
      .where('programId', '=', programId)
      .where('ruleId', '=', row.id)
      .orderBy('version', 'desc')
      .execute();
    const shown = versions.map(({ version, createdAt, rule }) => ({
      version,
      createdAt: createdAt.toISOString(),
      rule: rule as Record<string, unknown>,
    }));
    return { ...toRuleShape(row, ctx.clock.now()), versions: shown };
  },
});
