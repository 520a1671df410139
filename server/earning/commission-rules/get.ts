import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { RuleShape, RuleVersionShape, ruleExample, ruleSlot, toRuleShape } from './rule.ts';
import { Rule } from './terms.ts';

const { id: _, updatedAt: __, effectiveStatus: ___, ...firstVersion } = ruleExample;

export const getRule = endpoint({
  id: 'commissionRules.get',
  route: 'GET /v1/programs/:programId/commission-rules/:id',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Get a commission rule with its versions',
  path: { id: ruleSlot },
  statuses: [200],
  result: RuleShape.extend({ versions: z.array(RuleVersionShape).describe('Newest first.') }).meta({
    id: 'CommissionRuleWithVersions',
    example: { ...ruleExample, versions: [{ ...firstVersion, validFrom: ruleExample.createdAt }] },
  }),
  async handle(ctx, { actor: { programId, currency }, params }) {
    const rules = ctx.db.selectFrom('commissionRules').selectAll().where('programId', '=', programId);
    const row = await rules.where('id', '=', params.id).executeTakeFirstOrThrow();
    const versions = await ctx.db
      .selectFrom('commissionRuleVersions')
      .select(['rule', 'validFrom', 'createdAt'])
      .where('programId', '=', programId)
      .where('ruleId', '=', row.id)
      .orderBy('version', 'desc')
      .execute();
    const toVersion = ({ rule, validFrom, createdAt }: (typeof versions)[number]): z.input<typeof RuleVersionShape> => {
      const { id: _id, isArchived, terms, ...fields } = Rule.parse(rule);
      const status = isArchived ? 'archived' : 'active';
      return { ...fields, ...terms, status, currency, validFrom: validFrom.toISOString(), createdAt: createdAt.toISOString() };
    };
    return { ...toRuleShape(row, { currency, at: ctx.clock.now() }), versions: versions.map(toVersion) };
  },
});
