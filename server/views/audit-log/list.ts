// The audit log for the console: the events of the API with the names of their actors and subjects.
import { z } from 'zod';
import { toAuditEvent } from '../../platform/audit/list.ts';
import { eventListOf, eventPage, findEventPage } from '../../platform/http/declaration/cursor.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { AuditEntryShape, addNames } from './entries.ts';
import { entryFilter, selectEntries } from './search.ts';

export const listAuditEntries = endpoint({
  id: 'auditEntries.list',
  route: 'GET /app/programs/:programId/audit-entries',
  scope: 'read',
  isUserOnly: true,
  tag: 'Audit log',
  summary: 'List audit entries',
  description: 'The audit events of a program with the names of who caused them and of what they are about.',
  query: z.object({ ...entryFilter, ...eventPage }),
  statuses: [200],
  result: eventListOf('auditEntries', AuditEntryShape, 'AuditEntryList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { rows, ...found } = await findEventPage(selectEntries(ctx, programId, query), query, (events) => events.selectAll());
    return { auditEntries: await addNames(ctx, programId, rows.map(toAuditEvent)), ...found };
  },
});

export const getAuditEntry = endpoint({
  id: 'auditEntries.get',
  route: 'GET /app/programs/:programId/audit-entries/:id',
  scope: 'read',
  isUserOnly: true,
  tag: 'Audit log',
  summary: 'Get an audit entry',
  path: { id: idSlot('auditLog', 'The id of the audit event.') },
  statuses: [200],
  result: AuditEntryShape,
  async handle(ctx, { actor: { programId }, params }) {
    const events = ctx.db.selectFrom('auditLog').selectAll().where('programId', '=', programId);
    const event = toAuditEvent(await events.where('id', '=', params.id).executeTakeFirstOrThrow());
    const [entry] = await addNames(ctx, programId, [event]);
    if (!entry) throw new NotFound();
    return entry;
  },
});
