// The audit log of a program: every change, with its actor.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { AuditLog } from '../db/schema.gen.ts';
import { ActorShape, actorExample, actorKinds } from '../http/declaration/actor-shape.ts';
import { eventListOf, eventPage, findEventPage } from '../http/declaration/cursor.ts';
import { endpoint } from '../http/declaration/endpoint.ts';
import { line, timestampOut, uuid, uuidOut } from '../http/declaration/fields.ts';
import { idSlot } from '../http/declaration/id-slot.ts';
import { oneOf, timeRange, withinRange } from '../http/declaration/lists.ts';

const fields = z.record(z.string(), z.unknown()).nullable();

export const auditEventExample = {
  id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
  actor: actorExample,
  network: '192.0.2.0/24',
  requestId: '01980c02-7d0f-7a31-b4c5-5e6f7a8b9c0d',
  action: 'affiliate.updated',
  subjectId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
  before: { status: 'pending' },
  after: { status: 'active' },
  createdAt: '2026-11-20T09:00:00.000Z',
};

export const AuditEventShape = z
  .object({
    id: uuidOut,
    actor: ActorShape,
    network: z
      .string()
      .nullable()
      .describe('The network of the request, an IPv4 /24 or IPv6 /48; null for changes by the service itself and by commands.'),
    requestId: z.string().nullable().describe('The `X-Request-Id` of the request.'),
    action: z.string().describe('The kind of object and the action, such as `affiliate.updated`.'),
    subjectId: uuidOut.describe('The id of the object that was changed.'),
    before: fields.describe('The changed fields before the change; null if the object was created.'),
    after: fields.describe('The changed fields after the change; null if the object was deleted.'),
    createdAt: timestampOut,
  })
  .meta({
    id: 'AuditEvent',
    example: auditEventExample,
  });

/** The filters of the list and of the export. */
export const auditFilter = {
  actorKind: oneOf(z.enum(actorKinds)),
  actorId: line(200).optional().describe('The id of an API key, user or provider, or the name of a schedule or command.'),
  action: line(100).optional().describe('Only events with this action, such as `affiliate.updated`.'),
  subjectId: uuid.optional().describe('Only changes to this object.'),
  ...timeRange('created'),
};
const Filter = z.object(auditFilter);
export type AuditFilter = z.output<typeof Filter>;

/** The audit events of a program that match the filters. */
export function selectEvents({ db }: Pick<Context, 'db'>, programId: string, filter: AuditFilter) {
  const { actorKind, actorId, action, subjectId, createdFrom, createdTo } = filter;
  let events = db.selectFrom('auditLog').where('programId', '=', programId);
  if (actorKind) events = events.where('actorKind', 'in', actorKind);
  if (actorId) events = events.where('actorId', '=', actorId);
  if (action) events = events.where('action', '=', action);
  if (subjectId) events = events.where('subjectId', '=', subjectId);
  return events.where(withinRange('createdAt', createdFrom, createdTo));
}

export const listAuditEvents = endpoint({
  id: 'auditEvents.list',
  route: 'GET /v1/programs/:programId/audit-events',
  scope: 'read',
  tag: 'Audit log',
  summary: 'List audit events',
  description:
    'Every change to a setting, affiliate, rule, commission or payout, every export, sign-in and first use of an API key from a network, ' +
    'with the actor and where the request came from. Secrets are never included, and email addresses are masked.',
  query: z.object({ ...auditFilter, ...eventPage }),
  statuses: [200],
  result: eventListOf('auditEvents', AuditEventShape, 'AuditEventList'),
  async handle(ctx, { actor, query }) {
    const events = selectEvents(ctx, actor.programId, query);
    const { rows, ...found } = await findEventPage(events, query, (selected) => selected.selectAll());
    return { auditEvents: rows.map(toAuditEvent), ...found };
  },
});

export const getAuditEvent = endpoint({
  id: 'auditEvents.get',
  route: 'GET /v1/programs/:programId/audit-events/:id',
  scope: 'read',
  tag: 'Audit log',
  summary: 'Get an audit event',
  path: { id: idSlot('auditLog', 'The id of the audit event.') },
  statuses: [200],
  result: AuditEventShape,
  async handle(ctx, { actor, params }) {
    const events = ctx.db.selectFrom('auditLog').selectAll().where('programId', '=', actor.programId);
    return toAuditEvent(await events.where('id', '=', params.id).executeTakeFirstOrThrow());
  },
});

export function toAuditEvent(row: Selectable<AuditLog>): z.input<typeof AuditEventShape> {
  return {
    id: row.id,
    actor: ActorShape.parse({ kind: row.actorKind, id: row.actorId }),
    network: row.network,
    requestId: row.requestId,
    action: row.action,
    subjectId: row.subjectId,
    before: fields.parse(row.before),
    after: fields.parse(row.after),
    createdAt: row.createdAt.toISOString(),
  };
}
