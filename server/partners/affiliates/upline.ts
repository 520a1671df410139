// Uplines for 2-tier commissions: an affiliate of the same program, not the affiliate itself, without cycles.

import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { lockPrograms } from '../../accounts/programs/lock-program.ts';
import type { Context, Tx } from '../../context.ts';
import { requireRow } from '../../platform/db/require-row.ts';
import { Invalid } from '../../platform/lib/errors.ts';

/** Rejects an upline of another program (404). */
export function requireUpline(tx: Tx, programId: string, parentAffiliateId: string): Promise<void> {
  return requireRow(tx, { table: 'affiliates', programId, id: parentAffiliateId, field: 'parentAffiliateId' });
}

/** Serialises changes of uplines in a program: two concurrent changes could create a cycle that neither of them detects. */
export async function lockUplines(tx: Tx, programId: string): Promise<void> {
  await lockPrograms(tx, [programId]);
}

/** Rejects (400) an upline from the affiliate's own downline. Call under `lockUplines`. */
export async function rejectCycle(tx: Tx, programId: string, affiliateId: string, parentAffiliateId: string): Promise<void> {
  if (!(await isInDownline(tx, programId, affiliateId, parentAffiliateId))) return;
  throw new Invalid([{ path: ['parentAffiliateId'], message: "must not be in this affiliate's own downline" }]);
}

/** Whether an upline is the affiliate itself or in its downline. Call under `lockUplines`. */
export async function isInDownline(tx: Tx, programId: string, affiliateId: string, parentAffiliateId: string): Promise<boolean> {
  const { rows } = await sql`
    with recursive chain (id) as (
      select ${parentAffiliateId}::uuid
      union
      select affiliate.parent_affiliate_id
      from chain join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = chain.id
      where affiliate.parent_affiliate_id is not null
    )
    select 1 from chain where id = ${affiliateId}`.execute(tx.db);
  return rows.length > 0;
}

export const AffiliateWarning = z
  .object({ code: z.enum(['upline_earns_nothing']), path: z.array(z.string()), message: z.string() })
  .meta({ id: 'AffiliateWarning' });
type AffiliateWarning = z.infer<typeof AffiliateWarning>;

/** The header of a response whose fields the contract fixes, with the codes of its warnings. */
const warningHeader = 'Tributary-Warning';

const earnsNothing: AffiliateWarning = {
  code: 'upline_earns_nothing',
  path: ['parentAffiliateId'],
  message: 'earns nothing: no commission rule of level 2 applies to this upline',
};

/** Whether a commission rule of level 2 that has not ended is for the row `upline` of affiliates. */
export function hasUplineRule(programId: string, now: Date, { isInEffect = false } = {}): RawBuilder<boolean> {
  return sql`exists (
    select from commission_rules as rule
    where rule.program_id = ${programId} and rule.level = 2 and rule.status = 'active'
      and (rule.effective_to is null or rule.effective_to > ${now})
      ${isInEffect ? sql`and (rule.effective_from is null or rule.effective_from <= ${now})` : sql``}
      and (rule.affiliate_id is null or rule.affiliate_id = upline.id)
      and (rule.group_id is null or rule.group_id = upline.group_id))`;
}

/** Which of these affiliates have an upline who earns nothing, because no rule of level 2 that has not ended is for them. */
export async function findUplineWarnings(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, AffiliateWarning[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string }>`
    select affiliate.id from affiliates as affiliate
    join affiliates as upline on upline.program_id = ${programId} and upline.id = affiliate.parent_affiliate_id
    where affiliate.program_id = ${programId} and affiliate.id = any(${[...ids]}::uuid[])
      and not ${hasUplineRule(programId, ctx.clock.now())}`.execute(ctx.db);
  return new Map(rows.map(({ id }) => [id, [earnsNothing]]));
}

/** The headers of a response to a request that set an upline. */
export async function warnOfUpline(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  { id, parentAffiliateId }: { id: string; parentAffiliateId?: string | null | undefined },
): Promise<Record<string, string>> {
  const warnings = parentAffiliateId ? (await findUplineWarnings(ctx, programId, [id])).get(id) : undefined;
  return warnings ? { [warningHeader]: warnings.map(({ code }) => code).join(', ') } : {};
}
