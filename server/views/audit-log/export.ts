// The audit log as a file, oldest entries first. The export is an audit event itself.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AuditEventShape, toAuditEvent } from '../../platform/audit/list.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { csvPages, jsonPages, pageRows } from '../../platform/http/load/long-response.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import { type EntryFilter, entryFilter, selectEntries } from './search.ts';

const columns = ['createdAt', 'action', 'actorKind', 'actorId', 'network', 'requestId', 'subjectId', 'before', 'after', 'id'];

export const exportAuditEvents = endpoint({
  id: 'auditEvents.export',
  route: 'GET /v1/programs/:programId/audit-events/export',
  scope: 'read',
  tag: 'Audit log',
  summary: 'Export the audit log',
  description: 'All audit events that match the filters, oldest first, as CSV or JSON. In CSV, `before` and `after` are JSON.',
  query: z.object({ ...entryFilter, format: z.enum(['json', 'csv']).default('csv') }),
  statuses: [200],
  heavy: true,
  media: ['text/csv'],
  result: z
    .object({ auditEvents: z.array(AuditEventShape) })
    .meta({ id: 'AuditExport', example: { auditEvents: [exampleOf(AuditEventShape)] } }),
  async handle(ctx, { actor, query: { format, ...filter } }) {
    const { programId } = actor;
    const pages = readPages(ctx, programId, filter);
    await transact(ctx, (tx) =>
      recordChange(tx, { programId, actor, action: 'audit_log.exported', subjectId: programId, after: { format, ...filter } }),
    );
    if (format === 'json') {
      const content = jsonPages({ before: {}, name: 'auditEvents', after: {} }, AuditEventShape, pages);
      return new Document('application/json; charset=utf-8', content);
    }
    const fileName = `audit-log-${ctx.clock.now().toISOString().slice(0, 10)}.csv`;
    return new Document('text/csv; charset=utf-8', csvPages(columns, toCells(pages)), fileName);
  },
});

type AuditEvent = z.input<typeof AuditEventShape>;

/** Pages of the entries that exist when the export begins. */
async function* readPages(ctx: Context, programId: string, filter: EntryFilter): AsyncGenerator<AuditEvent[]> {
  const createdTo = filter.createdTo ?? ctx.clock.now();
  let last = { createdAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const { createdAt, id } = last;
    const rows = await selectEntries(ctx, programId, { ...filter, createdTo })
      .selectAll()
      .where(({ eb, refTuple, tuple }) => eb(refTuple('createdAt', 'id'), '>', tuple(createdAt, id)))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(pageRows)
      .execute();
    yield rows.map(toAuditEvent);
    const end = rows.at(-1);
    if (!end || rows.length < pageRows) return;
    last = end;
  }
}

async function* toCells(pages: AsyncIterable<readonly AuditEvent[]>): AsyncGenerator<object[]> {
  for await (const page of pages) {
    yield page.map(({ actor, before, after, ...event }) => ({
      ...event,
      actorKind: actor.kind,
      actorId: actor.id,
      before: before ? JSON.stringify(before) : '',
      after: after ? JSON.stringify(after) : '',
    }));
  }
}
