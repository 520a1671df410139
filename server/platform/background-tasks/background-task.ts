// Long-running work with progress, such as an import. A task runs in steps, each in one transaction with its progress, so
// that a step is applied once, whatever happens to the process. After a while the job enqueues itself again: the queue
// would otherwise consider it lost.
import type { Selectable } from 'kysely';
import type { Context, JobName, Tx } from '../../context.ts';
import type { BackgroundTasks, Json } from '../db/schema.gen.ts';
import { transact } from '../db/transact.ts';
import type { Actor } from '../lib/actor.ts';
import { systemTime } from '../lib/clock.ts';
import { type Job, job } from '../queue/job.ts';

export type TaskJob = { programId: string; taskId: string };

type NewTask = {
  programId: string;
  actor: Actor;
  /** Noun and verb, such as `affiliates.import`. */
  kind: string;
  total: number;
  input: Record<string, Json>;
  /** What each step works on, if that is more than fits into `input`. */
  steps?: readonly Json[];
};

/** Stores the task and enqueues its job. Returns its id. */
export async function createTask(tx: Tx, job: JobName<TaskJob>, task: NewTask): Promise<string> {
  const taskId = await insertTask(tx, task);
  await tx.jobs.enqueue(tx, job, { programId: task.programId, taskId });
  return taskId;
}

/** Stores a task that is short enough to run in the transaction of its request, and runs all steps. Returns its id. */
export async function runShortTask<Progress extends object>(tx: Tx, task: NewTask, step: Step<Progress>): Promise<string> {
  const taskId = await insertTask(tx, task);
  while (await runStep(tx, { programId: task.programId, taskId }, step));
  return taskId;
}

async function insertTask(tx: Tx, { programId, actor, steps = [], ...task }: NewTask): Promise<string> {
  const taskId = tx.ids.uuid();
  await tx.db
    .insertInto('backgroundTasks')
    .values({
      programId,
      id: taskId,
      kind: task.kind,
      status: 'queued',
      total: task.total,
      input: JSON.stringify(task.input),
      actorKind: actor.kind,
      actorId: actor.id,
      createdAt: systemTime(tx),
    })
    .execute();
  for (const [step, input] of steps.entries()) {
    await tx.db
      .insertInto('backgroundTaskInputs')
      .values({ programId, taskId, step, input: JSON.stringify(input) })
      .execute();
  }
  return taskId;
}

export type Task<Progress> = {
  programId: string;
  id: string;
  actor: Actor;
  total: number;
  done: number;
  input: unknown;
  /** Empty at the first step. */
  progress: Partial<Progress>;
};

/** `done` and `progress` after a step. */
export type StepResult<Progress> = { done: number; progress: Progress; isFinished: boolean };

type Step<Progress extends object> = (tx: Tx, task: Task<Progress>) => Promise<StepResult<Progress>>;

/** How long one run of the job works before it enqueues itself again. */
const maxRunMs = 60_000;

/** Declares the job of a kind of tasks. `createStep` is called once in each run. After a kill, another process continues within a minute. */
export function taskJob<Progress extends object>(name: JobName<TaskJob>, createStep: () => Step<Progress>): Job<TaskJob> {
  return job({
    ...name,
    retries: 5,
    heartbeatSeconds: 15,
    run: (ctx, data, { isLast }) => runTask(ctx, name, { ...data, isLast }, createStep()),
  });
}

/** Runs steps until the task is finished, cancelled or has worked for a minute. */
async function runTask<Progress extends object>(
  ctx: Context,
  name: JobName<TaskJob>,
  { programId, taskId, isLast }: TaskJob & { isLast: boolean },
  step: Step<Progress>,
): Promise<void> {
  const startedAt = performance.now();
  try {
    while (performance.now() - startedAt < maxRunMs) {
      const isOpen = await transact(ctx, (tx) => runStep(tx, { programId, taskId }, step));
      if (!isOpen) return;
    }
    await transact(ctx, (tx) => tx.jobs.enqueue(tx, name, { programId, taskId }));
  } catch (error) {
    if (isLast) await transact(ctx, (tx) => finish(tx, { programId, taskId }, 'failed', 'The task stopped because of an internal error.'));
    throw error;
  }
}

/** Runs one step. False if nothing is left to do. */
async function runStep<Progress extends object>(tx: Tx, { programId, taskId }: TaskJob, step: Step<Progress>): Promise<boolean> {
  const row = await lockTask(tx, programId, taskId);
  if (!row || row.finishedAt !== null) return false;
  const { done, progress, isFinished } = await step(tx, {
    programId,
    id: taskId,
    actor: { kind: row.actorKind as Actor['kind'], id: row.actorId },
    total: row.total,
    done: row.done,
    input: row.input,
    progress: row.progress as Partial<Progress>,
  });
  const tasks = tx.db.updateTable('backgroundTasks').set({ done, progress: JSON.stringify(progress), status: 'running' });
  await tasks.where('programId', '=', programId).where('id', '=', taskId).execute();
  if (isFinished) await finish(tx, { programId, taskId }, 'succeeded');
  return !isFinished;
}

export async function lockTask(tx: Tx, programId: string, taskId: string): Promise<Selectable<BackgroundTasks> | undefined> {
  const tasks = tx.db.selectFrom('backgroundTasks').selectAll().where('programId', '=', programId).where('id', '=', taskId);
  return tasks.forUpdate().executeTakeFirst();
}

/** Ends the task. Deletes its remaining input, and its output if that is incomplete. */
export async function finish(
  tx: Tx,
  { programId, taskId }: TaskJob,
  status: 'succeeded' | 'failed' | 'cancelled',
  error: string | null = null,
): Promise<void> {
  const tasks = tx.db.updateTable('backgroundTasks').set({ status, error, finishedAt: systemTime(tx) });
  await tasks.where('programId', '=', programId).where('id', '=', taskId).execute();
  await tx.db.deleteFrom('backgroundTaskInputs').where('programId', '=', programId).where('taskId', '=', taskId).execute();
  if (status === 'succeeded') return;
  await tx.db.deleteFrom('backgroundTaskOutputs').where('programId', '=', programId).where('taskId', '=', taskId).execute();
}
