// The fields of a rule that a caller can set, how they are checked and stored, and the event of a new version.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { defineEvent } from '../../messaging/events/define.ts';
import { type EventOrigin, recordEvent } from '../../messaging/events/record.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import { line, logged, timestampIn, uuid } from '../../platform/http/declaration/fields.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { type Detail, Invalid } from '../../platform/lib/errors.ts';
import { foldAccents } from '../../platform/lib/text.ts';
import { RuleShape, toRuleShape } from './rule.ts';
import { findTermFaults } from './term-faults.ts';
import { type RuleRow, Terms, termFields, toRule } from './terms.ts';

export const ruleFields = {
  name: logged(line(200)),
  level: z
    .union([z.literal(1), z.literal(2)], 'must be 1 or 2')
    .default(1)
    .describe('1: the credited affiliate. 2: their upline.'),
  productId: uuid.nullable().default(null).describe('Only items with this product.'),
  category: logged(line(100)).nullable().default(null).describe('Only items in this category, ignoring case.'),
  groupId: uuid.nullable().default(null).describe('Only affiliates in this group.'),
  affiliateId: uuid.nullable().default(null).describe('Only this affiliate.'),
  effectiveFrom: timestampIn.nullable().default(null).describe('Only orders that occur at or after this time.'),
  effectiveTo: timestampIn.nullable().default(null).describe('Only orders that occur before this time.'),
  ...termFields,
};

const Fields = z.object(ruleFields);
export type RuleInput = z.output<typeof Fields>;

/** Contradictions between fields that are each valid. */
export function findRuleFaults(rule: RuleInput): Detail[] {
  // A term that is invalid independently of others is reported by its own field.
  const terms = Terms.safeParse(rule);
  const faults = terms.success ? findTermFaults(terms.data, rule.level) : [];
  if (rule.productId && rule.category) faults.push(['category', 'must not be sent together with productId']);
  if (rule.event === 'lead' && (rule.productId ?? rule.category) !== null)
    faults.push([rule.productId ? 'productId' : 'category', 'is not allowed when `event` is `lead`']);
  if (rule.groupId && rule.affiliateId) faults.push(['groupId', 'must not be sent together with affiliateId']);
  if (rule.effectiveFrom && rule.effectiveTo && rule.effectiveFrom >= rule.effectiveTo)
    faults.push(['effectiveTo', 'must be later than effectiveFrom']);
  return faults.map(([field, message]) => ({ path: [field], message }));
}

/** A new rule. Contradictions are reported together with fields that are invalid on their own. */
export const NewRule = Fields.superRefine((rule, check) => {
  for (const { path, message } of findRuleFaults(rule)) check.addIssue({ code: 'custom', path, message });
});

/** Rejects contradictory fields (400) and ids that are not in the program (404 naming the field). */
export async function checkRule(tx: Tx, programId: string, rule: RuleInput): Promise<void> {
  const faults = findRuleFaults(rule);
  if (faults.length > 0) throw new Invalid(faults);
  if (rule.productId) await requireRow(tx, { table: 'products', programId, id: rule.productId, field: 'productId' });
  if (rule.groupId) await requireRow(tx, { table: 'groups', programId, id: rule.groupId, field: 'groupId' });
  if (rule.affiliateId) await requireRow(tx, { table: 'affiliates', programId, id: rule.affiliateId, field: 'affiliateId' });
}

export const notifyField = z
  .boolean()
  .default(false)
  .describe(
    'Emails the active affiliates whose commission changes, with the old and the new one and from when it applies. Not for rules for ' +
      'uplines and leads.',
  );

/** The columns that store a caller's fields. */
export function toColumns(rule: RuleInput) {
  const { name, level, productId, category, groupId, affiliateId, effectiveFrom, effectiveTo } = rule;
  const terms = JSON.stringify(Terms.parse(rule));
  return { name, level, productId, category, groupId, affiliateId, effectiveFrom, effectiveTo, terms, search: foldAccents(name) };
}

/** The reverse of `toColumns`: the fields of a stored rule, to apply a change to. */
export function toRuleInput(row: RuleRow): RuleInput {
  const { name, level, productId, category, groupId, affiliateId, terms } = toRule(row);
  const { effectiveFrom, effectiveTo } = row;
  return { name, level, productId, category, groupId, affiliateId, effectiveFrom, effectiveTo, ...terms };
}

type VersionOrigin = { before: RuleRow | null; actor: Actor };

/** Stores the current state of the rule as a version. `before` is its state before the change; null for a new rule. */
export async function storeVersion(tx: Tx, row: RuleRow, { before, actor }: VersionOrigin): Promise<void> {
  const { programId, id: ruleId, version } = row;
  const createdAt = tx.clock.now();
  const validFrom = decideValidFrom(row, before, createdAt);
  await insertRows(tx, 'commissionRuleVersions', [
    { programId, ruleId, version, rule: toRule(row), validFrom, createdAt, actorKind: actor.kind, actorId: actor.id },
  ]);
}

type Effective = Pick<RuleRow, 'effectiveFrom'>;

/**
 * A version is valid from the time of the change. An `effectiveFrom` in the past that is set by the same change makes
 * it valid from that time, so that it applies to orders that are reported late.
 */
export function decideValidFrom({ effectiveFrom }: Effective, before: Effective | null, now: Date): Date {
  if (!effectiveFrom || effectiveFrom >= now) return now;
  const isUnchanged = before?.effectiveFrom?.getTime() === effectiveFrom.getTime();
  return isUnchanged ? now : effectiveFrom;
}

export const rulePublished = defineEvent({
  type: 'rule.published',
  object: 'rule',
  data: RuleShape,
  summary: 'A version of a commission rule applies from now on, or from its `effectiveFrom`: the rule is new, changed or archived.',
  previous: { rate: 10 },
});

/** Records that a version of a rule applies. */
export async function announceRule(
  tx: Tx,
  origin: EventOrigin,
  { rule, previous }: { rule: RuleRow; previous: Record<string, unknown> | null },
): Promise<void> {
  const programs = tx.db.selectFrom('programs').select('currency').where('id', '=', origin.programId);
  const { currency } = await programs.executeTakeFirstOrThrow();
  const shown = toRuleShape(rule, { currency, at: tx.clock.now() });
  await recordEvent(tx, origin, rulePublished.of({ objectId: rule.id, affiliateId: rule.affiliateId, data: shown, previous }));
}
