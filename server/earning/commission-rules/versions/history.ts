// The rules as they were when an order happened. An order that is reported late, in a batch or through a
// claim is paid by the rule versions that were valid at its time, also when they were archived since.
// Pure; `load.ts` reads the versions.
import type { Rule } from '../rule.ts';

/** `validFrom` is ISO 8601; null when the version is valid for every order that the history was loaded for. */
export type RuleVersion = Rule & { validFrom: string | null };

export type RuleHistory = {
  /** By rule id, the highest version first. */
  versions: ReadonlyMap<string, readonly RuleVersion[]>;
  /**
   * Orders from before `firstRuleAt` are calculated as of `from`: the program was still being set up, and
   * history that is imported should not depend on the second in which each rule was created.
   */
  beginning: { firstRuleAt: string; from: string } | null;
};

/** The rules that could pay for an order at that time (ISO 8601). */
export function rulesAt(history: RuleHistory, at: string): Rule[] {
  const moment = momentOf(history, at);
  return [...history.versions.values()].flatMap((versions) => {
    const valid = validVersion(versions, moment);
    return valid && !valid.isArchived ? [valid] : [];
  });
}

/** The same with archived rules, and with later ones as not yet effective: to explain why they don't pay. */
export function allRulesAt(history: RuleHistory, at: string): Rule[] {
  const moment = momentOf(history, at);
  return [...history.versions.values()].flatMap((versions) => {
    const first = versions.at(-1);
    return validVersion(versions, moment) ?? (first ? [{ ...first, effectiveFrom: first.validFrom }] : []);
  });
}

/** Every version, for loading what their tiers and budgets have counted. */
export function allVersions({ versions }: RuleHistory): RuleVersion[] {
  return [...versions.values()].flat();
}

/** A history in which the rules never changed. */
export function unchangedRules(rules: readonly Rule[]): RuleHistory {
  return { versions: new Map(rules.map((rule) => [rule.id, [{ ...rule, validFrom: null }]])), beginning: null };
}

function momentOf({ beginning }: RuleHistory, at: string): string {
  return beginning && at < beginning.firstRuleAt ? beginning.from : at;
}

function validVersion(versions: readonly RuleVersion[], moment: string): RuleVersion | null {
  return versions.find(({ validFrom }) => validFrom === null || validFrom <= moment) ?? null;
}
