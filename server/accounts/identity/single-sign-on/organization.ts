// The organization whose single sign-on a member manages. It decides how people sign in to each program of the organization,
// so only those who own all of them may change it.
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import type { DeclaredError, Principal } from '../../../platform/http/declaration/endpoint.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { listMemberships } from '../members/list-programs.ts';

export const organizationOwnerRequired: DeclaredError = {
  status: 400,
  code: 'organization_owner_required',
  when: 'The caller does not own every program of the organization.',
};

export type ManagedOrganization = { id: string; name: string; programIds: string[]; canChange: boolean };

/** The organization of the caller's program, and whether the caller owns all of its programs. */
export async function findManagedOrganization(
  { db }: Pick<Context, 'db'>,
  { id: userId, programId }: Principal,
): Promise<ManagedOrganization> {
  const { id, name } = await db
    .selectFrom('programs')
    .innerJoin('organizations', 'organizations.id', 'programs.organizationId')
    .select(['organizations.id', 'organizations.name'])
    .where('programs.id', '=', programId)
    .executeTakeFirstOrThrow();
  const programs = await db.selectFrom('programs').select('id').where('organizationId', '=', id).where('deleteAfter', 'is', null).execute();
  const owned = new Set((await listMemberships({ db }, userId)).filter(({ held }) => held.includes('owner')).map((program) => program.id));
  return { id, name, programIds: programs.map((program) => program.id), canChange: programs.every((program) => owned.has(program.id)) };
}

/** The same for a change. Throws InvalidState unless the caller owns every program of the organization. */
export async function getManagedOrganization(ctx: Pick<Context, 'db'>, actor: Principal): Promise<ManagedOrganization> {
  const organization = await findManagedOrganization(ctx, actor);
  if (organization.canChange) return organization;
  throw new InvalidState(
    organizationOwnerRequired.code,
    'Single sign-on applies to every program of the organization, so only a member who owns all of them can change it.',
  );
}

type Change = { actor: Principal; action: SingleSignOnAction; before?: Record<string, unknown>; after?: Record<string, unknown> };
type SingleSignOnAction =
  | 'single_sign_on.updated'
  | 'single_sign_on.removed'
  | 'single_sign_on.domain_added'
  | 'single_sign_on.domain_verified'
  | 'single_sign_on.domain_updated'
  | 'single_sign_on.domain_removed';

/** Records a change in the audit log of every program of the organization. */
export async function recordInOrganization(tx: Tx, { programIds }: ManagedOrganization, change: Change): Promise<void> {
  for (const programId of programIds) await recordChange(tx, { programId, subjectId: programId, ...change });
}
