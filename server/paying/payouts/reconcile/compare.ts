// Comparing a rail's book with ours: every payment of the rail belongs to exactly one payout of ours, with the same
// cents, and every payout that we hold for paid is in the rail's book. What the rail knows better is booked; what
// doesn't fit is a difference, and an open difference stops the program's payouts.
import { sql } from 'kysely';
import { type Provider, recordProviderHealth } from '../../../connections/providers/provider.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import type { Answer, Rail, RailPayment } from '../../../connections/rails/rail.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { mayBecome } from '../change.ts';
import type { Item } from '../payout.ts';
import { lock } from '../safety.ts';
import { toPayment } from '../send/payment.ts';
import { settle } from '../settle.ts';

const hourMs = 3_600_000;
const pageSize = 500;
/** How far back a first comparison reaches; later ones go on where the last ended, less what the rail's book lags behind. */
const furthestDays = 45;

const unreadable = 'The book of the rail could not be read: nothing is sent until it can be.';

export type Compared = {
  isClean: boolean;
  /** False where the rail could not be asked now. */
  isComplete: boolean;
  payments: number;
  booked: number;
  differences: number;
};

type Difference = {
  kind: 'unknown_payment' | 'amount' | 'missing' | 'double';
  reference: string;
  itemId: string | null;
  affiliateId: string | null;
  amountCents: number;
  currency: string;
};

/** Compares what happened since the last comparison, or since `from`. Locks the program when the records disagree. */
export async function reconcileProvider(ctx: Context, provider: Provider, rail: Rail, from?: Date): Promise<Compared> {
  const to = ctx.clock.now();
  const earliest = new Date(to.getTime() - furthestDays * 24 * hourMs);
  const lagMs = getRailType(provider.type).bookLagHours * hourMs;
  const since = from ?? new Date(Math.max(earliest.getTime(), (provider.reconciledAt ?? earliest).getTime() - lagMs));
  if (!rail.list) return { isClean: true, isComplete: true, payments: 0, booked: 0, differences: 0 };
  const seen = new Map<string, string>();
  const found: Difference[] = [];
  let [payments, booked] = [0, 0];
  try {
    // Clocks differ: a payment of this minute may be dated into the next.
    for await (const page of inPages(rail.list({ from: since, to: new Date(to.getTime() + hourMs) }))) {
      payments += page.length;
      const compared = await comparePage(ctx, provider, page, seen);
      booked += compared.booked;
      found.push(...compared.differences);
    }
    found.push(...(await findMissing(ctx, provider, rail, { since, to: new Date(to.getTime() - lagMs), seen })));
  } catch (error) {
    ctx.log.warn({ err: error, providerId: provider.id }, 'a rail could not be compared with');
    await recordProviderHealth(ctx, provider, { status: 'needs_attention', lastError: unreadable });
    return { isClean: false, isComplete: false, payments, booked, differences: found.length };
  }
  const isClean = await keepDifferences(ctx, provider, found);
  const isWell = provider.lastError === unreadable;
  await recordProviderHealth(ctx, provider, { reconciledAt: to, ...(isWell && { status: 'connected', lastError: null }) });
  return { isClean, isComplete: true, payments, booked, differences: found.length };
}

