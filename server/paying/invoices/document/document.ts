// What an invoice says: the frozen row with the versions of both parties' details that it refers to.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { type ConvertedAmount, readConverted, type StoredConversion } from '../../../earning/exchange-rates/converted-amount.ts';
import { VatCase } from '../../tax/vat-case.ts';
import { decryptDetails, InvoiceLanguage } from '../details/details.ts';
import { type Invoice, InvoiceKind } from '../invoice.ts';
import { findIssuer } from '../issuer/issuer.ts';
import { readVatExchange, type VatExchange } from '../vat-exchange.ts';

/** A name, an address in lines, and tax numbers. */
export type Party = { name: string; address: string[]; country: string; vatId: string | null; taxNumber: string | null };

export type InvoiceDocument = {
  number: string;
  isCancellation: boolean;
  language: InvoiceLanguage;
  timezone: string;
  createdAt: Date;
  /** The number and time of the invoice that a cancellation cancels. */
  cancels: { number: string; createdAt: Date } | null;
  payoutId: string;
  periodStartAt: Date;
  periodEndAt: Date;
  supplier: Party;
  recipient: Party;
  vatCase: VatCase;
  vatRatePercent: number;
  netCents: number;
  vatCents: number;
  vatExchange: VatExchange | null;
  amountCents: number;
  currency: string;
  /** What was paid in another currency. */
  paid: ConvertedAmount | null;
};

type Related = { periodStartAt: Date; periodEndAt: Date; encryptedDetails: Buffer | null } & StoredConversion;

export async function readDocument(ctx: Pick<Context, 'db' | 'vault'>, programId: string, invoice: Invoice): Promise<InvoiceDocument> {
  const { affiliateId, detailsVersion, payoutId, cancelsId, vatCents, amountCents, currency } = invoice;
  const { rows } = await sql<Related>`
    select payout.period_start_at, payout.period_end_at, details.encrypted_details, payout.exchange_currency as currency,
      payout.exchange_cents as amount_cents, payout.exchange_rate as rate, payout.exchange_quoted_on as quoted_on,
      payout.exchange_rate_source as rate_source
    from payouts as payout
    join invoice_details as details on details.program_id = ${programId} and details.program_id = payout.program_id
      and details.affiliate_id = payout.affiliate_id and details.version = ${detailsVersion}
    where payout.program_id = ${programId} and payout.id = ${payoutId}`.execute(ctx.db);
  const [row] = rows;
  if (!row?.encryptedDetails) throw new Error('The details of the invoice are missing.');
  const printed = decryptDetails(ctx.vault, { affiliateId, version: detailsVersion, encryptedDetails: row.encryptedDetails });
  const issuer = await findIssuer(ctx, programId, invoice.issuerVersion);
  return {
    number: invoice.number,
    isCancellation: InvoiceKind.parse(invoice.kind) === 'cancellation',
    language: InvoiceLanguage.parse(invoice.language),
    timezone: invoice.timezone,
    createdAt: invoice.createdAt,
    cancels: cancelsId === null ? null : await findCancelled(ctx, programId, cancelsId),
    payoutId,
    periodStartAt: row.periodStartAt,
    periodEndAt: row.periodEndAt,
    supplier: toParty(printed),
    recipient: toParty(issuer),
    vatCase: VatCase.parse(invoice.vatCase),
    vatRatePercent: Number(invoice.vatRate),
    netCents: amountCents - vatCents,
    vatCents,
    vatExchange: readVatExchange(invoice),
    amountCents,
    currency,
    paid: readConverted(row),
  };
}

/** Read separately: a cluster can't place a join with a table of which no row can match, as if nothing is cancelled. */
async function findCancelled(
  { db }: Pick<Context, 'db'>,
  programId: string,
  id: string,
): Promise<{ number: string; createdAt: Date } | null> {
  const cancelled = db.selectFrom('invoices').select(['number', 'createdAt']).where('programId', '=', programId).where('id', '=', id);
  return (await cancelled.executeTakeFirst()) ?? null;
}

type Text = string | null | undefined;
type Details = {
  legalName: Text;
  street: Text;
  postalCode?: Text;
  city: Text;
  region?: Text;
  country: Text;
  vatId?: Text;
  taxNumber?: Text;
};

function toParty({ legalName, street, postalCode, city, region, country, vatId, taxNumber }: Details): Party {
  const town = [postalCode, city, region].filter(Boolean).join(' ');
  const address = [street ?? '', town].filter((line) => line !== '');
  return { name: legalName ?? '', address, country: country ?? '', vatId: vatId ?? null, taxNumber: taxNumber ?? null };
}
