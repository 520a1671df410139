/** What a change of a group changes elsewhere. */
export const affected = ['groups.list', 'groups.get', 'affiliateTable.list', 'affiliates.rates'] as const;
