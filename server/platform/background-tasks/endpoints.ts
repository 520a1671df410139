// Background tasks in the console: their progress, and cancelling them between two steps.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { BackgroundTasks } from '../db/schema.gen.ts';
import { ActorShape } from '../http/declaration/actor-shape.ts';
import { endpoint } from '../http/declaration/endpoint.ts';
import { countOut, timestampOut, uuidOut } from '../http/declaration/fields.ts';
import { idSlot } from '../http/declaration/id-slot.ts';
import { cursorPage } from '../http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy } from '../http/declaration/lists.ts';
import { systemTime } from '../lib/clock.ts';
import { NothingToDo } from '../lib/errors.ts';
import { finish, lockTask } from './background-task.ts';

const TaskStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({ id: 'BackgroundTaskStatus' });

const BackgroundTask = z
  .object({
    id: uuidOut,
    kind: z.string().describe('Noun and verb, such as `affiliates.import`.'),
    status: TaskStatus,
    total: countOut.describe('The number of objects to work on.'),
    done: countOut.describe('How many of them are finished.'),
    counts: z.record(z.string(), z.number()).describe('The result so far, by outcome.'),
    problems: z
      .array(
        z.object({
          line: countOut.describe('The line of the file, or the position of the object.'),
          name: z.string().describe('What names the object, such as its email address.'),
          reason: z.string().describe('Why it was not processed, for people.'),
        }),
      )
      .describe('Up to 1,000 objects that were not processed, with the reason.'),
    error: z.string().nullable().describe('Why the task failed; null if it did not.'),
    actor: ActorShape,
    createdAt: timestampOut,
    finishedAt: timestampOut.nullable(),
  })
  .meta({
    id: 'BackgroundTask',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      kind: 'affiliates.import',
      status: 'running',
      total: 224,
      done: 100,
      counts: { invited: 95, existed: 4, rejected: 1 },
      problems: [{ line: 17, name: 'ada@', reason: 'email must be an email address' }],
      error: null,
      actor: { kind: 'user', id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14' },
      createdAt: '2026-11-20T09:00:00.000Z',
      finishedAt: null,
    },
  });

const Progress = z.object({
  counts: z.record(z.string(), z.number()).default({}),
  problems: z.array(z.object({ line: z.number(), name: z.string(), reason: z.string() })).default([]),
});

export type TaskProblem = z.infer<typeof Progress>['problems'][number];

function toTask(row: Selectable<BackgroundTasks>): z.input<typeof BackgroundTask> {
  return {
    ...Progress.parse(row.progress),
    id: row.id,
    kind: row.kind,
    status: TaskStatus.parse(row.status),
    total: row.total,
    done: row.done,
    error: row.error,
    actor: ActorShape.parse({ kind: row.actorKind, id: row.actorId }),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

const taskSlot = idSlot('backgroundTasks', 'The id of the background task.');

export const listBackgroundTasks = endpoint({
  id: 'backgroundTasks.list',
  route: 'GET /app/programs/:programId/background-tasks',
  scope: 'read',
  isUserOnly: true,
  tag: 'Background tasks',
  summary: 'List background tasks',
  description: 'A task is deleted 30 days after it ended.',
  query: z.object({ status: oneOf(TaskStatus), ...cursorPage, sort: sortBy('createdAt') }),
  statuses: [200],
  result: cursorListOf('backgroundTasks', BackgroundTask, 'BackgroundTaskList'),
  async handle(ctx, { actor, query: { status, limit, offset, sort, cursor } }) {
    let tasks = ctx.db.selectFrom('backgroundTasks').where('programId', '=', actor.programId);
    if (status) tasks = tasks.where('status', 'in', status);
    const { rows, total, nextCursor } = await findPage(tasks, { limit, offset, sort, cursor }, (selected) => selected.selectAll());
    return { backgroundTasks: rows.map(toTask), total, limit, offset, nextCursor };
  },
});

export const getBackgroundTask = endpoint({
  id: 'backgroundTasks.get',
  route: 'GET /app/programs/:programId/background-tasks/:id',
  scope: 'read',
  isUserOnly: true,
  tag: 'Background tasks',
  summary: 'Get a background task',
  path: { id: taskSlot },
  statuses: [200],
  result: BackgroundTask,
  async handle(ctx, { actor, params }) {
    const tasks = ctx.db.selectFrom('backgroundTasks').selectAll().where('programId', '=', actor.programId);
    return toTask(await tasks.where('id', '=', params.id).executeTakeFirstOrThrow());
  },
});

export const cancelBackgroundTask = endpoint({
  id: 'backgroundTasks.cancel',
  route: 'POST /app/programs/:programId/background-tasks/:id/cancel',
  scope: 'write',
  requires: 'affiliates.write',
  isUserOnly: true,
  tag: 'Background tasks',
  summary: 'Cancel a background task',
  description: 'What is finished stays. The task stops before its next step.',
  path: { id: taskSlot },
  statuses: [200],
  result: BackgroundTask,
  errors: [{ status: 422, code: 'task_finished', when: 'The task has already ended.' }],
  async handle(tx, { actor: { programId }, params: { id } }) {
    const row = await lockTask(tx, programId, id);
    if (!row || row.finishedAt !== null) throw new NothingToDo('task_finished', 'This task has already ended.');
    await finish(tx, { programId, taskId: id }, 'cancelled');
    return toTask({ ...row, status: 'cancelled', finishedAt: systemTime(tx) });
  },
});
