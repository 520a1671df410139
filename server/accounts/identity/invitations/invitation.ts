// An invitation to become a member. It is accepted by signing in with the invited address, which proves that the address
// belongs to the user.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { MemberInvitations } from '../../../platform/db/schema.gen.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { findProgramIds, readInPrograms } from '../../programs/person-programs.ts';
import { findNewest } from '../affiliate-accounts/claim.ts';
import { RoleField } from '../members/member.ts';

export const validForMs = 7 * 24 * 3_600_000;

export const InvitationShape = z
  .object({
    id: uuidOut,
    email: z.string(),
    name: z.string(),
    role: RoleField,
    invitedBy: z.string().nullable().describe('The name of the member who sent the invitation.'),
    isExpired: z.boolean().describe('An expired invitation can be sent again.'),
    expiresAt: timestampOut,
    createdAt: timestampOut,
  })
  .meta({
    id: 'MemberInvitation',
    example: {
      id: '01980e11-4c5d-7e6f-8a7b-9c0d1e2f3a4b',
      email: 'tom@fernandfield.example',
      name: 'Tom Ruiz',
      role: 'finance',
      invitedBy: 'Dana Calder',
      isExpired: false,
      expiresAt: '2026-11-28T10:00:00.000Z',
      createdAt: '2026-11-21T10:00:00.000Z',
    },
  });

export const invitationSlot = idSlot('memberInvitations', 'The invitation.');

type Row = Pick<Selectable<MemberInvitations>, 'id' | 'email' | 'name' | 'role' | 'expiresAt' | 'createdAt'> & { inviter: string | null };

type OpenInvitation = { programId: string; email: string; name: string; expiresAt: Date; createdAt: Date };

/** The invitations to an address in all programs that were neither accepted nor revoked. `lock` locks them. */
export async function listInvitationsOf(ctx: Pick<Context, 'db'>, emailKey: string, { lock = false } = {}): Promise<OpenInvitation[]> {
  const programIds = await findProgramIds(ctx, { kind: 'invited', person: emailKey });
  const found = await readInPrograms(ctx, programIds, (db, programId) => {
    const invitations = db
      .selectFrom('memberInvitations')
      .select(['programId', 'email', 'name', 'expiresAt', 'createdAt'])
      .where('programId', '=', programId)
      .where('emailKey', '=', emailKey)
      .where('acceptedAt', 'is', null)
      .where('revokedAt', 'is', null);
    return (lock ? invitations.forNoKeyUpdate() : invitations).executeTakeFirst();
  });
  return found.flatMap((invitation) => invitation ?? []);
}

/** The newest invitation that signing in with an address accepts: neither accepted, revoked nor expired. */
export async function findAcceptable(
  ctx: Pick<Context, 'db' | 'clock'>,
  emailKey: string,
  options?: { lock: boolean },
): Promise<OpenInvitation | null> {
  const now = systemTime(ctx);
  return findNewest((await listInvitationsOf(ctx, emailKey, options)).filter(({ expiresAt }) => expiresAt > now));
}

/** Open invitations of a program, the newest first, or one of them. */
export async function findOpenInvitations(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { programId, id }: { programId: string; id?: string },
): Promise<z.input<typeof InvitationShape>[]> {
  let open = db
    .selectFrom('memberInvitations as invitation')
    .leftJoin('users', 'users.id', 'invitation.invitedBy')
    .select(['invitation.id', 'invitation.email', 'invitation.name', 'role', 'expiresAt', 'invitation.createdAt', 'users.name as inviter'])
    .where('programId', '=', programId)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null);
  if (id !== undefined) open = open.where('invitation.id', '=', id);
  const rows = await open.orderBy('invitation.createdAt', 'desc').orderBy('invitation.id', 'desc').limit(1000).execute();
  return rows.map((row) => toInvitation(row, systemTime({ clock })));
}

function toInvitation({ inviter, role, expiresAt, createdAt, ...row }: Row, now: Date): z.input<typeof InvitationShape> {
  return {
    ...row,
    role: RoleField.parse(role),
    invitedBy: inviter,
    isExpired: expiresAt <= now,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}
