// Checks the invariants every night. A violation opens an alert, and is logged as an error with `alert`, for monitoring. If there are none,
// the end of each ledger is recorded in the audit log, so that a truncated ledger is detected even if its head was changed
// too.

import type { Context } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { job } from '../../platform/queue/job.ts';
import { alertInvariants } from './alert.ts';
import { checkInvariants } from './invariants.ts';

export const watchInvariants = job<object>({
  name: 'verify.watch',
  retries: 1,
  cron: '17 3 * * *',
  async run(ctx) {
    const findings = await checkInvariants(ctx);
    await alertInvariants(ctx, findings);
    const broken = findings.filter((finding) => finding.broken.length > 0);
    for (const { name, broken: rows } of broken)
      ctx.log.error({ alert: 'invariant_broken', invariant: name, found: rows.length, example: rows[0] }, 'an invariant is violated');
    if (broken.length === 0) await sealLedgers(ctx);
  },
});

/** Records the last entry of every ledger with entries since the last record. */
export async function sealLedgers(ctx: Context): Promise<void> {
  const heads = await ctx.db
    .selectFrom('ledgerHeads as head')
    .select(['head.programId', 'head.seq', 'head.hash'])
    .where('head.seq', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('auditLog as seal')
            .select('seal.id')
            .whereRef('seal.programId', '=', 'head.programId')
            .where('seal.action', '=', 'ledger.sealed')
            .whereRef('seal.createdAt', '>=', ({ selectFrom: from }) =>
              from('ledgerEntries as entry')
                .select('entry.createdAt')
                .whereRef('entry.programId', '=', 'head.programId')
                .whereRef('entry.seq', '=', 'head.seq'),
            ),
        ),
      ),
    )
    .execute();
  for (const { programId, seq, hash } of heads) {
    const after = { seq, hash: hash.toString('hex') };
    const actor = { kind: 'command' as const, id: 'verify.watch' };
    await transact(ctx, (tx) => recordChange(tx, { programId, actor, action: 'ledger.sealed', subjectId: programId, after }));
  }
}
