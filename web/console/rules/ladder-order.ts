// Rules by step of precedence, as `chooseRule` of the server considers them. Pure.
import { type Step, steps } from './steps.gen.ts';

export type Section = 'direct' | 'upline' | 'lead';

type Rule = {
  id: string;
  step: Step;
  event: 'sale' | 'lead';
  level: number;
  conditions: readonly unknown[];
  effectiveFrom: string | null;
};

type LadderSection<R> = { section: Section; steps: { step: Step; rules: R[] }[] };

/** The sections that have rules, each with its steps; empty steps are left out. */
export function toLadder<R extends Rule>(rules: readonly R[]): LadderSection<R>[] {
  const sections: [Section, (rule: R) => boolean][] = [
    ['direct', ({ event, level }) => event === 'sale' && level !== 2],
    ['upline', ({ event, level }) => event === 'sale' && level === 2],
    ['lead', ({ event }) => event === 'lead'],
  ];
  return sections.flatMap(([section, isIn]) => {
    const own = rules.filter(isIn);
    if (own.length === 0) return [];
    const all = steps.map((step) => ({ step, rules: own.filter((rule) => rule.step === step).sort(compare) }));
    const hasOwnRates = section === 'direct';
    return [{ section, steps: all.filter(({ step, rules: ofStep }) => ofStep.length > 0 || (hasOwnRates && isOwnRate(step))) }];
  });
}

function isOwnRate(step: Step): boolean {
  return step === 'coupon' || step === 'override';
}

/** Within a step the rule with more conditions, then the later one comes first. */
function compare(a: Rule, b: Rule): number {
  const byTime = (b.effectiveFrom ?? '').localeCompare(a.effectiveFrom ?? '');
  return b.conditions.length - a.conditions.length || byTime || b.id.localeCompare(a.id);
}
