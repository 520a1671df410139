import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { pay } from '../../../test/support/pay.ts';
import { createVault } from '../../platform/secrets/vault.ts';
import { decryptForm, findAffiliatesWithForm } from './tax-form.ts';

const signed = { signatureName: 'Zebulon Quix', isCertified: true };
const usAddress = { street: '1 Hidden Lane', city: 'Springfield', state: 'IL', postalCode: '62701' };
const w9 = { kind: 'w9', name: 'Zebulon Quix', classification: 'individual', address: usAddress, ssn: '123-45-6789', ...signed };
const address = { street: 'Hidden Weg', buildingNumber: '7', city: 'Bonn', postalCode: '53111', country: 'DE' };
const w8 = { kind: 'w8ben', name: 'Zebulon Quix', country: 'DE', address, foreignTin: 'FT-998877', birthDate: '1980-12-31', ...signed };
const person = { sellerType: 'individual', firstName: 'Zebulon', lastName: 'Quix & Söhne', birthDate: '1980-12-31' };
const dac7 = { kind: 'dac7', ...person, address, tin: 'DETIN-556677', tinCountry: 'DE', vatId: 'DE123456789', ...signed };
let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const submit = (id: string, body: object, program: TestProgram = service.program) =>
  service.request('POST', `${program.path}/affiliates/${id}/tax-form`, { body, key: program.key });
const read = async (id: string) => (await service.request('GET', `${service.program.path}/affiliates/${id}/tax-form`)).body;
const formsOf = async (id: string) =>
  (await service.pool.query('select * from tax_forms where affiliate_id = $1 order by created_at, id', [id])).rows;

/** Runs the function at another time. */
async function at<T>(moment: string, act: () => Promise<T>): Promise<T> {
  const seconds = (Date.parse(moment) - service.clock.now().getTime()) / 1000;
  service.clock.advance({ seconds });
  try {
    return await act();
  } finally {
    service.clock.advance({ seconds: -seconds });
  }
}

