import type { Tx } from '../../../context.ts';

type Batch = { programId: string; id: string; dispatchedByKind: string; dispatchedById: string };

/**
 * Who prepared a batch and must not approve it; null if every approver can. A batch of the schedule that needs a second person
 * counts as prepared by the member who last changed the schedule.
 */
export async function findRequester({ db }: Tx, { programId, id, dispatchedByKind, dispatchedById }: Batch): Promise<string | null> {
  if (dispatchedByKind !== 'schedule') return dispatchedById;
  const runs = db.selectFrom('payoutScheduleRuns').select('requestedById').where('programId', '=', programId);
  const run = await runs.where('batchId', '=', id).executeTakeFirst();
  return run === undefined ? dispatchedById : run.requestedById;
}
