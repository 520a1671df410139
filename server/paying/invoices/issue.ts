// Issues the invoices of payouts in the transaction that changes their status: an invoice when a payout is paid, and its
// cancellation when the payment is returned.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { insertRows } from '../../platform/db/inserts/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { localDate } from '../../platform/lib/zoned-time.ts';
import { recordInvoiceEvents } from './events.ts';
import type { Invoice } from './invoice.ts';
import { findIssuer, type Issuer } from './issuer/issuer.ts';
import { calculateVat, decideVat } from './vat.ts';
import { convertVat, findVatRate, toVatExchangeColumns } from './vat-exchange.ts';

type Change = { payout: { id: string; affiliateId: string; amountCents: number; currency: string }; to: string };
type Ledger = { programId: string; timezone: string };

/** An invoice before it has a number. */
type Draft = Omit<Invoice, 'programId' | 'id' | 'year' | 'seq' | 'number' | 'timezone' | 'createdAt'> & { prefix: string };

/** `changes` were just applied; each payout is paid and returned once at most. The ledger must be locked. */
export async function issueInvoices(tx: Tx, { programId, timezone }: Ledger, changes: readonly Change[], actor: Actor): Promise<void> {
  // Another system documented what it paid.
  if (tx.isHistory) return;
  const payouts = (to: string) => changes.filter((change) => change.to === to).map(({ payout }) => payout);
  const issuer = await findIssuerOf(tx, programId, changes);
  if (!issuer) return;
  const createdAt = tx.clock.now();
  const day = localDate(createdAt, timezone);
  const drafts = [
    ...(await draftInvoices(tx, { programId, issuer, day }, payouts('paid'))),
    ...(await draftCancellations(tx, { programId, issuer }, payouts('returned'))),
  ];
  if (drafts.length === 0) return;
  const year = Number(day.slice(0, 4));
  const first = await takeNumbers(tx, { programId, year, count: drafts.length });
  const rows = drafts.map(({ prefix, ...draft }, index) => {
    const seq = first + index;
    return { programId, id: tx.ids.uuid(), ...draft, year, seq, number: formatNumber({ prefix, year, seq }), timezone, createdAt };
  });
  await insertRows(tx, 'invoices', rows);
  await recordInvoiceEvents(tx, { programId, actor }, rows);
}

/** Null if the program never issued invoices, so that its payouts cost one statement more. */
async function findIssuerOf(tx: Tx, programId: string, changes: readonly Change[]): Promise<Issuer | null> {
  if (!changes.some(({ to }) => to === 'paid' || to === 'returned')) return null;
  const issuer = await findIssuer(tx, programId);
  return issuer.version === 0 ? null : issuer;
}

type From = { programId: string; issuer: Issuer };
type Agreed = {
  affiliateId: string;
  version: number;
  isAgreed: boolean;
  country: string | null;
  isSmallBusiness: boolean;
  language: string;
};

async function draftInvoices(
  tx: Tx,
  { programId, issuer, day }: From & { day: string },
  payouts: readonly Change['payout'][],
): Promise<Draft[]> {
  const { country: issuerCountry, isActive, vatRatePercent } = issuer;
  if (!isActive || issuerCountry === null || payouts.length === 0) return [];
  const ids = payouts.map(({ affiliateId }) => affiliateId);
  const { rows } = await sql<Agreed>`
    select distinct on (affiliate_id) affiliate_id, version, is_agreed, country, is_small_business, language
    from invoice_details where program_id = ${programId} and affiliate_id = any(${ids}::uuid[])
    order by affiliate_id, version desc`.execute(tx.db);
  const detailsOf = new Map(rows.map((row) => [row.affiliateId, row]));
  const [first] = payouts;
  const vatRate = first ? await findVatRate(tx, programId, { country: issuerCountry, currency: first.currency, day }) : null;
  return payouts.flatMap(({ id: payoutId, affiliateId, amountCents, currency }) => {
    const details = detailsOf.get(affiliateId);
    if (!details?.isAgreed || details.country === null) return [];
    const { version: detailsVersion, country, isSmallBusiness, language } = details;
    const vat = decideVat({ country: issuerCountry, vatRatePercent }, { country, isSmallBusiness });
    const vatCents = calculateVat(amountCents, vat.vatRatePercent);
    return {
      kind: 'invoice',
      prefix: issuer.numberPrefix,
      affiliateId,
      payoutId,
      cancelsId: null,
      issuerVersion: issuer.version,
      detailsVersion,
      vatCase: vat.vatCase,
      vatRate: String(vat.vatRatePercent),
      vatCents,
      ...toVatExchangeColumns(convertVat(vatCents, currency, vatRate)),
      amountCents,
      currency,
      language,
    };
  });
}

/** A cancellation repeats its invoice with negative amounts, under the details that the invoice was issued with. */
async function draftCancellations(tx: Tx, { programId, issuer }: From, payouts: readonly Change['payout'][]): Promise<Draft[]> {
  if (payouts.length === 0) return [];
  const ids = payouts.map(({ id }) => id);
  const invoices = tx.db.selectFrom('invoices').selectAll().where('programId', '=', programId).where('kind', '=', 'invoice');
  const rows = await invoices.where('payoutId', '=', sql<string>`any(${ids}::uuid[])`).orderBy('seq').execute();
  return rows.map(({ programId: _program, id, year: _year, seq: _seq, number: _number, timezone: _zone, createdAt: _at, ...invoice }) => ({
    ...invoice,
    kind: 'cancellation',
    prefix: issuer.numberPrefix,
    cancelsId: id,
    vatCents: 0 - invoice.vatCents,
    vatExchangeCents: invoice.vatExchangeCents === null ? null : 0 - invoice.vatExchangeCents,
    amountCents: 0 - invoice.amountCents,
  }));
}

/**
 * Takes consecutive numbers and returns the first. The counter stays locked until the transaction ends: others wait, and find
 * it unchanged if this one is rolled back.
 */
async function takeNumbers(tx: Tx, { programId, year, count }: { programId: string; year: number; count: number }): Promise<number> {
  const { rows } = await sql<{ lastSeq: number }>`
    insert into invoice_counters as counter (program_id, year, last_seq) values (${programId}, ${year}, ${count})
    on conflict (program_id, year) do update set last_seq = counter.last_seq + ${count}
    returning last_seq`.execute(tx.db);
  const [row] = rows;
  if (!row) throw new Error('The counter of invoices returned no number.');
  return row.lastSeq - count + 1;
}

/** INV-2026-0001 */
export function formatNumber({ prefix, year, seq }: { prefix: string; year: number; seq: number }): string {
  return `${prefix}-${year}-${String(seq).padStart(4, '0')}`;
}
