// Compares a page of the provider's payments with the payouts of a program. Every payment belongs to exactly one payout
// with the same amount.
import { sql } from 'kysely';
import type { Provider } from '../../../connections/providers/provider.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import type { Outcome, RailPayment } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { forAllPrograms } from '../../../platform/queue/each-program.ts';
import { applyResponses, type PayoutResponse } from '../apply-responses.ts';
import { canBecome } from '../change-payouts.ts';
import { hasSameAmount } from '../exchange/payout-exchange.ts';
import type { Payout } from '../payout.ts';
import type { DiscrepancyKind } from './discrepancy.ts';

export type NewDiscrepancy = {
  kind: DiscrepancyKind;
  reference: string;
  payoutId: string | null;
  affiliateId: string | null;
  amountCents: number;
  currency: string;
};

type Compared = { discrepancies: NewDiscrepancy[]; updatedPayouts: number };

/** Applies what the provider knows better. `seen` collects the reference of every payout that the provider lists. */
export async function comparePayments(
  ctx: Context,
  { programId, id: providerId, type }: Provider,
  page: readonly RailPayment[],
  seen: Map<string, string>,
): Promise<Compared> {
  const payouts = await findPayouts(ctx, programId, page);
  const find = (payment: RailPayment) => payouts.get(parsePayoutId(payment) ?? '') ?? payouts.get(payment.reference);
  const foreign = await findForeignIds(
    ctx,
    programId,
    page.filter((payment) => !find(payment)),
  );
  const discrepancies: NewDiscrepancy[] = [];
  const responses: PayoutResponse[] = [];
  const listed: { id: string; reference: string }[] = [];
  const { listsByReference } = getRailType(type);
  for (const payment of page) {
    const { reference } = payment;
    const id = parsePayoutId(payment);
    const payout = find(payment);
    const isPaid = payment.state !== 'failed';
    if (!payout) {
      // Payments without a payout id are the program's own; failed ones moved no money.
      if (id && !foreign.has(id) && isPaid) discrepancies.push(toNewDiscrepancy('unknown_payment', id, payment));
      continue;
    }
    // A provider's reference at payment creation may differ from the one in its list; only the list reveals duplicates.
    const before = seen.get(payout.id) ?? payout.listedReference;
    if (isPaid && before && before !== reference) discrepancies.push(toNewDiscrepancy('duplicate_payment', payout.id, payment));
    else if (!hasSameAmount(payout, payment)) discrepancies.push(toNewDiscrepancy('amount_mismatch', payout.id, payment));
    else if (isNewState(payout, payment)) {
      const known = listsByReference ? reference : (payout.providerReference ?? '');
      responses.push({ payoutId: payout.id, response: toResponse(payment, known) });
    }
    if (!isPaid) continue;
    seen.set(payout.id, reference);
    if (!before) listed.push({ id: payout.id, reference });
  }
  await storeListedReferences(ctx, programId, listed);
  const updated = await applyResponses(ctx, programId, responses, { kind: 'provider', id: providerId });
  return { discrepancies, updatedPayouts: updated.length };
}

function toNewDiscrepancy(kind: DiscrepancyKind, payoutId: string, payment: RailPayment): NewDiscrepancy {
  const { reference, amountCents } = payment;
  const affiliateId = payment.affiliateId && canonicalUuid(payment.affiliateId);
  return { kind, reference, payoutId, affiliateId, amountCents, currency: payment.currency.toUpperCase() };
}

function parsePayoutId({ paymentId }: RailPayment): string | null {
  return paymentId && canonicalUuid(paymentId);
}

/** The payouts of these payments, by id and by reference. */
async function findPayouts(ctx: Context, programId: string, page: readonly RailPayment[]): Promise<Map<string, Payout>> {
  const ids = page.flatMap((payment) => parsePayoutId(payment) ?? []);
  const references = page.map(({ reference }) => reference);
  const rows = await ctx.db
    .selectFrom('payouts')
    .selectAll()
    .where('programId', '=', programId)
    .where((where) =>
      where.or([
        where('id', '=', sql<string>`any(${ids}::uuid[])`),
        where('providerReference', '=', sql<string>`any(${references}::text[])`),
      ]),
    )
    .execute();
  const byKey = new Map<string, Payout>();
  for (const payout of rows) {
    byKey.set(payout.id, payout);
    if (payout.providerReference) byKey.set(payout.providerReference, payout);
  }
  return byKey;
}

/**
 * Payments of other programs that use the same account at the provider. They are not unknown. On a cluster, all nodes must respond:
 * a payment of a program whose node is down would be unknown, and lock this program.
 */
async function findForeignIds(ctx: Context, programId: string, page: readonly RailPayment[]): Promise<Set<string>> {
  const ids = page.flatMap((payment) => parsePayoutId(payment) ?? []);
  if (ids.length === 0) return new Set();
  const affiliates = page.flatMap(({ affiliateId }) => (affiliateId && canonicalUuid(affiliateId)) ?? []);
  const { rows } = await sql<{ id: string }>`
    select id from payouts where id = any(${ids}::uuid[]) and program_id <> ${programId}
    union select id from affiliates where id = any(${affiliates}::uuid[]) and program_id <> ${programId}`.execute(forAllPrograms(ctx));
  const known = new Set(rows.map(({ id }) => id));
  const isForeign = (payment: RailPayment) => known.has(payment.affiliateId ?? '') || known.has(parsePayoutId(payment) ?? '');
  return new Set(page.filter(isForeign).flatMap((payment) => parsePayoutId(payment) ?? []));
}

/** Stores the reference in the provider's list the first time that it lists a payout. */
async function storeListedReferences(ctx: Context, programId: string, listed: readonly { id: string; reference: string }[]): Promise<void> {
  if (listed.length === 0) return;
  await sql`update payouts as payout set listed_reference = listed.reference
    from json_to_recordset(${JSON.stringify(listed)}::json) as listed (id uuid, reference text)
    where payout.program_id = ${programId} and payout.id = listed.id and listed_reference is null`.execute(ctx.db);
}

/** Most listed payments are known already. */
function isNewState(payout: Payout, { state }: RailPayment): boolean {
  return payout.status !== state && !(state === 'sent' && !canBecome(payout, 'sent'));
}

function toResponse({ state }: RailPayment, reference: string): Outcome {
  if (state === 'failed') return { outcome: 'failed', reference, code: 'failed', reason: 'failed, as listed by the provider' };
  if (state === 'returned') return { outcome: 'returned', reference, reason: 'returned, as listed by the provider' };
  return { outcome: state, reference };
}