describe('a tax form', () => {
  test('is returned with its kind, country and validity, without its contents', async () => {
    const { id } = await anAffiliate(service);
    assert.deepEqual(await read(id), { affiliateId: id, kind: null, country: null, signedAt: null, expiresAt: null, isValid: false });
    const { status, body } = await submit(id, w9);
    assert.equal(status, 201);
    const now = service.clock.now().toISOString();
    assert.deepEqual(body, { affiliateId: id, kind: 'w9', country: 'US', signedAt: now, expiresAt: null, isValid: true });
    assert.deepEqual(await read(id), body);
    const [row] = await formsOf(id);
    const form = decryptForm(service.ctx.vault, { id: row.id, encryptedForm: row.encrypted_form });
    assert.equal(form.kind === 'w9' && form.ssn, '123456789');
    assert.throws(() => decryptForm(createVault([randomBytes(32)]), { id: row.id, encryptedForm: row.encrypted_form }), /SECRET_KEYS/);
  });

  test('a W-8 expires at the end of the third calendar year after it was signed', async () => {
    const { id } = await anAffiliate(service);
    const { body } = await submit(id, { ...w8, signedAt: '2025-01-01T00:00:00Z' });
    assert.deepEqual([body.expiresAt, body.country, body.isValid], ['2029-01-01T00:00:00.000Z', 'DE', true]);
    const { programId } = service.program;
    const isValid = async (moment: string) =>
      (await findAffiliatesWithForm(service.ctx.db, programId, [id], new Date(moment))).has(id) &&
      (await at(moment, async () => (await read(id)).isValid));
    assert.equal(await isValid('2028-12-31T23:59:59.999Z'), true);
    assert.equal(await at('2029-01-01T00:00:00Z', async () => (await read(id)).isValid), false);
    assert.equal((await findAffiliatesWithForm(service.ctx.db, programId, [id], new Date('2029-01-01T00:00:00Z'))).size, 0);
    assert.equal((await findAffiliatesWithForm(service.ctx.db, service.foreign.programId, [id], service.clock.now())).size, 0);
  });

  test('is superseded by a newer one; the same form again, even 20 times simultaneously, changes nothing', async () => {
    const { id } = await anAffiliate(service);
    await submit(id, w9);
    const again = await Promise.all(Array.from({ length: 20 }, () => submit(id, { ...w9, ssn: '123456789' })));
    assert.deepEqual(new Set(again.map(({ status }) => status)), new Set([200]));
    assert.equal((await formsOf(id)).length, 1);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => submit(id, { ...w8, foreignTin: `T${index}` })));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]));
    const rows = await formsOf(id);
    assert.equal(rows.length, 21);
    assert.equal(rows.filter(({ superseded_at }) => superseded_at === null).length, 1);
    assert.equal((await read(id)).kind, 'w8ben');
    const { rows: audited } = await service.pool.query(
      `select after from audit_log where subject_id = $1 and action = 'tax_form.submitted'`,
      [id],
    );
    assert.equal(audited.length, 21);
    assert.deepEqual(Object.keys(audited[0].after).sort(), ['country', 'kind', 'signedAt']);
  });

  const bad: [body: object, field: string, message: RegExp][] = [
    [{}, 'kind', /one of: w9/],
    [{ ...w9, ssn: '000-45-6789' }, 'ssn', /social security number/],
    [{ ...w9, ssn: '666-45-6789' }, 'ssn', /social security number/],
    [{ ...w9, ssn: '900-45-6789' }, 'ssn', /social security number/],
    [{ ...w9, ssn: '12345678' }, 'ssn', /social security number/],
    [{ ...w9, ssn: undefined }, 'ssn', /required, unless `ein`/],
    [{ ...w9, ein: '12-3456789' }, 'ssn', /together with `ein`/],
    [{ ...w9, ssn: undefined, ein: '00-3456789' }, 'ein', /employer identification/],
    [{ ...w9, isCertified: false }, 'isCertified', /one of: true/],
    [{ ...w9, signatureName: undefined }, 'signatureName', /required/],
    [{ ...w9, address: { ...usAddress, state: 'Illinois' } }, 'address.state', /two-letter/],
    [{ ...w9, address: { ...usAddress, postalCode: '6270' } }, 'address.postalCode', /ZIP/],
    [{ ...w9, signedAt: '2026-03-01T12:00:01Z' }, 'signedAt', /future/],
    [{ ...w8, birthDate: '2026-02-30' }, 'birthDate', /date such as/],
    [{ ...w8, birthDate: '2026-12-31' }, 'birthDate', /future/],
    [{ ...w8, treaty: { country: 'DE', rate: 31 } }, 'treaty.rate', /between 0 and 30/],
    [{ ...w8, kind: 'w8bene' }, 'entityType', /required/],
    [{ ...w8, kind: 'w8bene', entityType: 'corporation', giin: 'x' }, 'giin', /GIIN/],
    [{ ...dac7, tinCountry: 'US' }, 'tinCountry', /one of: AT/],
    [{ ...dac7, firstName: undefined }, 'firstName', /required for an individual/],
    [{ ...dac7, tin: undefined }, 'birthCity', /required for an individual/],
    [{ ...dac7, sellerType: 'entity' }, 'legalName', /required for an entity/],
    [{ ...dac7, vatId: '123' }, 'vatId', /VAT/],
  ];
  for (const [body, field, message] of bad) {
    test(`${field} ${message}: 400, without the values that were sent`, async () => {
      const { id } = await anAffiliate(service);
      const { status, body: response, text } = await submit(id, body);
      assert.equal(status, 400);
      const detail = response.details.find((one: { path: string[] }) => one.path.join('.') === field);
      assert.match(detail?.message ?? text, message);
      assert.ok(!/6789|Zebulon|FT-99|556677/.test(JSON.stringify(response.details)));
      assert.deepEqual(await formsOf(id), []);
    });
  }

  test('the contents of a form are in no table, log line or response', async () => {
    const { id } = await anAffiliate(service);
    const responses = [];
    for (const form of [w9, w8, dac7]) responses.push((await submit(id, form)).text, JSON.stringify(await read(id)));
    responses.push((await service.request('GET', `${service.program.path}/tax/totals`)).text);
    const { rows } = await service.pool.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    );
    const texts = [...responses, ...service.log];
    for (const { name } of rows)
      texts.push(...(await service.pool.query(`select t::text as text from ${name} as t`)).rows.map(({ text }) => text));
    assert.ok(texts.some((text) => text.includes('tax_form.submitted')));
    for (const secret of ['123456789', '123-45-6789', 'Zebulon', 'Hidden', 'FT-998877', 'DETIN-556677', '1980-12-31', 'DE123456789'])
      assert.equal(
        texts.find((text) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'))),
        undefined,
        secret,
      );
  });
});

