// What an affiliate earns for a lead: the flat amount of the rule for leads that applies.
import { z } from 'zod';
import { centsOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { formatCents } from '../../../platform/lib/currency.ts';
import { chooseRule, type RuleHistory, rulesAt, steps } from '../choose-rule.ts';
import { stepNames } from '../explain.ts';
import { type Earner, toLeadFacts } from '../order-facts.ts';

export const LeadRate = z
  .object({
    step: z.enum(steps).describe('The kind of rule that applies.'),
    ruleId: uuidOut,
    ruleName: z.string(),
    amountCents: centsOut,
    sentence: z.string(),
  })
  .meta({
    id: 'AffiliateLeadRate',
    example: {
      step: 'default',
      ruleId: '01980a52-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
      ruleName: 'Sign-ups',
      amountCents: 500,
      sentence: '$5.00 per lead by “Sign-ups” (default rule).',
    },
  });

type Subject = { earner: Earner; history: RuleHistory; at: string; currency: string };

/** The rate of a lead; null if no rule pays for leads. Conditions on the lead and budgets are not considered. */
export function findLeadRate({ earner, history, at, currency }: Subject): z.input<typeof LeadRate> | null {
  const facts = toLeadFacts(earner, at);
  const [line] = facts.lines;
  if (!line) throw new Error('A lead has no line.');
  const { source } = chooseRule(line, earner, facts, rulesAt(history, at), 1);
  if (!source?.rule) return null;
  const { step, rule, terms } = source;
  const amountCents = terms.amountCents ?? 0;
  const sentence = `${formatCents(amountCents, currency)} per lead by “${rule.name}” (${stepNames[step]}).`;
  return { step, ruleId: rule.id, ruleName: rule.name, amountCents, sentence };
}
