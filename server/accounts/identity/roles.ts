// What each role permits. `test/roles.txt` shows the consequences for every endpoint.
import type { Permission } from '../../platform/http/declaration/permissions.ts';
import { type Role, roles } from '../../platform/http/declaration/principal.ts';

export { type Role, roles };

const decisions = ['affiliates.write', 'pages.review', 'claims.decide', 'fraud.decide'] as const;
const money = [
  'commissions.write',
  'conversions.write',
  'payouts.prepare',
  'payouts.approve',
  'payouts.reconcile',
  'tax.read',
  'payout_providers.write',
] as const;
const development = ['stores.write', 'webhooks.write', 'keys.write'] as const;
const administration = ['terms.write', 'settings.write', 'members.write', 'pii.export'] as const;

const granted: Record<Role, readonly Permission[]> = {
  viewer: ['read'],
  developer: ['read', ...development],
  reviewer: ['read', ...decisions],
  finance: ['read', ...money],
  admin: ['read', ...decisions, ...money, ...development, ...administration],
  owner: ['read', ...decisions, ...money, ...development, ...administration, 'program.delete', 'owners.write'],
};

/** What these roles of one user permit together: a role in the organization and one in the program add up. */
export function permissionsOf(given: readonly Role[]): ReadonlySet<Permission> {
  return new Set(given.flatMap((role) => granted[role]));
}

/** The roles that include one of these permissions, the strongest first. */
export function rolesWith(permissions: readonly Permission[]): Role[] {
  return roles.filter((role) => permissions.some((permission) => granted[role].includes(permission)));
}

/** The strongest of these roles, by which a member is described; null if there are none. */
export function strongestOf(given: readonly Role[]): Role | null {
  return roles.find((role) => given.includes(role)) ?? null;
}

/** Whether a text is the name of a role. */
export function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
}
