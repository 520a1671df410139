// The exports of a member: their progress, cancelling them, and their files.
import { z } from 'zod';
import { recordChange } from '../../platform/audit/record.ts';
import { finish, lockTask } from '../../platform/background-tasks/background-task.ts';
import { readOutput } from '../../platform/background-tasks/output.ts';
import { transact } from '../../platform/db/transact.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, sortBy } from '../../platform/http/declaration/lists.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { NotFound, NothingToDo } from '../../platform/lib/errors.ts';
import { ExportShape, expiryOf, getExportTask, requireExport, selectExports, toExport } from './export.ts';
import { exportKind } from './run-export.ts';

const exportSlot = idSlot('backgroundTasks', 'The id of the export.');

export const listExports = endpoint({
  id: 'exports.list',
  route: 'GET /app/programs/:programId/exports',
  scope: 'read',
  isUserOnly: true,
  tag: 'Exports',
  summary: 'List exports',
  description: 'The exports of the member who calls, until 30 days after they ended.',
  query: z.object({ ...cursorPage, sort: sortBy('createdAt') }),
  statuses: [200],
  result: cursorListOf('exports', ExportShape, 'ExportList'),
  async handle(ctx, { actor, query: { limit, offset, sort, cursor } }) {
    const found = await findPage(selectExports(ctx, actor), { limit, offset, sort, cursor }, (tasks) => tasks.selectAll());
    return { exports: found.rows.map(toExport), total: found.total, limit, offset, nextCursor: found.nextCursor };
  },
});

export const getExport = endpoint({
  id: 'exports.get',
  route: 'GET /app/programs/:programId/exports/:id',
  scope: 'read',
  isUserOnly: true,
  tag: 'Exports',
  summary: 'Get an export',
  path: { id: exportSlot },
  statuses: [200],
  result: ExportShape,
  async handle(ctx, { actor, params }) {
    return toExport(await getExportTask(ctx, actor, params.id));
  },
});

export const cancelExport = endpoint({
  id: 'exports.cancel',
  route: 'POST /app/programs/:programId/exports/:id/cancel',
  scope: 'write',
  requires: 'read',
  isUserOnly: true,
  tag: 'Exports',
  summary: 'Cancel an export',
  description: 'Stops the export before its next step, and deletes what is written.',
  path: { id: exportSlot },
  statuses: [200],
  result: ExportShape,
  errors: [{ status: 422, code: 'task_finished', when: 'The export has already ended.' }],
  async handle(tx, { actor, params: { id } }) {
    const row = await lockTask(tx, actor.programId, id);
    if (!row || row.kind !== exportKind || row.actorId !== actor.id) throw new NotFound();
    if (row.finishedAt !== null) throw new NothingToDo('task_finished', 'This export has already ended.');
    await finish(tx, { programId: actor.programId, taskId: id }, 'cancelled');
    return toExport({ ...row, status: 'cancelled', finishedAt: systemTime(tx) });
  },
});

export const downloadExport = endpoint({
  id: 'exports.download',
  route: 'GET /app/programs/:programId/exports/:id/file',
  scope: 'read',
  isUserOnly: true,
  tag: 'Exports',
  summary: 'Download an export',
  description: 'The file of a finished export: CSV in UTF-8 with a header row. Text that a spreadsheet would run as a formula is escaped.',
  path: { id: exportSlot },
  statuses: [200],
  heavy: true,
  media: ['text/csv'],
  result: ExportShape,
  errors: [
    { status: 422, code: 'export_not_finished', when: 'The export is still running, was cancelled or failed.' },
    { status: 422, code: 'export_expired', when: 'The file was deleted after seven days.' },
  ],
  async handle(ctx, { actor, params: { id } }) {
    const row = await getExportTask(ctx, actor, id);
    const { list, status } = toExport(row);
    await requireExport(ctx, actor, list);
    if (status !== 'succeeded') throw new NothingToDo('export_not_finished', 'This export has no file.');
    if (expiryOf(row) <= systemTime(ctx))
      throw new NothingToDo('export_expired', 'The file of this export was deleted. Export the list again.');
    const { programId } = actor;
    const after = { list, exportId: id };
    await transact(ctx, (tx) => recordChange(tx, { programId, actor, action: 'export.downloaded', subjectId: programId, after }));
    const fileName = `${list}-${row.createdAt.toISOString().slice(0, 10)}.csv`;
    return new Document('text/csv; charset=utf-8', readOutput(ctx, programId, id), fileName);
  },
});
