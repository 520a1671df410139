import { z } from 'zod';
import { findActorNames } from '../../accounts/programs/actor-names.ts';
import { NamedActor } from '../../platform/http/declaration/actor-shape.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import { expand, findReferences } from './references.ts';
import { RuleShape, RuleVersionShape, ruleExample, ruleSlot, toRuleShape } from './rule.ts';
import { Rule } from './terms.ts';

const { id: _, updatedAt: __, effectiveStatus: ___, step: ____, ...firstVersion } = ruleExample;

export const getRule = endpoint({
  id: 'commissionRules.get',
  route: 'GET /v1/programs/:programId/commission-rules/:id',
  scope: 'read',
  tag: 'Commission rules',
  summary: 'Get a commission rule with its versions',
  path: { id: ruleSlot },
  query: z.object({ expand }),
  statuses: [200],
  result: RuleShape.extend({ versions: z.array(RuleVersionShape).describe('Newest first.') }).meta({
    id: 'CommissionRuleWithVersions',
    example: { ...ruleExample, versions: [{ ...firstVersion, validFrom: ruleExample.createdAt, actor: exampleOf(NamedActor) }] },
  }),
  async handle(ctx, { actor: { programId, currency }, params, query }) {
    const rules = ctx.db.selectFrom('commissionRules').selectAll().where('programId', '=', programId);
    const row = await rules.where('id', '=', params.id).executeTakeFirstOrThrow();
    const versions = await ctx.db
      .selectFrom('commissionRuleVersions')
      .select(['rule', 'validFrom', 'createdAt', 'actorKind', 'actorId'])
      .where('programId', '=', programId)
      .where('ruleId', '=', row.id)
      .orderBy('version', 'desc')
      .execute();
    const actorOf = ({ actorKind: kind, actorId }: (typeof versions)[number]) => (kind && actorId ? { kind, id: actorId } : null);
    const nameOf = await findActorNames(
      ctx,
      programId,
      versions.flatMap((version) => actorOf(version) ?? []),
    );
    const rulesThen = versions.map(({ rule }) => Rule.parse(rule));
    const referencesOf = await findReferences(ctx, programId, [row, ...rulesThen], query.expand);
    const toVersion = (stored: (typeof versions)[number]): z.input<typeof RuleVersionShape> => {
      const { rule, validFrom, createdAt } = stored;
      const then = Rule.parse(rule);
      const { id: _id, isArchived, terms, ...fields } = then;
      const by = actorOf(stored);
      const status = isArchived ? 'archived' : 'active';
      const times = { validFrom: validFrom.toISOString(), createdAt: createdAt.toISOString() };
      return { ...fields, ...terms, ...referencesOf(then), status, currency, ...times, actor: by && nameOf(by) };
    };
    return { ...toRuleShape(row, { currency, at: ctx.clock.now() }), ...referencesOf(row), versions: versions.map(toVersion) };
  },
});
