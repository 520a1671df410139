// Invoices with VAT in another currency than that of their country also state the VAT in the country's currency: in the API,
// the PDF in both languages and the totals of the year. Without a rate, nothing is paid and no number is taken.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer, storeRate } from '../../../test/support/money/invoices.ts';
import { readPdfText } from '../../../test/support/money/pdf-text.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { applyResponses } from '../payouts/apply-responses.ts';
import { memberStates } from '../tax/tax-number.ts';
import { findVatCurrency } from './vat-exchange.ts';

test('the currency of each country in the European Union and of the United Kingdom', () => {
  const others = memberStates.map((country) => [country, findVatCurrency(country)]).filter(([, currency]) => currency !== 'EUR');
  assert.deepEqual(Object.fromEntries(others), { CZ: 'CZK', DK: 'DKK', HU: 'HUF', PL: 'PLN', RO: 'RON', SE: 'SEK', XI: null });
  assert.deepEqual(['GB', 'US', 'CH'].map(findVatCurrency), ['GBP', null, null]);
});

describe('an invoice with VAT in another currency than that of its country', () => {
  let service: TestService;
  let program: TestProgram;

  before(async () => {
    service = await openTestService();
  });
  after(async () => {
    const findings = await checkInvariants(service.ctx).finally(() => service.close());
    assert.deepEqual(
      findings.filter(({ broken }) => broken.length > 0),
      [],
    );
  });
  beforeEach(async () => {
    program = await service.newProgram(`Issuer ${Math.random()}`);
    await send('PATCH', '', { minimumPayoutCents: 0 });
  });

  async function send(method: string, path: string, body?: object) {
    const url = path === '' ? program.path : `${program.path}/${path}`;
    const answer = await service.request(method, url, body ? { key: program.key, body } : { key: program.key });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  }
  async function aSupplier(agreement: Partial<Parameters<typeof anInvoiceAgreement>[1]> = {}): Promise<string> {
    const { id } = await anAffiliate(service, { status: 'active' }, program);
    await anInvoiceAgreement(service, { program, affiliateId: id, ...agreement });
    return id;
  }
  const earn = (affiliateId: string, amountCents: number) => send('POST', 'commissions', { affiliateId, amountCents, note: 'Bonus' });
  const today = (daysAgo = 0) => new Date(service.clock.now().getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const textOf = async (id: string) => {
    const url = `/app/programs/${program.programId}/invoices/${id}?format=pdf`;
    // A session of before the clock was advanced has ended.
    const { cookie } = await service.asMember('owner', { program });
    const { rawPayload } = await service.app.inject({ url, headers: { cookie } });
    return readPdfText(rawPayload).join(' ').replaceAll('\u00a0', ' ');
  };
  const invoices = async () => (await send('GET', 'invoices?sort=createdAt')).invoices;

  test('states the VAT at the rate of its day, which its cancellation repeats, in the API, the PDF and the totals', async () => {
    await anInvoiceIssuer(service, program);
    const [ada, bea] = [await aSupplier({ language: 'en' }), await aSupplier({ language: 'de' })];
    await earn(ada, 11_900);
    await earn(bea, 23_800);
    const { batch, payouts } = await send('POST', 'payouts/dispatch', {});
    // Another rate on the day of the payment: the invoice has that one.
    service.clock.advance({ days: 2 });
    await storeRate(service, program, { rate: '1.25' });
    await send('POST', `payouts/batches/${batch.id}/mark-paid`, {});
    const exchange = { currency: 'EUR', rate: '1.25', quotedOn: today(), rateSource: 'uploaded' };
    const issued = await invoices();
    assert.deepEqual(
      issued.map(({ vatCents, currency, vatExchange }: Record<string, unknown>) => [vatCents, currency, vatExchange]),
      [
        [1900, 'USD', { ...exchange, amountCents: 1520 }],
        [3800, 'USD', { ...exchange, amountCents: 3040 }],
      ],
    );
    const find = (affiliateId: string) => issued.find((one: { affiliateId: string }) => one.affiliateId === affiliateId);
    const english = await textOf(find(ada).id);
    assert.ok(english.includes(`VAT 19% in EUR (1 EUR = 1.25 USD, ${today()})`), english);
    assert.ok(english.includes('€15.20'), english);
    const german = await textOf(find(bea).id);
    assert.ok(german.includes(`Umsatzsteuer 19 % in EUR (1 EUR = 1,25 USD, ${today()})`), german);
    assert.ok(german.includes('30,40 €'), german);
    const { totals, sum } = await send('GET', 'tax/totals');
    assert.deepEqual(sum.vatTotals[0].vatExchange, { currency: 'EUR', amountCents: 4560 });
    assert.deepEqual(totals.find((one: { affiliateId: string }) => one.affiliateId === ada).vatTotals[0].vatExchange.amountCents, 1520);

    await storeRate(service, program, { rate: '2' });
    const { id: payoutId } = payouts.find((one: { affiliateId: string }) => one.affiliateId === bea);
    const returned = { payoutId, response: { outcome: 'returned' as const, reference: 'R', reason: 'returned' } };
    await applyResponses(service.ctx, program.programId, [returned], { kind: 'provider', id: service.ctx.ids.uuid() });
    const cancellation = (await invoices())[2];
    assert.deepEqual(cancellation.vatExchange, { ...exchange, amountCents: -3040 });
    const cancelled = await textOf(cancellation.id);
    assert.ok(cancelled.includes('−30,40 €'), cancelled);
    assert.deepEqual((await send('GET', 'tax/totals')).sum.vatTotals[0].vatExchange, { currency: 'EUR', amountCents: 1520 });
  });

  test('is not due without a rate of the last 7 days: the affiliate is skipped, others are paid, and no number is taken', async () => {
    await anInvoiceIssuer(service, program);
    const [ada, small] = [await aSupplier(), await aSupplier({ isSmallBusiness: true })];
    service.clock.advance({ days: 8 });
    await earn(ada, 11_900);
    await earn(small, 5000);
    const due = await send('GET', 'payouts/due');
    assert.deepEqual(
      due.skipped.map(({ affiliateId, reason }: Record<string, string>) => [affiliateId, reason]),
      [[ada, 'vat_rate_missing']],
    );
    const { batch, payouts } = await send('POST', 'payouts/dispatch', {});
    assert.deepEqual(
      payouts.map(({ affiliateId }: { affiliateId: string }) => affiliateId),
      [small],
    );
    await send('POST', `payouts/batches/${batch.id}/mark-paid`, {});
    await storeRate(service, program, { rate: '1.1', daysAgo: 7 });
    const next = await send('POST', 'payouts/dispatch', {});
    // Paid later than the rate lasts: a payment that was made has its invoice, at the latest rate.
    service.clock.advance({ days: 30 });
    await send('POST', `payouts/batches/${next.batch.id}/mark-paid`, {});
    const [first, second] = await invoices();
    assert.deepEqual([first.number, first.vatExchange, second.number], ['GS-2026-0001', null, 'GS-2026-0002']);
    assert.deepEqual([second.vatExchange.rate, second.vatExchange.amountCents], ['1.1', 1727]);
  });

  test('needs no rate of the country of a program that has its currency, without VAT, or outside of the European Union', async () => {
    await anInvoiceIssuer(service, program, { country: 'PL', vatId: 'PL5260001246', vatRatePercent: 23 });
    const reverse = await aSupplier({ printed: { country: 'DE', vatId: 'DE811907980' } });
    const domestic = await aSupplier({ printed: { country: 'PL', vatId: 'PL5260001246' } });
    await earn(reverse, 5000);
    await earn(domestic, 12_300);
    const { skipped } = await send('GET', 'payouts/due');
    assert.deepEqual([skipped.length, skipped[0].affiliateId, skipped[0].reason], [1, domestic, 'vat_rate_missing']);
    await storeRate(service, program, { rate: '0.25', currency: 'PLN' });
    const { batch } = await send('POST', 'payouts/dispatch', {});
    await send('POST', `payouts/batches/${batch.id}/mark-paid`, {});
    const issued = await invoices();
    const of = (affiliateId: string) => issued.find((one: { affiliateId: string }) => one.affiliateId === affiliateId);
    assert.deepEqual([of(reverse).vatExchange, of(domestic).vatCents, of(domestic).vatExchange.amountCents], [null, 2300, 9200]);
  });
});
