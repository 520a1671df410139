// Maturing: when its hold is over, a pending commission becomes payable. By a schedule, program after
// program, in small transactions; running twice or at once matures nothing twice.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { maxBalanceCents } from '../../platform/lib/money.ts';
import { job } from '../../platform/queue/job.ts';
import { openLedger, post } from '../ledger/post.ts';
import { changeStatus } from './change.ts';
import { lockCommissions } from './commission.ts';

const chunk = 500;
const actor = { kind: 'schedule' as const, id: 'commissions.mature' };

export const matureCommissions = job<object>({
  name: 'commissions.mature',
  retries: 3,
  cron: '*/5 * * * *',
  async run(ctx) {
    await matureAll(ctx);
  },
});

/** Matures everything that is due in every program. Returns how many commissions it was. */
export async function matureAll(ctx: Context): Promise<number> {
  const { rows } = await sql<{ programId: string }>`
    select distinct program_id from commissions where status = 'pending' and matures_at <= ${ctx.clock.now()}`.execute(ctx.db);
  let matured = 0;
  for (const { programId } of rows) {
    for (;;) {
      const count = await transact(ctx, (tx) => matureSome(tx, programId));
      matured += count;
      if (count < chunk) break;
    }
  }
  return matured;
}

/** Matures up to 500 commissions of a program. */
export async function matureSome(tx: Tx, programId: string): Promise<number> {
  const ledger = await openLedger(tx, programId);
  const due = await tx.db
    .selectFrom('commissions')
    .select('id')
    .where('programId', '=', programId)
    .where('status', '=', 'pending')
    .where('maturesAt', '<=', tx.clock.now())
    // The ledger takes no larger transfer; without this one such row would keep all others of the program from maturing.
    .where('amountCents', '<=', maxBalanceCents)
    .orderBy('maturesAt')
    .limit(chunk)
    .execute();
  const rows = await lockCommissions(
    tx,
    programId,
    due.map(({ id }) => id),
  );
  await post(tx, ledger, await changeStatus(tx, ledger, { rows, to: 'approved', kind: 'mature' }, { actor, reason: null }));
  return rows.length;
}
