// Applies a decision when it can no longer be undone, with the same code as a decision by API key.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import type { PendingDecisions } from '../../platform/db/schema.gen.ts';
import { transact } from '../../platform/db/transact.ts';
import { ApiError } from '../../platform/lib/errors.ts';
import { job } from '../../platform/queue/job.ts';
import { decideOnContent } from '../bounties/submissions/decide.ts';
import { decide } from '../claims/decide.ts';
import { resolve } from '../fraud/resolve.ts';
import { openLedger } from '../ledger/post.ts';
import { applyJob } from './pending.ts';

type Row = Selectable<PendingDecisions>;
type Given = { programId: string; id: string };

export const applyDecision = job<Given>({
  name: applyJob.name,
  retries: 10,
  async run(ctx, given) {
    try {
      await transact(ctx, (tx) => apply(tx, given));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Someone else decided in the meantime, or what the decision needs has changed: the item awaits a decision again.
      ctx.log.info({ programId: given.programId, decisionId: given.id, code: error.code }, 'a decision was no longer possible');
      await transact(ctx, (tx) => end(tx, given, 'dropped'));
    }
  },
});

async function apply(tx: Tx, given: Given): Promise<void> {
  await openLedger(tx, given.programId);
  const row = await lockOpen(tx, given);
  if (!row) return;
  await makeDecision(tx, row);
  await end(tx, given, 'applied');
}

async function lockOpen(tx: Tx, { programId, id }: Given): Promise<Row | undefined> {
  const rows = tx.db.selectFrom('pendingDecisions').selectAll().where('programId', '=', programId).where('id', '=', id);
  return rows.where('outcome', 'is', null).forUpdate().executeTakeFirst();
}

async function makeDecision(tx: Tx, { programId, kind, subjectId, decision, note, userId }: Row): Promise<void> {
  const by = { id: subjectId, note, actor: { kind: 'user' as const, id: userId } };
  if (kind === 'claim') await decide(tx, programId, { ...by, decision: z.enum(['accepted', 'rejected']).parse(decision) });
  else if (kind === 'bounty_submission')
    await decideOnContent(tx, programId, { ...by, decision: z.enum(['approved', 'rejected']).parse(decision) });
  else await resolve(tx, programId, { ...by, resolution: z.enum(['legitimate', 'fraud']).parse(decision) });
}

async function end(tx: Tx, { programId, id }: Given, outcome: 'applied' | 'dropped'): Promise<void> {
  await tx.db
    .updateTable('pendingDecisions')
    .set({ outcome, endedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute();
}
