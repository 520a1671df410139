// Importing affiliates from CSV in the console: a dry run says what would happen to each line; the import itself is a
// background task.
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { createTask, type StepResult, type Task, type TaskJob, taskJob } from '../../../platform/background-tasks/background-task.ts';
import type { TaskProblem } from '../../../platform/background-tasks/endpoints.ts';
import type { Json } from '../../../platform/db/schema.gen.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { jobName } from '../../../platform/queue/job.ts';
import { readTable } from '../csv.ts';
import { checkRows, type SentRow } from './check-rows.ts';
import { type ImportField, importFields, matchColumns, toInvitation } from './columns.ts';
import { inviteRows } from './invite-rows.ts';

const maxBytes = 10 * 1024 * 1024;
const maxRows = 50_000;
const stepRows = 50;
/** Problems that a response contains. */
const maxProblems = 1000;

const Field = z.enum(importFields);
const Body = z
  .object({
    csv: z.string().describe('A table with a header row, at most 50,000 lines and 10 MB.'),
    columns: z.record(z.string(), Field.nullable()).default({}).describe('The field of a column, by its name. Others are matched by name.'),
    groupId: uuid.nullable().optional().describe('For lines without a group.'),
    autoApprove: z.boolean().default(false).describe('For lines without a value.'),
    sendInvite: z.boolean().default(true).describe('For lines without a value.'),
    dryRun: z.boolean().default(false),
  })
  .meta({ id: 'AffiliateImport', example: { csv: 'email,name\nada@example.com,Ada Lovelace\n', dryRun: true } });

const Column = z
  .object({
    name: z.string().describe('The name in the header row.'),
    field: Field.nullable().describe('The field that the column fills; null if it is not imported.'),
    samples: z.array(z.string()),
  })
  .meta({ id: 'ImportColumn' });
const Problem = z
  .object({
    line: countOut.describe('The line of the file; the header is line 1.'),
    name: z.string().describe('The email address in the line.'),
    reason: z.string().describe('Why the line was rejected, for people.'),
  })
  .meta({ id: 'ImportProblem' });

export const importAffiliatesFromCsv = endpoint({
  id: 'affiliates.import',
  route: 'POST /app/programs/:programId/affiliates/import',
  scope: 'write',
  requires: 'affiliates.write',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Import affiliates from CSV',
  description:
    'A dry run returns how the columns are understood and what would happen to each line. The import itself is a background task, ' +
    'which reports its progress and the lines that it rejected.',
  body: Body,
  bodyLimitBytes: maxBytes,
  heavy: true,
  statuses: [200],
  result: z
    .object({
      total: countOut.describe('Lines below the header.'),
      valid: countOut.describe('Affiliates who will be invited.'),
      existed: countOut.describe('Affiliates who exist already; they are not changed.'),
      rejected: countOut.describe('Lines that are invalid.'),
      columns: z.array(Column),
      problems: z.array(Problem).describe('The first 1,000 rejected lines. `name` is the email address in the line.'),
      backgroundTaskId: uuidOut.nullable(),
    })
    .meta({
      id: 'AffiliateImportResult',
      example: {
        total: 224,
        valid: 212,
        existed: 9,
        rejected: 3,
        columns: [{ name: 'E-mail', field: 'email', samples: ['ada@example.com'] }],
        problems: [{ line: 17, name: 'ada@', reason: 'email must be an email address' }],
        backgroundTaskId: null,
      },
    }),
  async handle(tx, { actor, body }) {
    const table = await parseTable(body);
    const checked = await checkRows(tx, actor.programId, table.rows);
    const problems = checked.flatMap((row): TaskProblem[] =>
      row.outcome === 'rejected' ? [{ line: row.line, name: row.email, reason: row.reason }] : [],
    );
    const valid = checked.filter(({ outcome }) => outcome === 'valid').length;
    const isStarted = !body.dryRun && valid > 0;
    return {
      total: checked.length,
      valid,
      existed: checked.filter(({ outcome }) => outcome === 'existed').length,
      rejected: problems.length,
      columns: table.columns,
      problems: problems.slice(0, maxProblems),
      backgroundTaskId: isStarted ? await startImport(tx, actor, table.rows) : null,
    };
  },
});

type Table = { columns: z.input<typeof Column>[]; rows: SentRow[] };

async function parseTable({ csv, columns, groupId, autoApprove, sendInvite }: z.output<typeof Body>): Promise<Table> {
  const defaults = groupId ? { autoApprove, sendInvite, groupId } : { autoApprove, sendInvite };
  const rows: SentRow[] = [];
  const samples: string[][] = [];
  let names: readonly string[] = [];
  let fields: (ImportField | null)[] = [];
  const readHeader = (header: readonly string[]): void => {
    names = header;
    fields = matchColumns(header, columns);
  };
  for await (const row of readTable(Readable.from([csv]), readHeader)) {
    if (rows.length === maxRows) throw new Invalid([{ path: ['csv'], message: `must not have more than ${maxRows} lines` }]);
    if (samples.length < 3) samples.push(row.cells);
    rows.push({ line: row.line, given: { ...defaults, ...toInvitation(fields, row.cells) } });
  }
  const described = names.map((name, index) => ({
    name,
    field: fields[index] ?? null,
    samples: samples.flatMap((cells) => cells[index]?.slice(0, 100) || []),
  }));
  return { columns: described, rows };
}

const importJob = jobName<TaskJob>('affiliates.import');

async function startImport(tx: Tx, actor: Parameters<typeof createTask>[2]['actor'] & { programId: string }, rows: readonly SentRow[]) {
  const steps: Json[] = [];
  for (let from = 0; from < rows.length; from += stepRows) steps.push(JSON.parse(JSON.stringify(rows.slice(from, from + stepRows))));
  const task = { programId: actor.programId, actor, kind: 'affiliates.import', total: rows.length, input: {}, steps };
  return createTask(tx, importJob, task);
}

type Progress = { step: number; counts: { invited: number; existed: number; rejected: number }; problems: TaskProblem[] };

export const runImport = taskJob<Progress>(importJob, () => importStep);

const StepRows = z.array(z.object({ line: z.number(), given: z.record(z.string(), z.unknown()) }));

async function importStep(tx: Tx, task: Task<Progress>): Promise<StepResult<Progress>> {
  const { step = 0, counts = { invited: 0, existed: 0, rejected: 0 }, problems = [] } = task.progress;
  const inputs = tx.db.selectFrom('backgroundTaskInputs').select('input').where('programId', '=', task.programId);
  const input = await inputs.where('taskId', '=', task.id).where('step', '=', step).executeTakeFirst();
  const rows = await inviteRows(tx, { programId: task.programId, actor: task.actor }, StepRows.parse(input?.input ?? []));
  const countOf = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
  const rejected = rows.flatMap(({ line, email, reason }) => (reason === null ? [] : [{ line, name: email, reason }]));
  const done = task.done + rows.length;
  return {
    done,
    progress: {
      step: step + 1,
      counts: {
        invited: counts.invited + countOf('invited'),
        existed: counts.existed + countOf('existed'),
        rejected: counts.rejected + countOf('rejected'),
      },
      problems: [...problems, ...rejected].slice(0, maxProblems),
    },
    isFinished: input === undefined || done >= task.total,
  };
}
