// Exports a list of the console. Up to 10,000 rows are in the file when the request returns; more are written by a job.
import { z } from 'zod';
import { recordChange } from '../../platform/audit/record.ts';
import { createTask, runShortTask } from '../../platform/background-tasks/background-task.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { ExportShape, getExportTask, requireExport, toExport } from './export.ts';
import { exportedLists, exportNames } from './lists.ts';
import { countMatches, parseQuery } from './read.ts';
import { exportJob, exportKind, exportStep } from './run-export.ts';

/** More rows are written in the background. */
const maxShortRows = 10_000;
const maxIds = 1_000;

export const createExport = endpoint({
  id: 'exports.create',
  route: 'POST /app/programs/:programId/exports',
  scope: 'write',
  requires: 'read',
  isUserOnly: true,
  tag: 'Exports',
  summary: 'Export a list',
  description:
    'Writes the rows of a list to a CSV file: one page of it, the selected rows, or all that match its filters. The file has the ' +
    'fields of the list in the order of the table; all affiliates are in the order in which they joined. Amounts are in cents, with ' +
    'their currency in a separate column. With up to 10,000 matches the file is finished when the request returns, otherwise the ' +
    'export continues in the background. The file can be downloaded for seven days.',
  body: z.strictObject({
    list: z.enum(exportNames).describe('The list, by its name in the console.'),
    rows: z.enum(['page', 'selected', 'all']),
    query: z
      .string()
      .max(10_000, 'must not be longer than 10000 characters')
      .default('')
      .describe(
        'The filters and the sort, as in the URL of the list: `status=pending&sort=-createdAt`. A page also has `limit` and `offset`.',
      ),
    ids: z.array(uuid).max(maxIds, `must not have more than ${maxIds} entries`).default([]).describe('The selected rows.'),
  }),
  statuses: [201],
  result: ExportShape,
  heavy: true,
  async handle(tx, { actor, body: { list, rows, ids, query: text } }) {
    await requireExport(tx, actor, list);
    if ((rows === 'selected') !== ids.length > 0)
      throw new Invalid([{ path: ['ids'], message: 'is required with selected rows, and only then' }]);
    const { programId, currency } = actor;
    const exported = exportedLists[list];
    const query = parseQuery(exported, text, rows);
    const matches = rows === 'page' ? 0 : await countMatches(tx, exported, { programId, currency }, query);
    const total = rows === 'selected' ? ids.length : matches;
    const filter = JSON.parse(JSON.stringify(query));
    const input = { list, rows, ids, query: filter };
    const task = { programId, actor, kind: exportKind, total, input };
    const id = matches > maxShortRows ? await createTask(tx, exportJob, task) : await runShortTask(tx, task, exportStep);
    // Decoded into parameters, because the audit log masks addresses only in decoded values.
    const after = { list, rows, filter };
    await recordChange(tx, { programId, actor, action: 'list.exported', subjectId: programId, after });
    return toExport(await getExportTask(tx, actor, id));
  },
});
