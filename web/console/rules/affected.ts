/** The reads that change with a rule. */
export const affected = [
  'commissionRules.list',
  'commissionRules.get',
  'commissionRules.preview',
  'commissionRules.simulate',
  'affiliates.rates',
] as const;
