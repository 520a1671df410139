// A member's request for a role that opens a screen which the member's own role doesn't.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import type { Permission } from '../../../platform/http/declaration/permissions.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import { RoleField } from '../members/member.ts';
import { permissionsOf, type Role, rolesWith } from '../roles.ts';

export const accessRequestSlot = idSlot('accessRequests', 'The id of the request.');

export const AccessRequestShape = z
  .object({
    id: uuidOut,
    userId: uuidOut.describe('The member who asks.'),
    name: z.string(),
    email: z.string(),
    role: RoleField.describe('The requested role.'),
    status: z.enum(['open', 'granted', 'declined']),
    createdAt: timestampOut,
    decidedAt: timestampOut.nullable(),
  })
  .meta({
    id: 'AccessRequest',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      userId: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f',
      name: 'Tom Ruiz',
      email: 'tom@fernandfield.example',
      role: 'finance',
      status: 'open',
      createdAt: '2026-11-20T09:00:00.000Z',
      decidedAt: null,
    },
  });
type AccessRequest = z.output<typeof AccessRequestShape>;

/** The weakest role that includes the permission and everything that the member may do already. */
export function roleToRequest(permission: Permission, held: ReadonlySet<Permission>): Role | undefined {
  return rolesWith([permission]).findLast((role) => {
    const included = permissionsOf([role]);
    return [...held].every((each) => included.has(each));
  });
}

type Selection = { programId: string; id?: string; userId?: string };

/** The open requests, oldest first, or one of any status. Without `userId`, those of every member. */
export async function findAccessRequests({ db }: Pick<Context, 'db'>, { programId, id, userId }: Selection): Promise<AccessRequest[]> {
  const { rows } = await sql<Omit<AccessRequest, 'createdAt' | 'decidedAt'> & { createdAt: Date; decidedAt: Date | null }>`
    select request.id, request.user_id, users.name, users.email, request.role, request.status, request.created_at, request.decided_at
    from access_requests as request join users on users.id = request.user_id
    where request.program_id = ${programId}
      and case when ${id ?? null}::uuid is null then request.status = 'open' else request.id = ${id ?? null}::uuid end
      and (${userId ?? null}::uuid is null or request.user_id = ${userId ?? null}::uuid)
    order by request.created_at, request.id limit 200`.execute(db);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), decidedAt: row.decidedAt?.toISOString() ?? null }));
}

/** Throws NotFound. */
export async function getAccessRequest(ctx: Pick<Context, 'db'>, selection: Selection & { id: string }): Promise<AccessRequest> {
  const [found] = await findAccessRequests(ctx, selection);
  if (!found) throw new NotFound();
  return found;
}
