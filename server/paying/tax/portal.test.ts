// Affiliates submit their tax form in the portal: with a recent sign-in and an email about it. Its contents are never returned.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';

const address = { street: 'Hidden Weg 7', city: 'Bonn', postalCode: '53111', country: 'DE' };
const signed = { signatureName: 'Zebulon Quix', isCertified: true };
const w8 = { kind: 'w8ben', name: 'Zebulon Quix', country: 'DE', address, foreignTin: 'FT-998877', birthDate: '1980-12-31', ...signed };
const none = { isRequired: false, isValid: false, kind: null, country: null, signedAt: null, expiresAt: null };

describe('the tax form in the portal', () => {
  let service: TestService;
  let ada: TestMember;
  let id: string;
  let count = 0;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());
  beforeEach(async () => {
    count += 1;
    const affiliate = await anAffiliate(service, { status: 'active', email: `ada${count}@example.com` });
    id = affiliate.id;
    ada = await service.asAffiliate(affiliate);
  });

  const path = (noun: string) => `/app/portal/${service.program.programId}/${noun}`;
  const submit = (body: object) => ada.request('POST', path('tax-form'), { key: null, body });
  const read = async () => (await ada.request('GET', path('tax-form'), { key: null })).body;
  const sent = async () => {
    const emails = service.pool.query(`select text_body from emails where kind = 'tax_form_submitted' and affiliate_id = $1`, [id]);
    return (await emails).rows.map(({ text_body }) => String(text_body));
  };

  test('is returned with its kind and validity, without its contents; an email says so', async () => {
    assert.deepEqual(await read(), none);
    const answer = await submit(w8);
    assert.equal(answer.status, 201, answer.text);
    const signedAt = service.clock.now().toISOString();
    const expected = { isRequired: false, isValid: true, kind: 'w8ben', country: 'DE', signedAt, expiresAt: '2030-01-01T00:00:00.000Z' };
    assert.deepEqual([answer.body, await read()], [expected, expected]);
    const [email = '', ...others] = await sent();
    assert.deepEqual(others, []);
    assert.match(email, /Form W-8BEN/);
    assert.match(email, /\/tax-form/);
    for (const text of [answer.text, JSON.stringify(await read()), email]) assert.doesNotMatch(text, /Zebulon|FT-998877|Hidden|1980/);
    const { rows } = await service.pool.query(
      `select actor_kind, after from audit_log where subject_id = $1 and action = 'tax_form.submitted'`,
      [id],
    );
    assert.deepEqual(rows, [{ actor_kind: 'user', after: { kind: 'w8ben', country: 'DE', signedAt } }]);
  });

  test('is replaced by another one, and the same form again changes nothing', async () => {
    assert.equal((await submit(w8)).status, 201);
    assert.equal((await submit(w8)).status, 200);
    assert.equal((await submit({ ...w8, foreignTin: 'FT-2' })).status, 201);
    const emails = await sent();
    assert.equal(emails.length, 2);
    assert.equal(emails.filter((text) => text.includes('replaces the previous one')).length, 1);
  });

  test('names every fault, and needs a sign-in within the last ten minutes', async () => {
    const wrong = await submit({ ...w8, birthDate: '1980-02-30', address: { ...address, city: '' }, isCertified: false });
    const fields = wrong.body.details.map((detail: { path: string[] }) => detail.path.join('.'));
    assert.deepEqual([wrong.status, fields.sort()], [400, ['address.city', 'birthDate', 'isCertified']]);
    service.clock.advance({ minutes: 11 });
    const { status, body } = await submit(w8);
    assert.deepEqual([status, body.code], [403, 'fresh_sign_in_required']);
    assert.deepEqual(await sent(), []);
  });

  test('decides whether a program that requires one pays, and the first screen names it as missing', async () => {
    const home = async () => (await ada.request('GET', path('home'), { key: null })).body.setup.taxForm;
    const due = async () => {
      const { body } = await service.request('GET', `${service.program.path}/payouts/due`);
      return body.skipped.flatMap((one: { affiliateId: string; reason: string }) => (one.affiliateId === id ? one.reason : []));
    };
    assert.equal(await home(), 'not_required');
    await service.pool.query(`update programs set tax_forms = 'required' where id = $1`, [service.program.programId]);
    const bonus = { affiliateId: id, amountCents: 90_000, note: 'Spring' };
    assert.equal((await service.request('POST', `${service.program.path}/commissions`, { body: bonus })).status, 201);
    await ada.request('POST', path('payout-details'), { key: null, body: { method: 'paypal', email: 'ada@payments.example' } });
    assert.deepEqual([await home(), (await read()).isRequired, await due()], ['missing', true, ['tax_form_missing']]);
    assert.equal((await submit(w8)).status, 201);
    assert.deepEqual([await home(), await due()], ['valid', []]);
    service.clock.advance({ days: 1600 });
    ada = await service.asAffiliate({ id, email: `ada${count}@example.com` });
    assert.deepEqual([await home(), (await read()).isValid, await due()], ['missing', false, ['tax_form_missing']]);
  });
});
