// Affiliates agree to self-billing in the portal, with the tax numbers that the law requires for their country; they can
// withdraw, and download their own documents only.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { anInvoiceIssuer } from '../../../../test/support/money/invoices.ts';
import { readPdfText } from '../../../../test/support/money/pdf-text.ts';
import { decryptDetails } from './details.ts';

const address = { legalName: 'Zebulon Quix', street: 'Hidden Weg 7', city: 'Bonn', country: 'DE', agrees: true };
const german = { ...address, taxNumber: '205/5000/1234', language: 'de' };

describe('the agreement to invoices in the portal', () => {
  let service: TestService;
  let program: TestProgram;
  let ada: TestMember;
  let id: string;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());
  beforeEach(async () => {
    program = await service.newProgram(`Issuer ${Math.random()}`);
    const affiliate = await anAffiliate(service, { status: 'active', email: `ada${Math.random()}@example.com` }, program);
    id = affiliate.id;
    ada = await service.asAffiliate(affiliate, program);
  });

  const path = (noun: string) => `/app/portal/${program.programId}/${noun}`;
  const agree = (body: object) => ada.request('POST', path('invoice-details'), { key: null, body });
  const read = async () => (await ada.request('GET', path('invoice-details'), { key: null })).body;
  const versions = async () => (await service.pool.query('select * from invoice_details where affiliate_id = $1 order by version', [id])).rows; // biome-ignore format: a row
  const pay = async (amountCents: number) => {
    const send = (url: string, body: object) => service.request('POST', `${program.path}/${url}`, { key: program.key, body });
    await send('commissions', { affiliateId: id, amountCents, note: 'Bonus' });
    const { body } = await send('payouts/dispatch', { minimumPayoutCents: 0 });
    assert.equal((await send(`payouts/batches/${body.batch.id}/mark-paid`, {})).status, 200);
  };

  test('is recorded with its time and what the invoices say, encrypted, and returned without it', async () => {
    assert.deepEqual([(await agree(german)).body.code, (await read()).isOffered], ['invoices_not_offered', false]);
    await anInvoiceIssuer(service, program);
    const { status, body, text } = await agree(german);
    const now = service.clock.now().toISOString();
    const shown = { issuerName: 'Fern & Field GmbH', issuerCountry: 'DE', country: 'DE', isSmallBusiness: false, language: 'de' };
    assert.deepEqual([status, body], [200, { isOffered: true, isAgreed: true, agreedAt: now, ...shown }], text);
    assert.deepEqual(await read(), body);
    const [row] = await versions();
    const printed = decryptDetails(service.ctx.vault, { affiliateId: id, version: 1, encryptedDetails: row.encrypted_details });
    assert.deepEqual([printed.legalName, printed.taxNumber], ['Zebulon Quix', '205/5000/1234']);
    const { rows } = await service.pool.query(`select t::text as text from audit_log as t where subject_id = $1`, [id]);
    const texts = [text, ...rows.map((one) => one.text), ...service.log];
    assert.ok(texts.some((one) => one.includes('invoice_details.agreed')));
    for (const secret of ['Zebulon', '205/5000', 'Hidden']) assert.ok(texts.every((one) => !one.includes(secret)), secret); // biome-ignore format: a row
  });

  const bad: [body: object, field: string, message: RegExp][] = [
    [{ ...address }, 'taxNumber', /required, unless/],
    [{ ...address, vatId: 'FR40303265045' }, 'vatId', /begin with DE/],
    [{ ...address, country: 'FR', taxNumber: '1' }, 'vatId', /required in another member state/],
    [{ ...address, country: 'GR', vatId: 'GR123456789' }, 'vatId', /begin with EL/],
    [{ ...german, country: 'de' }, 'country', /two-letter/],
    [{ ...german, agrees: false }, 'agrees', /one of: true/],
    [{ ...german, legalName: ' ' }, 'legalName', /empty/],
    [{ ...german, language: 'fr' }, 'language', /one of: en, de/],
  ];
  test('names what is missing for the country, and stores nothing', async () => {
    await anInvoiceIssuer(service, program);
    for (const [body, field, message] of bad) {
      const answer = await agree(body);
      const detail = answer.body.details?.find((one: { path: string[] }) => one.path[0] === field);
      assert.equal(answer.status, 400);
      assert.match(detail?.message ?? answer.text, message);
    }
    assert.deepEqual(await versions(), []);
    assert.equal((await agree({ ...address, country: 'CH' })).status, 200);
    assert.equal((await agree({ ...address, country: 'FR', vatId: 'fr 403 032 65045' })).status, 200);
    service.clock.advance({ minutes: 11 });
    assert.equal((await agree(german)).body.code, 'fresh_sign_in_required');
    service.clock.advance({ minutes: -11 });
  });

  test('can be withdrawn: later payouts have no invoice, and earlier documents stay', async () => {
    await anInvoiceIssuer(service, program);
    await agree(german);
    await pay(11_900);
    const { body } = await ada.request('DELETE', path('invoice-details'), { key: null });
    assert.deepEqual([body.isAgreed, body.agreedAt, body.country], [false, null, null]);
    await ada.request('DELETE', path('invoice-details'), { key: null });
    assert.equal((await versions()).length, 2);
    await pay(5000);
    const { invoices } = (await ada.request('GET', path('invoices'), { key: null })).body;
    assert.deepEqual(
      invoices.map(({ number, netCents, vatCents }: Record<string, unknown>) => [number, netCents, vatCents]),
      [['GS-2026-0001', 10_000, 1900]],
    );
    const url = path(`invoices/${invoices[0].id}/document`);
    const headers = { cookie: ada.cookie, host: 'api.test', origin: 'http://api.test', 'content-type': 'application/json' };
    const pdf = await service.app.inject({ method: 'POST', url, headers, payload: '{}' });
    assert.equal(pdf.statusCode, 200, pdf.body);
    assert.ok(readPdfText(pdf.rawPayload).join(' ').includes('Zebulon Quix'));
    const { body: agreement } = await service.request('GET', `${program.path}/affiliates/${id}/invoice-agreement`, { key: program.key });
    assert.equal(agreement.isAgreed, false);
  });

  test('gives documents to the affiliate only: not to others, and not to members who view the portal', async () => {
    await anInvoiceIssuer(service, program);
    await agree(german);
    await pay(1000);
    const { invoices } = (await ada.request('GET', path('invoices'), { key: null })).body;
    const eve = await anAffiliate(service, { status: 'active', email: `eve${Math.random()}@example.com` }, program);
    const other = await service.asAffiliate(eve, program);
    const url = path(`invoices/${invoices[0].id}/document`);
    assert.equal((await other.request('POST', url, { key: null, body: {} })).status, 404);
    assert.deepEqual((await other.request('GET', path('invoices'), { key: null })).body.invoices, []);
    const reviewer = await service.asMember('reviewer', { program });
    const view = await reviewer.request('POST', `/app/programs/${program.programId}/affiliates/${id}/view`, { body: {} });
    assert.ok(view.status < 300, view.text);
    assert.equal((await reviewer.request('GET', path('invoices'), { key: null })).status, 200);
    assert.equal((await reviewer.request('POST', url, { key: null, body: {} })).body.code, 'view_is_read_only');
  });

  test('fixes the country of the issuer, which must be complete while it is active', async () => {
    const change = (body: object) => service.request('PATCH', `${program.path}/invoice-issuer`, { key: program.key, body });
    const { body } = await change({ isActive: true, country: 'DE' });
    const missing = body.details.map(({ path: [field] }: { path: string[] }) => field);
    assert.deepEqual(missing, ['legalName', 'street', 'city', 'vatId', 'vatRatePercent']);
    assert.match((await change({ country: 'DE', vatId: 'FR40303265045' })).body.details[0].message, /begin with DE/);
    assert.equal((await change({ numberPrefix: 'a-' })).status, 400);
    await anInvoiceIssuer(service, program);
    assert.equal((await change({ country: 'AT', vatId: 'ATU13585627' })).status, 200);
    assert.equal((await change({ country: 'DE', vatId: 'DE811907980' })).status, 200);
    await agree(german);
    assert.equal((await change({ country: 'AT', vatId: 'ATU13585627' })).body.code, 'issuer_country_in_use');
    const { rows } = await service.pool.query('select version from invoice_issuers where program_id = $1 order by 1', [program.programId]);
    assert.equal(rows.length, 3);
  });
});
