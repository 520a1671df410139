// What follows from an invoice: the totals of the year and the export.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer } from '../../../test/support/money/invoices.ts';

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
      { vatCase: 'domestic', netCents: 10_000, vatCents: 1900, amountCents: 11_900 },
      { vatCase: 'small_business', netCents: 2000, vatCents: 0, amountCents: 2000 },
      { vatCase: null, netCents: 3000, vatCents: 0, amountCents: 3000 },
    ],
  });
  const exports = `/app/programs/${program.programId}/exports`;
  const body = { list: 'invoices', rows: 'all', query: 'year=2026&sort=createdAt&expand=affiliate' };
  const { body: created, text } = await owner.request('POST', exports, { body });
  const [header = '', ...lines] = (await owner.request('GET', `${exports}/${created.id}/file`)).text.trim().split('\r\n');
  assert.deepEqual([lines.length, lines.filter((line) => line.includes(',1900,11900,')).length], [2, 1], text);
  for (const name of ['number', 'kind', 'affiliateName', 'cancelsNumber', 'vatCase', 'netCents', 'vatCents', 'amountCents'])
    assert.ok(header.split(',').includes(name), `${name} is missing in ${header}`);
});
