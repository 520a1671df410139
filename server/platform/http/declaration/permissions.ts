/** What a role of a member can permit. `accounts/identity/roles.ts` lists the permissions of each role. */
export const permissions = [
  'read',
  'affiliates.write',
  'pages.review',
  'claims.decide',
  'fraud.decide',
  'terms.write',
  'commissions.write',
  'conversions.write',
  'payouts.prepare',
  'payouts.approve',
  'payouts.reconcile',
  'tax.read',
  'payout_providers.write',
  'stores.write',
  'webhooks.write',
  'keys.write',
  'settings.write',
  'members.write',
  'pii.export',
  'program.delete',
  'owners.write',
] as const;

export type Permission = (typeof permissions)[number];
