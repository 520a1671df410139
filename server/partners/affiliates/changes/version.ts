// The version of what can be edited of an affiliate. An edit that names the version it was based on (`If-Match`) does not
// overwrite a change that was made in the meantime.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { findActorNames } from '../../../accounts/programs/actor-names.ts';
import type { Tx } from '../../../context.ts';
import { Outdated } from '../../../platform/lib/errors.ts';
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

/** The same for the same contents, so that a change that was taken back is no conflict. */
export function versionOf(row: Editable): string {
  const { commissionOverrideRate: rate } = row;
  const contents = [
    [row.status, row.groupId, row.parentAffiliateId, row.vanitySlug, row.commissionOverrideType, rate === null ? null : Number(rate)],
    [row.firstName, row.lastName, row.email, ...versionedProfile(row)],
  ];
  return createHash('sha256').update(JSON.stringify(contents)).digest('base64url').slice(0, 16);
}

/** Throws Outdated, with the time and actor of the last change, if the affiliate is not at the version that was seen. */
export async function requireVersion(tx: Tx, row: Editable & { programId: string; id: string }, seen: string | undefined): Promise<void> {
  const version = versionOf(row);
  if (seen === undefined || seen === version) return;
  const { rows } = await sql<{ kind: string; id: string; createdAt: Date }>`
    select actor_kind as kind, actor_id as id, created_at from audit_log
    where program_id = ${row.programId} and subject_id = ${row.id} and action like 'affiliate.%'
    order by created_at desc, id desc limit 1`.execute(tx.db);
  const [last] = rows;
  const changedBy = last ? (await findActorNames(tx, row.programId, [last]))(last) : null;
  const facts = { version, changedAt: last?.createdAt.toISOString() ?? null, changedBy };
  throw new Outdated('stale_affiliate', 'This affiliate was changed in the meantime.', facts);
}

/** The version in an `If-Match` header; quotes are optional. */
export function readVersion(header: string | undefined): string | undefined {
  const version = header?.trim().replace(/^(W\/)?"(.*)"$/, '$2');
  return version === '*' || version === '' ? undefined : version;
}
