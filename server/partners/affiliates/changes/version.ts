// The version of the fields of an affiliate that can be edited.
import { requireVersion, toVersion } from '../../../accounts/programs/version.ts';
import type { Tx } from '../../../context.ts';
import { type ProfileColumns, versionedProfile } from '../profile.ts';

type Editable = ProfileColumns & {
  status: string;
  groupId: string | null;
  parentAffiliateId: string | null;
  vanitySlug: string | null;
  commissionOverrideType: string | null;
  commissionOverrideRate: string | number | null;
  firstName: string;
  lastName: string;
  email: string;
};

export function versionOf(row: Editable): string {
  const { commissionOverrideRate: rate } = row;
  return toVersion([
    [row.status, row.groupId, row.parentAffiliateId, row.vanitySlug, row.commissionOverrideType, rate === null ? null : Number(rate)],
    [row.firstName, row.lastName, row.email, ...versionedProfile(row)],
  ]);
}

/** Throws Outdated if the affiliate is not at the version that was seen. */
export function requireAffiliateVersion(
  tx: Tx,
  row: Editable & { programId: string; id: string },
  seen: string | undefined,
): Promise<void> {
  const { programId, id } = row;
  return requireVersion(tx, { programId, id, version: versionOf(row), noun: 'affiliate', code: 'stale_affiliate' }, seen);
}
