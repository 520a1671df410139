// Asking for access, and granting or declining it. Those who manage members decide; a request is decided once.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut } from '../../../platform/http/declaration/fields.ts';
import { permissions } from '../../../platform/http/declaration/permissions.ts';
import { exampleOf } from '../../../platform/http/openapi/schemas.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState, NothingToDo } from '../../../platform/lib/errors.ts';
import { registerPerson } from '../../programs/person-programs.ts';
import { lockRoles } from '../members/find-member.ts';
import { RoleField } from '../members/member.ts';
import { requireOwnerRights } from '../members/owner-rights.ts';
import { permissionsOf, type Role } from '../roles.ts';
import { AccessRequestShape, accessRequestSlot, findAccessRequests, getAccessRequest, roleToRequest } from './access-request.ts';
import { notifyAccessRequestJob } from './notify-job.ts';

/** How long a declined member can't ask again. */
const pauseMs = 24 * 60 * 60_000;

export const requestAccess = endpoint({
  id: 'accessRequests.create',
  route: 'POST /app/programs/:programId/access-requests',
  scope: 'write',
  requires: 'read',
  isUserOnly: true,
  tag: 'Members',
  summary: 'Request access',
  description: 'Asks the owners, by email, for the weakest role that includes the permission and everything that your role includes.',
  body: z
    .object({ permission: z.enum(permissions).describe('What you want to do.') })
    .meta({ id: 'NewAccessRequest', example: { permission: 'payouts.prepare' } }),
  statuses: [201],
  result: AccessRequestShape,
  errors: [
    { status: 400, code: 'access_declined', when: 'A request of yours was declined less than a day ago.' },
    { status: 400, code: 'access_granted', when: 'Your role includes this permission.' },
    { status: 422, code: 'access_requested', when: 'You have requested access already, and it awaits a decision.' },
  ],
  async handle(tx, { actor, body: { permission } }) {
    const { programId, id: userId } = actor;
    const held = 'permissions' in actor ? actor.permissions : new Set<never>();
    const role = roleToRequest(permission, held);
    if (role === undefined || held.has(permission)) throw new InvalidState('access_granted', 'Your role includes this permission.');
    await rejectDeclined(tx, programId, userId);
    const id = tx.ids.uuid();
    const inserted = await tx.db
      .insertInto('accessRequests')
      .values({ programId, id, userId, role, createdAt: systemTime(tx) })
      // Not a parameter: a generic plan would not find the partial index.
      .onConflict((conflict) => conflict.columns(['programId', 'userId']).where('status', '=', sql.lit('open')).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw new NothingToDo('access_requested', 'You have requested access already.');
    const changeId = await recordChange(tx, { programId, actor, action: 'access.requested', subjectId: userId, after: { role } });
    await tx.jobs.enqueue(tx, notifyAccessRequestJob, { programId, requestId: id, changeId });
    return getAccessRequest(tx, { programId, id });
  },
});

async function rejectDeclined({ db, clock }: Tx, programId: string, userId: string): Promise<void> {
  const since = new Date(systemTime({ clock }).getTime() - pauseMs);
  const declined = db.selectFrom('accessRequests').select('id').where('programId', '=', programId).where('userId', '=', userId);
  const found = await declined.where('status', '=', 'declined').where('decidedAt', '>', since).executeTakeFirst();
  if (found) throw new InvalidState('access_declined', 'Your request was declined. You can ask again tomorrow.');
}

export const listAccessRequests = endpoint({
  id: 'accessRequests.list',
  route: 'GET /app/programs/:programId/access-requests',
  scope: 'read',
  isUserOnly: true,
  tag: 'Members',
  summary: 'List open requests for access',
  description: 'All of them for those who manage members, otherwise only your own.',
  statuses: [200],
  result: z
    .object({ accessRequests: z.array(AccessRequestShape).describe('The open requests, the oldest first.'), total: countOut })
    .meta({ id: 'AccessRequestList', example: { accessRequests: [exampleOf(AccessRequestShape)], total: 1 } }),
  async handle(ctx, { actor }) {
    const own = 'permissions' in actor && actor.permissions.has('members.write') ? {} : { userId: actor.id };
    const accessRequests = await findAccessRequests(ctx, { programId: actor.programId, ...own });
    return { accessRequests, total: accessRequests.length };
  },
});

export const decideAccessRequest = endpoint({
  id: 'accessRequests.decide',
  route: 'POST /app/programs/:programId/access-requests/:id/decide',
  scope: 'write',
  requires: 'members.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'Members',
  summary: 'Grant or decline a request for access',
  description:
    'Granting gives the member the role in this program. The member is informed by email. Only owners can make someone an owner.',
  path: { id: accessRequestSlot },
  body: z.object({ decision: z.enum(['granted', 'declined']) }).meta({ id: 'AccessRequestDecision', example: { decision: 'granted' } }),
  statuses: [200],
  result: AccessRequestShape,
  errors: [
    { status: 400, code: 'access_request_decided', when: 'The request has already been decided differently, or is your own.' },
    { status: 422, code: 'access_request_decided', when: 'The request already has this decision.' },
  ],
  async handle(tx, { actor, params: { id }, body: { decision } }) {
    const { programId } = actor;
    const requests = tx.db.selectFrom('accessRequests').selectAll().where('programId', '=', programId).where('id', '=', id);
    const request = await requests.forUpdate().executeTakeFirstOrThrow();
    const message = `This request is already ${request.status}.`;
    if (request.status === decision) throw new NothingToDo('access_request_decided', message);
    if (request.status !== 'open') throw new InvalidState('access_request_decided', message);
    if (request.userId === actor.id) throw new InvalidState('access_request_decided', 'Another member must decide about your request.');
    const role = RoleField.parse(request.role);
    if (decision === 'granted') {
      await requireOwnerRights(tx, actor, [role]);
      await giveRole(tx, { programId, userId: request.userId, role, givenBy: actor.id });
    }
    await tx.db
      .updateTable('accessRequests')
      .set({ status: decision, decidedBy: actor.id, decidedAt: systemTime(tx) })
      .where('programId', '=', programId)
      .where('id', '=', id)
      .execute();
    const change = { programId, actor, action: `access.${decision}` as const, subjectId: request.userId, after: { role } };
    const changeId = await recordChange(tx, change);
    await tx.jobs.enqueue(tx, notifyAccessRequestJob, { programId, requestId: id, changeId });
    return getAccessRequest(tx, { programId, id });
  },
});

type Given = { programId: string; userId: string; role: Role; givenBy: string };

/** Replaces the role in the program, unless the member already has a role that includes the requested one. */
async function giveRole(tx: Tx, { programId, userId, role, givenBy }: Given): Promise<void> {
  const held = permissionsOf(await lockRoles(tx, userId, programId));
  if (held.size === 0) throw new InvalidState('access_request_decided', 'This user is no longer a member. Decline the request.');
  if ([...permissionsOf([role])].every((permission) => held.has(permission))) return;
  const since = { role, roleSince: systemTime(tx), roleGivenBy: givenBy };
  await tx.db
    .insertInto('programMembers')
    .values({ programId, userId, createdAt: systemTime(tx), ...since })
    .onConflict((conflict) => conflict.columns(['programId', 'userId']).doUpdateSet(since))
    .execute();
  await registerPerson(tx, { kind: 'member', person: userId }, programId);
}
