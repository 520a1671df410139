// Writes the file of an export in steps. Each step adds the next rows in the transaction that records the position after
// them, so that the file has every row once, however often the process is killed.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { type StepResult, type Task, type TaskJob, taskJob } from '../../platform/background-tasks/background-task.ts';
import { addOutput } from '../../platform/background-tasks/output.ts';
import { transact } from '../../platform/db/transact.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job, jobName } from '../../platform/queue/job.ts';
import { type ExportedList, type Reader, type Row, writeHeader, writeRows } from './exported-list.ts';
import { exportedLists, exportNames } from './lists.ts';
import { readPage, readSlice } from './read.ts';

/** What an export writes: a page of the table, the selected rows, or all that match. */
export const ExportInput = z.object({
  list: z.enum(exportNames),
  rows: z.enum(['page', 'selected', 'all']),
  ids: z.array(z.string()),
  query: z.record(z.string(), z.unknown()),
});
type ExportInput = z.infer<typeof ExportInput>;

type Progress = { after: string | null; number: number };

/** The kind of the background tasks. */
export const exportKind = 'lists.export';

export const exportJob = jobName<TaskJob>('exports.run');

export const runExport = taskJob<Progress>(exportJob, () => exportStep);

/** An export without progress for this long belonged to a process that ended. The queue repeats its job only a few times. */
const lostMs = 60_000;

/** Continues exports whose process was killed. Two jobs of one export take turns, so that enqueuing one too many is harmless. */
export const resumeExports = job<Record<string, never>>({
  name: 'exports.resume',
  retries: 0,
  cron: '* * * * *',
  async run(ctx) {
    const before = new Date(ctx.clock.now().getTime() - lostMs);
    await forEachProgram(ctx, {
      find: (scope) => sql`
        select distinct program_id from background_tasks
        where kind = ${exportKind} and finished_at is null and created_at < ${before} and ${scope}`,
      run: (programId) => resumeLost(ctx, programId, before),
    });
  },
});

async function resumeLost(ctx: Context, programId: string, before: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from background_tasks as task
    where program_id = ${programId} and kind = ${exportKind} and finished_at is null and created_at < ${before} and not exists (
      select from background_task_outputs as output
      where output.program_id = ${programId} and output.task_id = task.id and output.created_at >= ${before}
    )`.execute(ctx.db);
  for (const { id } of rows) await transact(ctx, (tx) => tx.jobs.enqueue(tx, exportJob, { programId, taskId: id }));
}

/** Rows per step: well below a second of work, and few enough to be kept in memory. */
const stepRows = 500;

/** Adds the next part of the file. */
export async function exportStep(tx: Tx, task: Task<Progress>): Promise<StepResult<Progress>> {
  const input = ExportInput.parse(task.input);
  const exported = exportedLists[input.list];
  const programs = tx.db.selectFrom('programs').select('currency').where('id', '=', task.programId);
  const reader = { programId: task.programId, currency: (await programs.executeTakeFirstOrThrow()).currency };
  const { after = null, number = 0 } = task.progress;
  const { rows, next } = await readRows(tx, exported, reader, { input, after });
  const content = writeRows(exported, rows, reader);
  const part = { programId: task.programId, taskId: task.id, number: number + 1 };
  await addOutput(tx, { ...part, content: number === 0 ? writeHeader(exported) + content : content });
  const done = task.done + rows.length;
  const isFinished = next === null || (input.rows === 'selected' && done >= input.ids.length);
  return { done, progress: { after: next, number: part.number }, isFinished };
}

type Position = { input: ExportInput; after: string | null };

async function readRows(tx: Tx, exported: ExportedList, reader: Reader, { input, after }: Position) {
  if (input.rows === 'page') return { rows: await readPage(tx, exported, reader, input.query), next: null };
  const found = await readSlice(tx, exported, reader, { query: input.query, after, limit: stepRows });
  if (input.rows === 'all') return found;
  const selected = new Set(input.ids);
  return { rows: found.rows.filter((row: Row) => selected.has(String(row.id))), next: found.next };
}
