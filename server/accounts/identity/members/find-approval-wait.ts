import { findWait, roleWaitHours } from '../../programs/second-person/waiting.ts';
import { isRole, permissionsOf } from '../roles.ts';

type Membership = {
  programRole: string | null;
  programSince: Date | null;
  organizationRole: string | null;
  organizationSince: Date | null;
  confirmedAt: Date | null;
};

/** From when a member counts as the second person of an approval; null if they do, by one of their roles that can approve. */
export function findApprovalWait(membership: Membership, now: Date): Date | null {
  const { programRole, programSince, organizationRole, organizationSince, confirmedAt } = membership;
  const held = [
    { role: programRole, since: programSince },
    { role: organizationRole, since: organizationSince },
  ];
  const waits = held
    .filter(({ role }) => role !== null && isRole(role) && canApprove(permissionsOf([role])))
    .map(({ since }) => findWait({ changedAt: since, confirmedAt, waitHours: roleWaitHours }, now));
  if (waits.length === 0 || waits.includes(null)) return null;
  return waits.reduce((first, wait) => (first === null || (wait !== null && wait < first) ? wait : first), null);
}

function canApprove(permissions: ReadonlySet<string>): boolean {
  return permissions.has('payouts.approve') || permissions.has('settings.write');
}
