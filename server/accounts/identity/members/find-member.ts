// A user is a member of a program by a role in the program, by one in its organization, or both.
import type { Context, Tx } from '../../../context.ts';
import type { Permission } from '../../../platform/http/declaration/permissions.ts';
import {
  isMember,
  type MemberPrincipal,
  type SignedInPrincipal,
  type UserPrincipal,
} from '../../../platform/http/declaration/principal.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { lockPrograms } from '../../programs/lock-program.ts';
import { isRole, permissionsOf, type Role, strongestOf } from '../roles.ts';
import { isActive } from '../sessions/session.ts';
import { findApprovalWait } from './find-approval-wait.ts';

/** The user as a member of a program; null for a program of others, or one that does not exist. */
export async function findMember(ctx: Context, user: UserPrincipal, programId: string): Promise<MemberPrincipal | null> {
  if (user.siteProgramId !== null) return null;
  const program = await ctx.db
    .selectFrom('programs')
    .leftJoin('programMembers as direct', (join) => join.on('direct.programId', '=', programId).on('direct.userId', '=', user.id))
    .leftJoin('organizationMembers as whole', (join) =>
      join.onRef('whole.organizationId', '=', 'programs.organizationId').on('whole.userId', '=', user.id),
    )
    .leftJoin('memberConfirmations as confirmation', (join) =>
      join.on('confirmation.programId', '=', programId).on('confirmation.userId', '=', user.id),
    )
    .select(['programs.id', 'programs.currency', 'confirmation.confirmedAt'])
    .select(['direct.role as programRole', 'direct.roleSince as programSince'])
    .select(['whole.role as organizationRole', 'whole.roleSince as organizationSince'])
    .where('programs.id', '=', programId)
    .where('programs.deleteAfter', 'is', null)
    .executeTakeFirst();
  const held = toRoles([program?.programRole, program?.organizationRole]);
  const role = strongestOf(held);
  if (!program || !role) return null;
  const { id, currency, confirmedAt } = program;
  const approvesFrom = findApprovalWait({ ...program, confirmedAt }, systemTime(ctx));
  return { ...user, programId: id, currency, role, permissions: permissionsOf(held), approvesFrom };
}

/** The roles among these values; a user has at most one in the program and one in its organization. */
export function toRoles(values: readonly (string | null | undefined)[]): Role[] {
  return values.flatMap((value) => (value !== null && value !== undefined && isRole(value) ? [value] : []));
}

/** Whether one of these roles can move money, so that a mailbox is not enough. */
export function handlesMoney(held: readonly Role[]): boolean {
  return [...permissionsOf(held)].some((permission) => permission.startsWith('payouts.'));
}

/** The active sessions among these, each with the current permissions of its user; locked until the transaction ends. */
export async function lockSessions(
  tx: Tx,
  users: readonly SignedInPrincipal[],
  required: readonly Permission[],
): Promise<ReadonlyMap<string, ReadonlySet<Permission>>> {
  const active = await lockActiveSessions(tx, users);
  // Before the roles of the callers: of two owners who remove each other, the second waits here and is then checked.
  if (required.includes('members.write')) await lockMemberChanges(tx, users);
  const admitted: [string, ReadonlySet<Permission>][] = [];
  for (const user of users.filter(({ sessionId }) => active.has(sessionId))) {
    admitted.push([user.sessionId, isMember(user) ? permissionsOf(await lockRoles(tx, user.id, user.programId)) : new Set()]);
  }
  return new Map(admitted);
}

async function lockMemberChanges(tx: Tx, users: readonly SignedInPrincipal[]): Promise<void> {
  const programIds = users.flatMap((user) => (isMember(user) ? [user.programId] : []));
  await lockPrograms(tx, programIds);
}

async function lockActiveSessions(tx: Tx, users: readonly UserPrincipal[]): Promise<ReadonlySet<string>> {
  // Every node of a cluster stores these rows. Locks on all of them would fail while one is down, and connect the programs.
  const isLocked = !tx.allProgramsDb;
  const distinct = (values: string[]) => [...new Set(values)].sort();
  const enabled = await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', distinct(users.map(({ id }) => id)))
    .where('status', '=', 'active')
    .orderBy('id')
    .$if(isLocked, (users) => users.forShare())
    .execute();
  const enabledIds = new Set(enabled.map(({ id }) => id));
  const sessions = await tx.db
    .selectFrom('sessions')
    .select(['id', 'userId', 'lastSeenAt', 'expiresAt', 'endedAt'])
    .where('id', 'in', distinct(users.map(({ sessionId }) => sessionId)))
    .orderBy('id')
    .$if(isLocked, (sessions) => sessions.forShare())
    .execute();
  const now = systemTime(tx);
  return new Set(sessions.filter((session) => enabledIds.has(session.userId) && isActive(session, now)).map(({ id }) => id));
}

/** The roles of a user in a program, which can't change until the transaction ends. */
export async function lockRoles(tx: Tx, userId: string, programId: string): Promise<Role[]> {
  const whole = await tx.db
    .selectFrom('organizationMembers')
    .innerJoin('programs', 'programs.organizationId', 'organizationMembers.organizationId')
    .select('role')
    .where('programs.id', '=', programId)
    .where('userId', '=', userId)
    .$if(!tx.allProgramsDb, (members) => members.forShare('organizationMembers'))
    .execute();
  const direct = await tx.db
    .selectFrom('programMembers')
    .select('role')
    .where('programId', '=', programId)
    .where('userId', '=', userId)
    .forShare()
    .execute();
  return toRoles([...whole, ...direct].map(({ role }) => role));
}
