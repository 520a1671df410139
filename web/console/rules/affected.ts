/** The reads that change with a rule. */
export const affected = ['commissionRules.list', 'commissionRules.get', 'commissionRules.preview', 'affiliates.rates'] as const;
