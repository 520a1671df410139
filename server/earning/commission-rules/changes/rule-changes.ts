// Changes of rules that are not saved: in a simulation they apply to the whole period, in a preview from now on, as when
// they are saved.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { uuid } from '../../../platform/http/declaration/fields.ts';
import { Invalid, NotFound } from '../../../platform/lib/errors.ts';
import { type RuleHistory, type RuleVersion, unchangedRules } from '../choose-rule.ts';
import { Rule, Terms } from '../terms.ts';
import { decideValidFrom, findRuleFaults, ruleFields } from '../write-rule.ts';

/** The fields of a request that name changes. */
export const ruleChangeFields = {
  add: z.array(z.object(ruleFields)).max(50).default([]).describe('Rules to add.'),
  replace: z
    .array(z.object({ ruleId: uuid, ...ruleFields }))
    .max(50)
    .default([])
    .describe('Rules to replace, by `ruleId`.'),
  archiveRuleIds: z.array(uuid).max(200).default([]).describe('Rules to archive.'),
};

const RuleChanges = z.object(ruleChangeFields);
export type RuleChanges = z.output<typeof RuleChanges>;

type Replaced = RuleChanges['replace'][number];

/** Changes whose rules have ids, so that a calculation in several steps keeps them. */
export const PlannedChanges = z.object({ rules: z.array(Rule), removedIds: z.array(z.string()) });
export type PlannedChanges = z.infer<typeof PlannedChanges>;

/** Checks the fields of the changes, and gives ids to the rules that are added. */
export function planChanges(ctx: Pick<Context, 'ids'>, changes: RuleChanges): PlannedChanges {
  checkFields(changes);
  const rules = [...withIds(ctx, changes.add), ...changes.replace].map((rule) => toRule(rule, 0));
  return { rules, removedIds: [...changes.archiveRuleIds, ...changes.replace.map(({ ruleId }) => ruleId)] };
}

/** The history if the changed rules had always been as they are now: what a simulation compares with. */
export function rewriteHistory({ versions, beginning }: RuleHistory, { rules, removedIds }: PlannedChanges): RuleHistory {
  const removed = new Set(removedIds);
  const replaced = new Set(rules.map(({ id }) => id));
  if (removedIds.some((id) => !versions.has(id)))
    throw new NotFound(removedIds.some((id) => !versions.has(id) && !replaced.has(id)) ? 'archiveRuleIds' : 'ruleId');
  const unchanged = [...versions].filter(([id]) => !removed.has(id));
  return { versions: new Map([...unchanged, ...unchangedRules(rules).versions]), beginning };
}

/** The history if the changes were saved now, by the rule of `decideValidFrom`; and the new versions by rule. */
export function extendHistory(
  ctx: Pick<Context, 'ids' | 'clock'>,
  { versions, beginning }: RuleHistory,
  changes: RuleChanges,
): { history: RuleHistory; changed: ReadonlyMap<string, RuleVersion> } {
  checkFields(changes);
  if (changes.archiveRuleIds.some((id) => !versions.has(id))) throw new NotFound('archiveRuleIds');
  if (changes.replace.some(({ ruleId }) => !versions.has(ruleId))) throw new NotFound('ruleId');
  const now = ctx.clock.now();
  const changed = new Map<string, RuleVersion>();
  for (const rule of [...withIds(ctx, changes.add), ...changes.replace]) {
    const latest = versions.get(rule.ruleId)?.[0];
    const before = latest ? { effectiveFrom: latest.effectiveFrom === null ? null : new Date(latest.effectiveFrom) } : null;
    const validFrom = decideValidFrom({ effectiveFrom: rule.effectiveFrom }, before, now).toISOString();
    // An update does not make an archived rule active again.
    const isArchived = latest?.isArchived ?? false;
    changed.set(rule.ruleId, { ...toRule(rule, (latest?.version ?? 0) + 1), isArchived, validFrom });
  }
  for (const id of changes.archiveRuleIds) {
    const latest = changed.get(id) ?? versions.get(id)?.[0];
    if (latest) changed.set(id, { ...latest, version: latest.version + 1, isArchived: true, validFrom: now.toISOString() });
  }
  const extended = [...changed].map(([id, version]): [string, readonly RuleVersion[]] => [id, [version, ...(versions.get(id) ?? [])]]);
  // The first rule of a program also applies to orders from before it was created (`loadHistory`).
  const isFirst = versions.size === 0 && changed.size > 0;
  const start = { firstRuleAt: now.toISOString(), from: now.toISOString() };
  return {
    history: { versions: new Map([...versions, ...extended]), beginning: isFirst ? start : beginning },
    changed,
  };
}

function withIds({ ids }: Pick<Context, 'ids'>, add: RuleChanges['add']): Replaced[] {
  return add.map((rule) => ({ ...rule, ruleId: ids.uuid() }));
}

function checkFields({ add, replace }: RuleChanges): void {
  const faults = [...add.entries(), ...replace.entries()].flatMap(([index, rule]) =>
    findRuleFaults(rule).map(({ path, message }) => ({ path: ['ruleId' in rule ? 'replace' : 'add', String(index), ...path], message })),
  );
  if (faults.length > 0) throw new Invalid(faults);
}

function toRule(rule: Replaced, version: number): Rule {
  const { name, level, productId, category, groupId, affiliateId } = rule;
  return {
    id: rule.ruleId,
    version,
    isArchived: false,
    name,
    level,
    productId,
    category,
    groupId,
    affiliateId,
    effectiveFrom: rule.effectiveFrom?.toISOString() ?? null,
    effectiveTo: rule.effectiveTo?.toISOString() ?? null,
    terms: Terms.parse(rule),
  };
}
