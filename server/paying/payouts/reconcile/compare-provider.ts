// Compares the payouts with the provider's own list: every payment belongs to one payout, and every paid payout is listed.
// What the provider knows better is applied; everything else is a discrepancy, which locks the program's payouts while open.

import { sql } from 'kysely';
import { recordProblem } from '../../../connections/providers/needs-attention.ts';
import { type Provider, recordProviderHealth } from '../../../connections/providers/provider.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import type { Rail, RailPayment } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { recordValues } from '../../../platform/db/recorded-values.ts';
import { transact } from '../../../platform/db/transact.ts';
import { paymentOf } from '../exchange/payout-exchange.ts';
import { lockProgram } from '../lock.ts';
import type { Payout } from '../payout.ts';
import { toPayment } from '../send/to-payment.ts';
import { comparePayments, type NewDiscrepancy } from './compare-payments.ts';
import { countOpenDiscrepancies } from './discrepancy.ts';

const hourMs = 3_600_000;
const pageSize = 500;
/** How far back the first comparison reaches. Later ones continue where the last one ended, less the lag of the provider's list. */
const firstRangeDays = 45;

const unreadable = "The provider's payments could not be listed. No payouts are sent until they can be.";

export type Compared = {
  isClean: boolean;
  /** False if the provider's payments could not be listed. */
  isComplete: boolean;
  payments: number;
  updatedPayouts: number;
  discrepancies: number;
};

/** Compares everything since the last comparison, or since `from`. Locks the program while a discrepancy is open. */
export async function compareProvider(ctx: Context, provider: Provider, rail: Rail, from?: Date): Promise<Compared> {
  const to = ctx.clock.now();
  const earliest = new Date(to.getTime() - firstRangeDays * 24 * hourMs);
  const lagMs = getRailType(provider.type).listDelayHours * hourMs;
  const since = from ?? new Date(Math.max(earliest.getTime(), (provider.reconciledAt ?? earliest).getTime() - lagMs));
  if (!rail.list) return { isClean: true, isComplete: true, payments: 0, updatedPayouts: 0, discrepancies: 0 };
  const seen = new Map<string, string>();
  const found: NewDiscrepancy[] = [];
  let [payments, updatedPayouts] = [0, 0];
  try {
    // One hour more, because clocks differ and a payment of this minute can have a later time.
    for await (const page of toPages(rail.list({ from: since, to: new Date(to.getTime() + hourMs) }))) {
      const compared = await comparePayments(ctx, provider, page, seen);
      payments += page.length;
      updatedPayouts += compared.updatedPayouts;
      found.push(...compared.discrepancies);
    }
    found.push(...(await findMissing(ctx, provider, rail, { since, to: new Date(to.getTime() - lagMs), seen })));
  } catch (error) {
    ctx.log.warn({ err: error, providerId: provider.id }, 'failed to compare payouts with the provider');
    await transact(ctx, (tx) => recordProblem(tx, provider, unreadable));
    return { isClean: false, isComplete: false, payments, updatedPayouts, discrepancies: found.length };
  }
  const isClean = await storeDiscrepancies(ctx, provider, found);
  if (provider.lastError === unreadable) await recordProviderHealth(ctx, provider, { status: 'connected', lastError: null });
  await recordProviderHealth(ctx, provider, { reconciledAt: to });
  return { isClean, isComplete: true, payments, updatedPayouts, discrepancies: found.length };
}

async function* toPages(payments: AsyncIterable<RailPayment>): AsyncGenerator<RailPayment[]> {
  let page: RailPayment[] = [];
  for await (const payment of payments) {
    if (page.push(payment) < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * Payouts that this account paid and the provider did not list. Each is looked up before it counts as missing. Payouts that were
 * paid by another actor than the provider, such as marked as paid by a user, need not be listed.
 */
async function findMissing(
  ctx: Context,
  { programId, id: providerId, updatedAt }: Provider,
  rail: Rail,
  { since, to, seen }: { since: Date; to: Date; seen: ReadonlyMap<string, string> },
): Promise<NewDiscrepancy[]> {
  const { rows } = await sql<Payout>`
    select payout.* from payouts as payout
    join payout_batches as batch on batch.program_id = payout.program_id and batch.id = payout.batch_id
    where payout.program_id = ${programId} and batch.provider_id = ${providerId} and payout.status = 'paid' and payout.destination is not null
      and payout.first_attempt_at > ${updatedAt}
      and not exists (select 1 from payout_events as event where event.program_id = payout.program_id and event.payout_id = payout.id
        and event.to_status = 'paid' and event.actor_kind <> 'provider')
      and payout.first_attempt_at >= ${new Date(since.getTime() + hourMs)} and payout.first_attempt_at < ${to}`.execute(ctx.db);
  const missing: NewDiscrepancy[] = [];
  for (const payout of rows.filter(({ id }) => !seen.has(id))) {
    const { outcome } = await rail.lookUp(toPayment(ctx, payout), payout.providerReference);
    const { id, affiliateId } = payout;
    if (outcome === 'not_found' || outcome === 'failed')
      missing.push({ kind: 'missing_payment', reference: id, payoutId: id, affiliateId, ...paymentOf(payout) });
  }
  return missing;
}

/** Stores new discrepancies and locks the program while any is open. Returns whether none is. */
async function storeDiscrepancies(
  ctx: Context,
  { programId, id: providerId }: Provider,
  found: readonly NewDiscrepancy[],
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    for (const discrepancy of found) {
      const id = tx.ids.uuid();
      await tx.db
        .insertInto('payoutDiscrepancies')
        .values({ ...discrepancy, programId, id, providerId, createdAt: tx.clock.now() })
        .onConflict((conflict) => conflict.columns(['programId', 'providerId', 'kind', 'reference']).doNothing())
        .execute();
      await recordValues(tx, 'payout_discrepancies', programId, [id]);
    }
    const isClean = (await countOpenDiscrepancies(tx, programId)) === 0;
    if (!isClean) await lockProgram(tx, programId, 'open_discrepancies');
    return isClean;
  });
}
