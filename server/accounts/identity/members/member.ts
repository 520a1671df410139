// Members of a program: users with a role in it, in its organization, or in both.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { DeclaredError, Slot } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { isRole, roles, strongestOf } from '../roles.ts';

export const RoleField = z.enum(roles);

export const MemberShape = z
  .object({
    userId: uuidOut,
    name: z.string(),
    email: z.string(),
    role: RoleField.describe('The strongest role of the member.'),
    programRole: RoleField.nullable().describe('The role in this program.'),
    organizationRole: RoleField.nullable().describe('The role in all programs of the organization; changed with `bin/tributary`.'),
    status: z.enum(['active', 'disabled']),
    isYou: z.boolean(),
    lastActiveAt: timestampOut.nullable().describe('The last request of any session; updated at most once a minute.'),
    createdAt: timestampOut.describe('When the user became a member.'),
  })
  .meta({
    id: 'Member',
    example: {
      userId: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f',
      name: 'Dana Calder',
      email: 'dana@fernandfield.example',
      role: 'owner',
      programRole: 'owner',
      organizationRole: null,
      status: 'active',
      isYou: true,
      lastActiveAt: '2026-11-21T10:00:00.000Z',
      createdAt: '2026-03-02T09:12:44.000Z',
    },
  });

export type Member = z.output<typeof MemberShape>;

export const memberSlot: Slot = {
  schema: uuid,
  meaning: 'The user.',
  example: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f',
  exists: async (ctx, programId, userId) => (await findMembers(ctx, { programId, viewerId: userId, userId })).length > 0,
};

export const lastOwner: DeclaredError = {
  status: 400,
  code: 'last_owner',
  when: 'The program would have no owner. Make another member an owner first.',
};

export const organizationRole: DeclaredError = {
  status: 400,
  code: 'organization_role',
  when: 'The member has a role in the organization only, which applies to all its programs.',
};

type Selection = { programId: string; viewerId: string; userId?: string };

/** The members of a program by name, or one of them. */
export async function findMembers({ db }: Pick<Context, 'db'>, { programId, viewerId, userId }: Selection): Promise<Member[]> {
  const { rows } = await sql<{
    id: string;
    name: string;
    email: string;
    status: string;
    programRole: string | null;
    organizationRole: string | null;
    lastActiveAt: Date | null;
    createdAt: Date;
  }>`
    select users.id, users.name, users.email, users.status, direct.role as "programRole", whole.role as "organizationRole",
      (select max(last_seen_at) from sessions where user_id = users.id) as "lastActiveAt",
      least(direct.created_at, whole.created_at) as "createdAt"
    from programs
    join users on users.id in (
      select user_id from program_members where program_id = ${programId}
      union select user_id from organization_members where organization_id = programs.organization_id
    )
    left join program_members as direct on direct.program_id = ${programId} and direct.user_id = users.id
    left join organization_members as whole on whole.organization_id = programs.organization_id and whole.user_id = users.id
    where programs.id = ${programId} and (${userId ?? null}::uuid is null or users.id = ${userId ?? null}::uuid)
    order by lower(users.name), users.id
    limit 1000`.execute(db);
  return rows.map(({ id, programRole, organizationRole, status, lastActiveAt, createdAt, ...row }) => ({
    ...row,
    userId: id,
    role: strongestOf([programRole, organizationRole].flatMap((role) => (role !== null && isRole(role) ? [role] : []))) ?? 'viewer',
    programRole: RoleField.nullable().parse(programRole),
    organizationRole: RoleField.nullable().parse(organizationRole),
    status: status === 'disabled' ? ('disabled' as const) : ('active' as const),
    isYou: id === viewerId,
    lastActiveAt: lastActiveAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }));
}

/** One member. Throws NotFound. */
export async function getMember(ctx: Pick<Context, 'db'>, selection: Required<Selection>): Promise<Member> {
  const [member] = await findMembers(ctx, selection);
  if (!member) throw new NotFound();
  return member;
}
