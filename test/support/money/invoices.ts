// Programs that issue invoices, and affiliates who agreed to them.
import assert from 'node:assert/strict';
import { encryptDetails, type Printed } from '../../../server/paying/invoices/details/details.ts';
import type { TestProgram, TestService } from '../harness.ts';

export const germanIssuer = {
  isActive: true,
  legalName: 'Fern & Field GmbH',
  street: 'Lindenstraße 4',
  postalCode: '10969',
  city: 'Berlin',
  country: 'DE',
  vatId: 'DE811907980',
  vatRatePercent: 19,
  numberPrefix: 'GS',
};

/** Has the program issue invoices from Germany. A rate of the euro is stored, as invoices in other currencies state their VAT in it. */
export async function anInvoiceIssuer(service: TestService, program: TestProgram, settings: object = {}): Promise<void> {
  const body = { ...germanIssuer, ...settings };
  const answer = await service.request('PATCH', `${program.path}/invoice-issuer`, { key: program.key, body });
  assert.equal(answer.status, 200, answer.text);
  const { body: settled } = await service.request('GET', program.path, { key: program.key });
  if (settled.currency !== 'EUR') await storeRate(service, program, { rate: '1.0842' });
}

/** Stores a rate of the day, or of an earlier one. */
export async function storeRate(
  service: TestService,
  program: TestProgram,
  { rate, currency = 'EUR', daysAgo = 0 }: { rate: string; currency?: string; daysAgo?: number },
): Promise<void> {
  const quotedOn = new Date(service.clock.now().getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const rates = [{ currency, quotedOn, rate }];
  const answer = await service.request('POST', `${program.path}/exchange-rates`, { key: program.key, body: { rates } });
  assert.equal(answer.status, 200, answer.text);
}

type Agreement = {
  program: TestProgram;
  affiliateId: string;
  printed?: Partial<Printed>;
  isSmallBusiness?: boolean;
  language?: 'en' | 'de';
};

/** Stores the agreement of an affiliate, without a sign-in to the portal. */
export async function anInvoiceAgreement(service: TestService, agreement: Agreement): Promise<void> {
  const { program, affiliateId, isSmallBusiness = false, language = 'en' } = agreement;
  const printed = { legalName: 'Ada Müller', street: 'Hauptstraße 7', city: 'Bonn', country: 'DE', taxNumber: '205/5000/1234' };
  const details = { ...printed, ...agreement.printed };
  const { rows } = await service.pool.query(
    'select coalesce(max(version), 0) + 1 as version from invoice_details where program_id = $1 and affiliate_id = $2',
    [program.programId, affiliateId],
  );
  const version = Number(rows[0].version);
  await service.pool.query(
    `insert into invoice_details (program_id, affiliate_id, version, is_agreed, encrypted_details, country, is_small_business, language, created_at)
     values ($1, $2, $3, true, $4, $5, $6, $7, $8)`,
    [
      program.programId,
      affiliateId,
      version,
      encryptDetails(service.ctx.vault, details, { affiliateId, version }),
      details.country,
      isSmallBusiness,
      language,
      service.clock.now(),
    ],
  );
}
