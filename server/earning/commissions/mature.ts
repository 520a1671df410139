// Maturing: a pending commission becomes payable when its hold period has ended. A schedule does this program by program,
// in small transactions; concurrent or repeated runs never mature a commission twice.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { maxBalanceCents } from '../../platform/lib/money.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import { openLedger, post } from '../ledger/post.ts';
import { changeStatus } from './change.ts';
import { lockCommissions } from './commission.ts';

const commissionsPerTransaction = 500;
const actor = { kind: 'schedule' as const, id: 'commissions.mature' };

export const matureCommissions = job<object>({
  name: 'commissions.mature',
  retries: 3,
  cron: '*/5 * * * *',
  async run(ctx) {
    await matureAll(ctx);
  },
});

/** Matures all due commissions of every program. Returns their number. */
export async function matureAll(ctx: Context): Promise<number> {
  let matured = 0;
  await forEachProgram(ctx, {
    find: (scope, now) => sql`select distinct program_id from commissions where status = 'pending' and matures_at <= ${now} and ${scope}`,
    async run(programId, own) {
      matured += await matureDue(own, programId);
    },
  });
  return matured;
}

/** Matures all due commissions of a program. Returns their number. */
export async function matureDue(ctx: Context, programId: string): Promise<number> {
  for (let matured = 0; ; ) {
    const count = await transact(ctx, (tx) => matureSome(tx, programId));
    matured += count;
    if (count < commissionsPerTransaction) return matured;
  }
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
    // The ledger accepts no larger transfer; without this, one such row would block all others of the program.
    .where('amountCents', '<=', maxBalanceCents)
    .orderBy('maturesAt')
    .limit(commissionsPerTransaction)
    .execute();
  const rows = await lockCommissions(
    tx,
    programId,
    due.map(({ id }) => id),
  );
  await post(tx, ledger, await changeStatus(tx, ledger, { rows, to: 'approved', kind: 'mature' }, { actor, reason: null }));
  return rows.length;
}
