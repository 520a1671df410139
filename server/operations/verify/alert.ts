// Opens an alert for every violated invariant, in the programs that its rows belong to, and resolves those that hold again.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { type Condition, listProgramIds, updateAlerts } from '../../messaging/alerts/update.ts';
import type { Finding } from './invariants.ts';

const Owned = z.object({ programId: z.string() });

export async function alertInvariants(ctx: Context, findings: readonly Finding[]): Promise<void> {
  const programIds = await listProgramIds(ctx);
  await updateAlerts(
    ctx,
    'invariant_broken',
    findings.flatMap((finding) => toConditions(finding, programIds)),
  );
}

/** A violation whose row has no program, such as a missing index, concerns all programs. */
function toConditions({ name, broken }: Finding, programIds: readonly string[]): Condition[] {
  const counts = new Map<string, number>();
  for (const row of broken) {
    const { data } = Owned.safeParse(row);
    for (const id of data ? [data.programId] : programIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return programIds.flatMap((programId) => {
    const count = counts.get(programId);
    if (count === undefined) return [];
    const reason = `Violated by ${count === 1 ? 'one row' : `${count} rows`}: ${name}.`;
    return [{ programId, subject: name, name, reason }];
  });
}
