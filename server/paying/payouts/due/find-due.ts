// Finds what is due to affiliates. Debts are netted first: an affiliate is paid all that is owed less all that they owe
// back, never a single commission. Nothing that was paid is included (Contract §7 rule 5).
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { maxBalanceCents } from '../../../platform/lib/money.ts';
import { isValidAt } from '../../tax/tax-form.ts';
import type { ChosenProvider } from '../choose-provider.ts';

export const SkipReason = z
  .enum([
    'below_minimum',
    'no_payout_method',
    'tax_form_missing',
    'negative_balance',
    'affiliate_not_active',
    'on_hold',
    'provider_unavailable',
    'amount_too_large',
  ])
  .describe(
    '`on_hold`: the payout details were changed less than 72 hours ago. `provider_unavailable`: the provider does not support the ' +
      "affiliate's payout method.",
  )
  .meta({ id: 'PayoutSkipReason' });
type SkipReason = z.infer<typeof SkipReason>;

export type DueQuery = {
  cutoffAt: Date;
  affiliateIds?: readonly string[] | undefined;
  minimumPayoutCents?: number | undefined;
};

export type DuePayout = {
  affiliateId: string;
  amountCents: number;
  commissionCount: number;
  periodStartAt: Date;
  method: string | null;
  destination: Buffer | null;
  fingerprint: string | null;
};
type Candidate = DuePayout & { status: string; minimumCents: number; usableFrom: Date | null; hasForm: boolean; needsForm: boolean };
export type Due = { due: DuePayout[]; skipped: { affiliateId: string; amountCents: number; reason: SkipReason }[] };

/** What is due, in the order of the affiliates' ids. Lock the ledger first to act on it. */
export async function findDue(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  query: DueQuery,
  provider: ChosenProvider,
): Promise<Due> {
  const now = ctx.clock.now();
  const found: Due = { due: [], skipped: [] };
  for (const candidate of await readCandidates(ctx, programId, query, now)) {
    const reason = findSkipReason(candidate, { provider, now });
    if (reason) found.skipped.push({ affiliateId: candidate.affiliateId, amountCents: candidate.amountCents, reason });
    else found.due.push(candidate);
  }
  return found;
}

/** Why an affiliate is skipped, the most permanent reason first; null for an affiliate who is paid. */
function findSkipReason(candidate: Candidate, { provider, now }: { provider: ChosenProvider; now: Date }): SkipReason | null {
  const { amountCents, status, minimumCents, method, usableFrom, hasForm, needsForm } = candidate;
  if (amountCents <= 0) return 'negative_balance';
  if (amountCents > maxBalanceCents) return 'amount_too_large';
  if (status !== 'active') return 'affiliate_not_active';
  if (amountCents < minimumCents) return 'below_minimum';
  if (needsForm && !hasForm) return 'tax_form_missing';
  if (usableFrom && usableFrom > now) return 'on_hold';
  if (provider.methods.length === 0) return null;
  if (!method) return 'no_payout_method';
  return provider.methods.some((supported) => supported === method) ? null : 'provider_unavailable';
}

async function readCandidates(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { cutoffAt, affiliateIds, minimumPayoutCents }: DueQuery,
  now: Date,
): Promise<Candidate[]> {
  const only = affiliateIds ? sql`and affiliate_id = any(${affiliateIds}::uuid[])` : sql``;
  // Every debt is netted; earnings are included if they had matured by `cutoffAt`.
  const { rows } = await sql<Candidate>`
    select owed.*, affiliate.status, detail.method, detail.encrypted_destination as destination, detail.fingerprint, detail.usable_from,
      coalesce(${minimumPayoutCents ?? null}::bigint, team.minimum_payout_cents, program.minimum_payout_cents) as minimum_cents,
      program.tax_forms = 'required' as needs_form, form.id is not null as has_form
    from (
      select affiliate_id, sum(amount_cents - reversed_cents - settled_cents)::bigint as amount_cents, count(*) as commission_count,
        min(created_at) as period_start_at
      from commissions
      where program_id = ${programId} and (${isOwed} or ${isAboutToMature(cutoffAt)}) and ${isDueBy(cutoffAt)} ${only}
      group by affiliate_id
    ) as owed
    join programs as program on program.id = ${programId}
    join affiliates as affiliate on affiliate.program_id = program.id and affiliate.id = owed.affiliate_id
    left join groups as team on team.program_id = program.id and team.id = affiliate.group_id
    left join payout_details as detail on detail.program_id = program.id and detail.affiliate_id = affiliate.id
    left join tax_forms as form on form.program_id = program.id and form.affiliate_id = affiliate.id
      and ${isValidAt(now)}
    order by owed.affiliate_id`.execute(ctx.db);
  return rows;
}

/** Commissions with an amount owed to or by the affiliate. The condition of the index commissions_owing. */
export const isOwed = sql`status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents <> 0`;

/** Matured by the time, although the schedule has not updated the status yet. A dispatch updates it first. */
function isAboutToMature(cutoffAt: Date) {
  return sql`(status = 'pending' and matures_at <= ${cutoffAt})`;
}

/** Commissions that a dispatch with this cutoff includes. */
export function isDueBy(cutoffAt: Date) {
  return sql`(amount_cents - reversed_cents - settled_cents < 0 or (matures_at <= ${cutoffAt} and not ${isInTransit}))`;
}

/** Part of an open payout. A debt can be netted meanwhile; more is paid only after that payout is final. */
const isInTransit = sql`exists (select 1 from payout_lines as line
  where line.program_id = commissions.program_id and line.commission_id = commissions.id and line.is_live and line.cents > 0)`;