describe('annual payout totals', () => {
  test('are by quarter, less returned payouts, with whether the affiliate has a valid form', async () => {
    const program = await service.newProgram('Totals');
    const ids = [];
    for (const _ of [1, 2, 3]) ids.push((await anAffiliate(service, {}, program)).id);
    const [ada = '', bob = '', eve = ''] = ids;
    await pay(service.ctx, program, ada, [
      ['2025-01-01T00:00:00Z', 100],
      ['2025-03-31T23:59:59.999Z', 20],
      ['2025-04-01T00:00:00Z', 3000],
      ['2025-06-01T00:00:00Z', -1000],
      ['2025-12-31T23:59:59.999Z', 40],
      ['2026-01-01T00:00:00Z', 777],
      ['2026-02-01T00:00:00Z', -40],
    ]);
    await pay(service.ctx, program, bob, [['2025-05-05T05:05:05Z', 5]]);
    await pay(service.ctx, program, eve, [['2026-02-02T00:00:00Z', 9]]);
    await submit(ada, { ...w8, signedAt: '2022-05-01T00:00:00Z' }, program);
    const totals = async (year: string) => {
      const { status, body } = await service.request('GET', `${program.path}/tax/totals${year}`, { key: program.readKey });
      assert.equal(status, 200);
      return body;
    };
    const last = await totals('?year=2025');
    assert.deepEqual([last.year, last.totals[0].currency, last.total], [2025, 'USD', 2]);
    const quarters = [[120, 2], [2000, 0], [0, 0], [40, 1]].map(([amountCents, payoutCount]) => ({ amountCents, payoutCount })); // biome-ignore format: a row
    assert.deepEqual(
      [last.totals[0].affiliateId, last.totals[0].amountCents, last.totals[0].payoutCount, last.totals[0].quarters],
      [ada, 2160, 3, quarters],
    );
    assert.deepEqual(
      last.totals.map(({ hasTaxForm }: { hasTaxForm: boolean }) => hasTaxForm),
      [true, false],
    );
    const now = await totals('');
    assert.deepEqual([now.year, now.total, now.totals[0].amountCents, now.totals[0].hasTaxForm], [2026, 2, 737, false]);
    const idsIn = async (query: string) => (await totals(query)).totals.map((one: { affiliateId: string }) => one.affiliateId);
    assert.deepEqual(await idsIn('?year=2025&limit=1&offset=1'), [bob]);
    assert.deepEqual(await idsIn('?year=2025&sort=amountCents'), [bob, ada]);
    assert.deepEqual(await idsIn(`?year=2025&affiliateId=${bob}`), [bob]);
    const [expanded] = (await totals(`?year=2025&affiliateId=${bob}&expand=affiliate`)).totals;
    assert.equal(expanded.affiliate.id, bob);
    for (const year of ['25', '1999', 'x']) {
      const { status, body } = await service.request('GET', `${program.path}/tax/totals?year=${year}`, { key: program.key });
      assert.deepEqual([status, body.details[0].path], [400, ['year']]);
    }
  });
});
