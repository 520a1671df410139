// The members of a program: users with a role in it, in its organization, or in both.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Slot } from '../../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../../platform/http/declaration/fields.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { factorWaitHours, findWait } from '../../programs/second-person/waiting.ts';
import { permissionsOf, type Role, strongestOf } from '../roles.ts';
import { findApprovalWait } from './find-approval-wait.ts';
import { handlesMoney, toRoles } from './find-member.ts';
import { type Member, RoleField } from './member.ts';

type Selection = { programId: string; viewerId: string; userId?: string };

type Row = {
  id: string;
  name: string;
  email: string;
  status: string;
  programRole: string | null;
  programSince: Date | null;
  programGivenBy: string | null;
  organizationGivenBy: string | null;
  organizationRole: string | null;
  organizationSince: Date | null;
  factorChangedAt: Date | null;
  confirmedAt: Date | null;
  isTest: boolean;
  lastActiveAt: Date | null;
  createdAt: Date;
};

/** The members of a program by name, or one of them. */
export async function findMembers(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { programId, viewerId, userId }: Selection,
): Promise<Member[]> {
  const { rows } = await sql<Row>`
    select users.id, users.name, users.email, users.status, users.second_factor_changed_at as factor_changed_at,
      direct.role as program_role, direct.role_since as program_since, direct.role_given_by as program_given_by,
      whole.role as organization_role, whole.role_since as organization_since, whole.role_given_by as organization_given_by,
      confirmation.confirmed_at,
      programs.mode = 'test' and not exists (
        select from providers where program_id = ${programId} and kind = 'payout' and mode = 'live' and status <> 'archived'
      ) as is_test,
      (select max(last_seen_at) from sessions where user_id = users.id) as last_active_at,
      least(direct.created_at, whole.created_at) as created_at
    from programs
    join users on users.id in (
      select user_id from program_members where program_id = ${programId}
      union select user_id from organization_members where organization_id = programs.organization_id
    )
    left join program_members as direct on direct.program_id = ${programId} and direct.user_id = users.id
    left join organization_members as whole on whole.organization_id = programs.organization_id and whole.user_id = users.id
    left join member_confirmations as confirmation on confirmation.program_id = ${programId} and confirmation.user_id = users.id
    where programs.id = ${programId} and (${userId ?? null}::uuid is null or users.id = ${userId ?? null}::uuid)
    order by lower(users.name), users.id
    limit 1000`.execute(db);
  const viewer =
    rows.find(({ id }) => id === viewerId) ?? (userId === undefined ? undefined : await findViewer({ db }, programId, viewerId));
  const now = systemTime({ clock });
  const viewerRoles = viewer ? toRoles([viewer.programRole, viewer.organizationRole]) : [];
  const mayConfirm = viewer !== undefined && viewerRoles.includes('owner') && findApprovalWait(viewer, now) === null;
  const organizationRole = toRoles([viewer?.organizationRole])[0] ?? null;
  return rows.map((row) => toMember(row, { viewerId, mayConfirm, organizationRole, now }));
}

/** One member. Throws NotFound. */
export async function getMember(ctx: Pick<Context, 'db' | 'clock'>, selection: Required<Selection>): Promise<Member> {
  const [member] = await findMembers(ctx, selection);
  if (!member) throw new NotFound();
  return member;
}

type Viewer = Pick<Row, 'programRole' | 'programSince' | 'organizationRole' | 'organizationSince' | 'confirmedAt'>;

/** Who looks at another member. */
async function findViewer({ db }: Pick<Context, 'db'>, programId: string, viewerId: string): Promise<Viewer | undefined> {
  const { rows } = await sql<Viewer>`
    select direct.role as program_role, direct.role_since as program_since, whole.role as organization_role,
      whole.role_since as organization_since, confirmation.confirmed_at
    from programs
    left join program_members as direct on direct.program_id = ${programId} and direct.user_id = ${viewerId}
    left join organization_members as whole on whole.organization_id = programs.organization_id and whole.user_id = ${viewerId}
    left join member_confirmations as confirmation on confirmation.program_id = ${programId} and confirmation.user_id = ${viewerId}
    where programs.id = ${programId}`.execute(db);
  return rows[0];
}

type ForViewer = { viewerId: string; mayConfirm: boolean; organizationRole: Role | null; now: Date };

function toMember(row: Row, { viewerId, mayConfirm, organizationRole: ownRole, now }: ForViewer): Member {
  const { id, name, email, programRole, organizationRole, confirmedAt, lastActiveAt } = row;
  const isGiver = row.programGivenBy === viewerId || row.organizationGivenBy === viewerId;
  const held: Role[] = toRoles([programRole, organizationRole]);
  const approvesFrom = findApprovalWait(row, now);
  const changedAt = row.isTest || !handlesMoney(held) ? null : row.factorChangedAt;
  const paysFrom = findWait({ changedAt, confirmedAt, waitHours: factorWaitHours }, now);
  const isOther = id !== viewerId && !(approvesFrom !== null && isGiver);
  return {
    userId: id,
    name,
    email,
    role: strongestOf(held) ?? 'viewer',
    programRole: RoleField.nullable().parse(programRole),
    organizationRole: RoleField.nullable().parse(organizationRole),
    status: row.status === 'disabled' ? 'disabled' : 'active',
    isYou: id === viewerId,
    lastActiveAt: lastActiveAt?.toISOString() ?? null,
    approvesFrom: approvesFrom?.toISOString() ?? null,
    paysFrom: paysFrom?.toISOString() ?? null,
    canChangeOrganizationRole: mayChangeInOrganization(ownRole, organizationRole),
    canConfirm: mayConfirm && isOther && (approvesFrom !== null || paysFrom !== null),
    createdAt: row.createdAt.toISOString(),
  };
}

/** Whether a member with one role in the organization may change another one; null: none. */
function mayChangeInOrganization(own: Role | null, role: string | null): boolean {
  if (own === null || role === null) return false;
  return permissionsOf([own]).has(role === 'owner' ? 'owners.write' : 'members.write');
}

export const memberSlot: Slot = {
  schema: uuid,
  meaning: 'The user.',
  example: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f',
  exists: async (ctx, programId, userId) => (await findMembers(ctx, { programId, viewerId: userId, userId })).length > 0,
};
