// The background task that changes more affiliates than a request can: in steps, in the order of their ids.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { type StepResult, type Task, type TaskJob, taskJob } from '../../../platform/background-tasks/background-task.ts';
import { jobName } from '../../../platform/queue/job.ts';
import { AffiliateFilter } from '../filter/filter.ts';
import { selectMatches } from '../filter/matches.ts';
import { BulkChange, changeAll, changesAffiliate } from './bulk-change.ts';

export const changeAffiliatesJob = jobName<TaskJob>('affiliates.change');

const stepSize = 50;

/** Affiliates who join after the start are not changed: the user hasn't seen them. */
const Input = z.object({
  selected: AffiliateFilter.extend({ ids: z.array(z.string()).optional() }),
  change: BulkChange,
  sending: z.object({ note: z.string().nullable().optional(), sendEmail: z.boolean() }),
  startedAt: z.string(),
});

type Progress = { lastId: string; counts: { changed: number } };

export const runBulkChange = taskJob<Progress>(changeAffiliatesJob, () => changeSome);

async function changeSome(tx: Tx, task: Task<Progress>): Promise<StepResult<Progress>> {
  const { selected, change, sending, startedAt } = Input.parse(task.input);
  const { from } = selectMatches({ ...selected, programId: task.programId }, { affiliates: true });
  const lastId = task.progress.lastId ?? '00000000-0000-0000-0000-000000000000';
  const has = changesAffiliate(change, new Date(startedAt));
  const { rows } = await sql<{ id: string; tags: string[] }>`
    select affiliate.id, affiliate.tags ${from} and ${has}
      and affiliate.id > ${lastId}::uuid and affiliate.created_at <= ${new Date(startedAt)}
    order by affiliate.id limit ${stepSize} for no key update of affiliate`.execute(tx.db);
  const actor = { ...task.actor, programId: task.programId };
  await changeAll(tx, actor, rows, { change, sending, undoUntil: undefined });
  const done = task.done + rows.length;
  return {
    done,
    progress: { lastId: rows.at(-1)?.id ?? lastId, counts: { changed: done } },
    isFinished: rows.length < stepSize,
  };
}
