// Every night: do the invariants hold? A break is logged as an error with `alert`, for whoever watches the
// log. Where everything holds, the end of each ledger is sealed in the audit log, so that what is cut off
// later is missed even if the head was changed too.

import type { Context } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { job } from '../../platform/queue/job.ts';
import { checkInvariants } from './invariants.ts';

export const watchInvariants = job<object>({
  name: 'verify.watch',
  retries: 1,
  cron: '17 3 * * *',
  async run(ctx) {
    const broken = (await checkInvariants(ctx)).filter((finding) => finding.broken.length > 0);
    for (const { name, broken: rows } of broken)
      ctx.log.error({ alert: 'invariant_broken', invariant: name, found: rows.length, example: rows[0] }, 'an invariant is broken');
    if (broken.length === 0) await sealLedgers(ctx);
  },
});

/** Notes the last entry of every ledger that has moved since its last seal. */
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
