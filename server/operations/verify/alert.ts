// Opens an alert for every violated invariant, in the programs that its rows belong to, and resolves those that hold again.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { type Condition, updateAlerts } from '../../messaging/alerts/update.ts';
import { listPrograms } from '../../platform/queue/each-program.ts';
import type { Finding, Report } from './invariants.ts';

const Owned = z.object({ programId: z.string() });

/** Opens and resolves alerts in the programs that were checked. Throws `ProgramsFailed` at the end. */
export async function alertInvariants(ctx: Context, { findings, failures }: Pick<Report, 'findings' | 'failures'>): Promise<void> {
  const unchecked = new Set(failures.map(({ programId }) => programId));
  const programIds = (await listPrograms(ctx)).filter((programId) => !unchecked.has(programId));
  const conditions = findings.flatMap((finding) => toConditions(finding, programIds));
  await updateAlerts(ctx, 'invariant_broken', { conditions, scope: sql`program_id = any(${programIds}::uuid[])` });
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
