// Checks the invariants every night. A violation opens an alert, and is logged as an error with `alert`, for monitoring. In
// programs without one, the end of the ledger is recorded in the audit log, so that a truncated ledger is detected even if its
// head was changed too.

import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { type ProgramFailure, throwFailures, tryEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import { alertInvariants } from './alert.ts';
import { checkPrograms } from './invariants.ts';

export const watchInvariants = job<object>({
  name: 'verify.watch',
  retries: 1,
  cron: '17 3 * * *',
  async run(ctx) {
    const report = await checkPrograms(ctx);
    await alertInvariants(ctx, report);
    const broken = report.findings.filter((finding) => finding.broken.length > 0);
    for (const { name, broken: rows } of broken)
      ctx.log.error({ alert: 'invariant_broken', invariant: name, found: rows.length, example: rows[0] }, 'an invariant is violated');
    const intact = new Set(report.intactProgramIds);
    throwFailures([...report.failures, ...(await sealLedgers(ctx, (programId) => intact.has(programId)))]);
  },
});

/** Records the last entry of every ledger with entries since the last record. Returns the programs that failed. */
export function sealLedgers(ctx: Context, isChosen: (programId: string) => boolean = () => true): Promise<ProgramFailure[]> {
  return tryEachProgram(ctx, {
    async run(programId) {
      if (isChosen(programId)) await sealLedger(ctx, programId);
    },
  });
}

async function sealLedger(ctx: Context, programId: string): Promise<void> {
  const { rows } = await sql<{ seq: number; hash: Buffer }>`
    select head.seq, head.hash from ledger_heads as head
    join ledger_entries as entry on entry.program_id = ${programId} and entry.seq = head.seq
    where head.program_id = ${programId} and not exists (
      select from audit_log as seal
      where seal.program_id = ${programId} and seal.action = 'ledger.sealed' and seal.created_at >= entry.created_at)`.execute(ctx.db);
  for (const { seq, hash } of rows) {
    const after = { seq, hash: hash.toString('hex') };
    const actor = { kind: 'command' as const, id: 'verify.watch' };
    await transact(ctx, (tx) => recordChange(tx, { programId, actor, action: 'ledger.sealed', subjectId: programId, after }));
  }
}