async function* inPages(payments: AsyncIterable<RailPayment>): AsyncGenerator<RailPayment[]> {
  let page: RailPayment[] = [];
  for await (const payment of payments) {
    if (page.push(payment) < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function comparePage(
  ctx: Context,
  { programId, id: providerId, type }: Provider,
  page: readonly RailPayment[],
  seen: Map<string, string>,
) {
  const ours = await ourItems(ctx, programId, page);
  const foreign = await foreignIds(ctx, programId, page);
  const differences: Difference[] = [];
  const words: { itemId: string; answer: Answer }[] = [];
  const listed: { id: string; reference: string }[] = [];
  const { listsByReference } = getRailType(type);
  for (const payment of page) {
    const { reference, amountCents } = payment;
    const currency = payment.currency.toUpperCase();
    const affiliateId = payment.affiliateId && canonicalUuid(payment.affiliateId);
    const id = idOf(payment);
    const item = (id && ours.get(id)) || ours.get(reference);
    const fact = { reference, affiliateId, amountCents, currency };
    if (!item) {
      // Payments without an id of ours are the brand's own business; failed ones moved nothing.
      if (id && !foreign.has(id) && payment.state !== 'failed') differences.push({ ...fact, kind: 'unknown_payment', itemId: id });
      continue;
    }
    // What the answer to sending called it may be another name than the book's: only the book tells twice from once.
    const before = seen.get(item.id) ?? item.listedReference;
    if (payment.state !== 'failed' && before && before !== reference) differences.push({ ...fact, kind: 'double', itemId: item.id });
    else if (item.amountCents !== amountCents || item.currency !== currency) differences.push({ ...fact, kind: 'amount', itemId: item.id });
    else if (isNews(item, payment))
      words.push({ itemId: item.id, answer: answerOf(payment, listsByReference ? reference : (item.railReference ?? '')) });
    if (payment.state === 'failed') continue;
    seen.set(item.id, reference);
    if (!before) listed.push({ id: item.id, reference });
  }
  await keepListed(ctx, programId, listed);
  const changed = await settle(ctx, programId, words, `reconcile:${providerId}`);
  return { differences, booked: changed.length };
}

function idOf({ paymentId }: RailPayment): string | null {
  return paymentId && canonicalUuid(paymentId);
}

/** Our payouts that these payments speak of, by id and by the rail's name for them. */
async function ourItems(ctx: Context, programId: string, page: readonly RailPayment[]): Promise<Map<string, Item>> {
  const ids = page.flatMap((payment) => idOf(payment) ?? []);
  const references = page.map(({ reference }) => reference);
  const rows = await ctx.db
    .selectFrom('payoutItems')
    .selectAll()
    .where('programId', '=', programId)
    .where((where) =>
      where.or([where('id', '=', sql<string>`any(${ids}::uuid[])`), where('railReference', '=', sql<string>`any(${references}::text[])`)]),
    )
    .execute();
  return new Map(
    rows.flatMap((item): [string, Item][] => [
      [item.id, item],
      ...(item.railReference ? [[item.railReference, item] as [string, Item]] : []),
    ]),
  );
}

/** Several programs may pay from one account at a rail: their payouts are not unknown. */
async function foreignIds(ctx: Context, programId: string, page: readonly RailPayment[]): Promise<Set<string>> {
  const ids = page.flatMap((payment) => idOf(payment) ?? []);
  const affiliates = page.flatMap(({ affiliateId }) => (affiliateId && canonicalUuid(affiliateId)) ?? []);
  const { rows } = await sql<{ id: string }>`
    select id from payout_items where id = any(${ids}::uuid[]) and program_id <> ${programId}
    union select id from affiliates where id = any(${affiliates}::uuid[]) and program_id <> ${programId}`.execute(ctx.db);
  const known = new Set(rows.map(({ id }) => id));
  return new Set(
    page.flatMap((payment) => (known.has(payment.affiliateId ?? '') || known.has(idOf(payment) ?? '') ? (idOf(payment) ?? []) : [])),
  );
}

/** By which name its book calls a payout, the first time that it lists it. */
async function keepListed(ctx: Context, programId: string, listed: readonly { id: string; reference: string }[]): Promise<void> {
  if (listed.length === 0) return;
  await sql`update payout_items as item set listed_reference = word.reference
    from json_to_recordset(${JSON.stringify(listed)}::json) as word (id uuid, reference text)
    where item.program_id = ${programId} and item.id = word.id and listed_reference is null`.execute(ctx.db);
}

/** Most of what a rail lists is booked already. */
function isNews(item: Item, { state }: RailPayment): boolean {
  return item.status !== state && !(state === 'sent' && !mayBecome(item, 'sent'));
}

function answerOf({ state }: RailPayment, reference: string): Answer {
  if (state === 'failed') return { outcome: 'failed', reference, code: 'failed', reason: 'the rail says it failed' };
  return state === 'returned' ? { outcome: 'returned', reference, reason: 'the rail says it came back' } : { outcome: state, reference };
}

/** Payouts that this account paid, by our ledger, and the rail didn't list (what a person marked paid needn't be there); each is asked for by itself before it counts as missing. */
async function findMissing(
  ctx: Context,
  { programId, id: providerId, updatedAt }: Provider,
  rail: Rail,
  { since, to, seen }: { since: Date; to: Date; seen: ReadonlyMap<string, string> },
): Promise<Difference[]> {
  const { rows } = await sql<Item>`
    select item.* from payout_items as item join payout_batches as batch on batch.program_id = item.program_id and batch.id = item.batch_id
    where item.program_id = ${programId} and batch.provider_id = ${providerId} and item.status = 'paid' and item.destination is not null
      and item.first_tried_at > ${updatedAt}
      and not exists (select 1 from payout_events as said where said.program_id = item.program_id and said.item_id = item.id
        and said.to_status = 'paid' and said.source like 'api_key:%')
      and item.first_tried_at >= ${new Date(since.getTime() + hourMs)} and item.first_tried_at < ${to}`.execute(ctx.db);
  const missing: Difference[] = [];
  for (const item of rows.filter(({ id }) => !seen.has(id))) {
    const { outcome } = await rail.lookUp(toPayment(ctx, item), item.railReference);
    const { id: itemId, affiliateId, amountCents, currency } = item;
    if (outcome === 'not_found' || outcome === 'failed')
      missing.push({ kind: 'missing', reference: itemId, itemId, affiliateId, amountCents, currency });
  }
  return missing;
}

/** Keeps what is new, and locks the program while anything is open. Returns whether nothing is. */
async function keepDifferences(ctx: Context, { programId, id: providerId }: Provider, found: readonly Difference[]): Promise<boolean> {
  return transact(ctx, async (tx) => {
    for (const difference of found) {
      await tx.db
        .insertInto('payoutDifferences')
        .values({ programId, id: tx.ids.uuid(), providerId, foundAt: tx.clock.now(), ...difference })
        .onConflict((conflict) => conflict.columns(['programId', 'providerId', 'kind', 'reference']).doNothing())
        .execute();
    }
    const open = tx.db.selectFrom('payoutDifferences').select('id').where('programId', '=', programId).where('resolvedAt', 'is', null);
    const isClean = (await open.limit(1).executeTakeFirst()) === undefined;
    if (!isClean) await lock(tx, programId, "a rail's book and ours disagree");
    return isClean;
  });
}
