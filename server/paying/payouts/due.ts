// What would be paid now, and who is passed over and why. Debts are netted first: what an affiliate is paid is all
// that is owed less all that is owed back, never a single commission (Contract §7 rule 5: nothing paid is in it).
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cents, centsOut, countOut, timestampIn, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { maxBalanceCents, sumForDisplay } from '../../platform/lib/money.ts';
import { isValidAt } from '../tax/tax-form.ts';
import { type PayBy, payBy } from './pay-by.ts';

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
    'on_hold: the payout details were changed less than 72 hours ago. provider_unavailable: this provider can’t pay the way they want.',
  )
  .meta({ id: 'PayoutSkipReason' });
type SkipReason = z.infer<typeof SkipReason>;

export const SkippedShape = z.object({ affiliateId: uuidOut, amountCents: centsOut, reason: SkipReason }).meta({ id: 'SkippedPayout' });
const DueShape = z.object({ affiliateId: uuidOut, amountCents: centsOut, commissionCount: countOut }).meta({ id: 'DuePayout' });

/** Whose money is asked for, up to when, and from how much on. */
export type Wanted = {
  asOf: Date;
  affiliateIds?: readonly string[] | undefined;
  minimumPayoutCents?: number | undefined;
};

export type Debtor = {
  affiliateId: string;
  amountCents: number;
  commissionCount: number;
  periodStart: Date;
  method: string | null;
  destination: Buffer | null;
  fingerprint: string | null;
};
type Candidate = Debtor & { status: string; minimumCents: number; usableFrom: Date | null; hasForm: boolean; needsForm: boolean };
export type Due = { due: Debtor[]; skipped: { affiliateId: string; amountCents: number; reason: SkipReason }[] };

export const listDue = endpoint({
  id: 'payouts.due',
  route: 'GET /v1/programs/:programId/payouts/due',
  scope: 'read',
  tag: 'Payouts',
  summary: 'What would be paid now',
  description: 'What `POST …/payouts/dispatch` would pay now: how much to whom, and who would be skipped, and why.',
  query: z.object({
    providerId: uuid.optional().describe('Default: the default payout provider.'),
    asOf: timestampIn.optional().describe('Only what had matured by then. Default: now.'),
  }),
  statuses: [200],
  result: z
    .object({ asOf: timestampOut, currency: z.string(), totalCents: centsOut, due: z.array(DueShape), skipped: z.array(SkippedShape) })
    .meta({ id: 'DuePayouts' }),
  async handle(ctx, { actor: { programId }, query }) {
    const asOf = momentOf(query.asOf, ctx.clock.now());
    const by = await payBy(ctx, programId, query.providerId);
    const { due, skipped } = await findDue(ctx, programId, { asOf }, by);
    return {
      asOf: asOf.toISOString(),
      currency: by.currency,
      totalCents: sumForDisplay(due.map(({ amountCents }) => amountCents)),
      due,
      skipped,
    };
  },
});

/** Nobody can be paid what matures tomorrow. */
export function momentOf(asOf: Date | undefined, now: Date): Date {
  if (asOf && asOf > now) throw new Invalid([{ path: ['asOf'], message: 'must not be in the future' }]);
  return asOf ?? now;
}

export const minimum = cents.describe('Pay nobody less than this; never less than the program’s or the group’s minimum unless given.');

/** Who is due, by affiliate id. Read it with the ledger open to act on it. */
export async function findDue(ctx: Pick<Context, 'db' | 'clock'>, programId: string, wanted: Wanted, by: PayBy): Promise<Due> {
  const now = ctx.clock.now();
  const candidates = await readCandidates(ctx, programId, wanted, now);
  const found: Due = { due: [], skipped: [] };
  for (const candidate of candidates) {
    const reason = skipReason(candidate, { by, now });
    if (reason) found.skipped.push({ affiliateId: candidate.affiliateId, amountCents: candidate.amountCents, reason });
    else found.due.push(candidate);
  }
  return found;
}

/** Why somebody is passed over, the most lasting reason first; null pays them. */
function skipReason(candidate: Candidate, { by, now }: { by: PayBy; now: Date }): SkipReason | null {
  const { amountCents, status, minimumCents, method, usableFrom, hasForm, needsForm } = candidate;
  if (amountCents <= 0) return 'negative_balance';
  if (amountCents > maxBalanceCents) return 'amount_too_large';
  if (status !== 'active') return 'affiliate_not_active';
  if (amountCents < minimumCents) return 'below_minimum';
  if (needsForm && !hasForm) return 'tax_form_missing';
  if (usableFrom && usableFrom > now) return 'on_hold';
  if (by.methods.length === 0) return null;
  if (!method) return 'no_payout_method';
  return by.methods.some((known) => known === method) ? null : 'provider_unavailable';
}

async function readCandidates(
  ctx: Pick<Context, 'db'>,
  programId: string,
  { asOf, affiliateIds, minimumPayoutCents }: Wanted,
  now: Date,
): Promise<Candidate[]> {
  const only = affiliateIds ? sql`and affiliate_id = any(${affiliateIds}::uuid[])` : sql``;
  // A debt is netted whenever it arose; what is owed counts once it had matured by `asOf`.
  const { rows } = await sql<Candidate>`
    select owed.*, affiliate.status, detail.method, detail.sealed as destination, detail.fingerprint, detail.usable_from,
      coalesce(${minimumPayoutCents ?? null}::bigint, team.minimum_payout_cents, program.minimum_payout_cents) as minimum_cents,
      program.tax_forms = 'required' as needs_form, form.id is not null as has_form
    from (
      select affiliate_id, sum(amount_cents - reversed_cents - settled_cents)::bigint as amount_cents, count(*) as commission_count,
        min(created_at) as period_start
      from commissions
      where program_id = ${programId} and (${isOwing} or ${isRipe(asOf)}) and ${countsBy(asOf)} ${only}
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

/** Commissions for which something is owed, or owed back: the words of the index commissions_owing. */
export const isOwing = sql`status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents <> 0`;

/** The schedule will mature it in a moment; a dispatch does so first. */
function isRipe(asOf: Date) {
  return sql`(status = 'pending' and matures_at <= ${asOf})`;
}

/** What a dispatch as of this moment takes in. */
export function countsBy(asOf: Date) {
  return sql`(amount_cents - reversed_cents - settled_cents < 0 or (matures_at <= ${asOf} and not ${isUnderWay}))`;
}

/** It is in an open payout already. A debt may be netted meanwhile; more is paid for it only when that one is final. */
const isUnderWay = sql`exists (select 1 from payout_lines as line
  where line.program_id = commissions.program_id and line.commission_id = commissions.id and line.is_live and line.cents > 0)`;
