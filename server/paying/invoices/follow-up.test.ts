// What follows from an invoice: the totals of the year, the export, an event and an email.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer } from '../../../test/support/money/invoices.ts';
import { applyResponses } from '../payouts/apply-responses.ts';

let service: TestService;
let program: TestProgram;
let owner: TestMember;

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram(`Issuer ${Math.random()}`);
  owner = await service.asMember('owner', { program });
  await send('PATCH', '', { minimumPayoutCents: 0, timezone: 'Europe/Berlin' });
  await anInvoiceIssuer(service, program);
});

async function send(method: string, path: string, body?: object) {
  const url = path === '' ? program.path : `${program.path}/${path}`;
  const answer = await service.request(method, url, body ? { key: program.key, body } : { key: program.key });
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  return answer.body;
}

async function aSupplier(agreement: { isSmallBusiness?: boolean } = {}): Promise<string> {
  const { id } = await anAffiliate(service, { status: 'active' }, program);
  await anInvoiceAgreement(service, { program, affiliateId: id, ...agreement });
  return id;
}

async function pay(amounts: readonly [affiliateId: string, amountCents: number][]): Promise<string[]> {
  for (const [affiliateId, amountCents] of amounts) await send('POST', 'commissions', { affiliateId, amountCents, note: 'Bonus' });
  const { payouts } = await send('POST', 'payouts/dispatch', {});
  await send('POST', `payouts/batches/${payouts[0]?.batchId}/mark-paid`, {});
  return payouts.map(({ id }: { id: string }) => id);
}

type Total = { affiliateId: string; netCents: number; vatCents: number; amountCents: number };

test('invoices are in the totals of their year with their VAT, by treatment, and in the export for the accountant', async () => {
  const [ada, bea] = [await aSupplier(), await aSupplier({ isSmallBusiness: true })];
  const cleo = (await anAffiliate(service, { status: 'active' }, program)).id;
  await pay([
    [ada, 11_900],
    [bea, 2000],
    [cleo, 3000],
  ]);
  const { totals, sum } = await send('GET', 'tax/totals?sort=-amountCents');
  assert.deepEqual(
    totals.map(({ affiliateId, netCents, vatCents, amountCents }: Total) => [affiliateId, netCents, vatCents, amountCents]),
    [
      [ada, 10_000, 1900, 11_900],
      [cleo, 3000, 0, 3000],
      [bea, 2000, 0, 2000],
    ],
  );
  assert.deepEqual(sum, {
    netCents: 15_000,
    vatCents: 1900,
    amountCents: 16_900,
    currency: 'USD',
    vatTotals: [
      { vatCase: 'domestic', netCents: 10_000, vatCents: 1900, vatExchange: { currency: 'EUR', amountCents: 1752 }, amountCents: 11_900 },
      { vatCase: 'small_business', netCents: 2000, vatCents: 0, vatExchange: null, amountCents: 2000 },
      { vatCase: null, netCents: 3000, vatCents: 0, vatExchange: null, amountCents: 3000 },
    ],
  });
  const exports = `/app/programs/${program.programId}/exports`;
  const body = { list: 'invoices', rows: 'all', query: 'year=2026&sort=createdAt&expand=affiliate' };
  const { body: created, text } = await owner.request('POST', exports, { body });
  const [header = '', ...lines] = (await owner.request('GET', `${exports}/${created.id}/file`)).text.trim().split('\r\n');
  assert.deepEqual([lines.length, lines.filter((line) => /,1900,.*,11900,/.test(line)).length], [2, 1], text);
  for (const name of ['number', 'kind', 'affiliateName', 'cancelsNumber', 'vatCase', 'netCents', 'vatCents', 'amountCents'])
    assert.ok(header.split(',').includes(name), `${name} is missing in ${header}`);
});

type Email = { affiliate_id: string; subject: string; text_body: string };

async function runJobs(): Promise<Email[]> {
  while ((await service.drain()) > 0);
  const query = `select affiliate_id, subject, text_body from emails where program_id = $1 and kind = 'invoice' order by created_at, id`;
  return (await service.pool.query(query, [program.programId])).rows;
}

test('an invoice and its cancellation each have one event and one email to their affiliate', async () => {
  const [ada, bea] = [await aSupplier(), await aSupplier()];
  const { name } = await send('GET', '');
  const setLocale = (emailLocale: string) => owner.request('PATCH', `/app/programs/${program.programId}/brand`, { body: { emailLocale } });
  await setLocale('de');
  const [payoutId = ''] = await pay([[ada, 11_900]]);
  const [first, ...others] = await runJobs();
  assert.deepEqual([first?.affiliate_id, first?.subject, others], [ada, `Gutschrift GS-2026-0001 von ${name}`, []]);
  for (const part of ['Netto: 100,00', 'Umsatzsteuer: 19,00', 'Gesamt: 119,00', `/portal/${program.programId}/invoices`])
    assert.ok(first?.text_body.includes(part), `${part} is missing in ${first?.text_body}`);
  await setLocale('en');
  const returned = { outcome: 'returned' as const, reference: 'SEPA 1', reason: 'unknown account' };
  const provider = { kind: 'provider' as const, id: service.ctx.ids.uuid() };
  for (let time = 0; time < 2; time += 1)
    await applyResponses(service.ctx, program.programId, [{ payoutId, response: returned }], provider);
  await pay([[bea, 5000]]);
  const [, ...later] = await runJobs();
  assert.deepEqual(
    later.map(({ affiliate_id, subject }) => [affiliate_id, subject]).sort(),
    [
      [ada, 'Invoice GS-2026-0001 was cancelled'],
      [ada, `Invoice GS-2026-0003 from ${name}`],
      [bea, `Invoice GS-2026-0004 from ${name}`],
    ].sort(),
  );
  const { events } = await send('GET', 'events?type=invoice.issued&type=invoice.cancelled');
  const shown = events.map(({ type, data }: { type: string; data: Record<string, unknown> }) => [
    data.number,
    type,
    data.affiliateId,
    data.cancelsNumber,
    data.vatCents,
  ]);
  assert.deepEqual(shown.sort().slice(0, 2), [
    ['GS-2026-0001', 'invoice.issued', ada, null, 1900],
    ['GS-2026-0002', 'invoice.cancelled', ada, 'GS-2026-0001', -1900],
  ]);
  assert.equal(shown.length, 4);
});
