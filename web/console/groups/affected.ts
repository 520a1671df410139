/** The reads that a change of a group affects. */
export const affected = ['groups.list', 'groups.get', 'affiliateTable.list', 'affiliates.rates'] as const;
