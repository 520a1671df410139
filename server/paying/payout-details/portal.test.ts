// Affiliates set their payout details in the portal: effective immediately the first time, after three days and with an
// email for every change, and never without a recent sign-in.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';

describe('payout details in the portal', () => {
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

  const path = () => `/app/portal/${service.program.programId}/payout-details`;
  const set = (body: object) => ada.request('POST', path(), { key: null, body });
  const read = async () => (await ada.request('GET', path(), { key: null })).body;
  const paypal = (email: string) => ({ method: 'paypal', email });
  const sent = async () => {
    const { rows } = await service.pool.query(`select kind from emails where kind = 'payout_details_changed' and affiliate_id = $1`, [id]);
    return rows.length;
  };

  test('are used at once the first time, with an email, and the account is never returned', async () => {
    assert.deepEqual(await read(), {
      method: null,
      effectiveAt: null,
      updatedAt: null,
      methods: ['paypal', 'bank'],
      payoutCurrency: null,
      payoutCurrencies: [],
      currency: 'USD',
      waitHours: 72,
    });
    const answer = await set(paypal('hidden@payments.example'));
    assert.equal(answer.status, 201, answer.text);
    const now = service.clock.now().toISOString();
    assert.deepEqual([answer.body.method, answer.body.effectiveAt], ['paypal', now]);
    assert.doesNotMatch(answer.text + JSON.stringify(await read()), /hidden@/);
    assert.equal(await sent(), 1);
    const { body } = await service.request('GET', `${service.program.path}/affiliates/${id}/payout-details`);
    assert.deepEqual([body.method, body.effectiveAt], ['paypal', now]);
  });

  test('take effect 72 hours after a change, which is emailed to the affiliate and the former address', async () => {
    await set(paypal('first@payments.example'));
    const changed = await set({ method: 'bank', holder: 'Ada', country: 'DE', currency: 'EUR', iban: 'DE89 3704 0044 0532 0130 00' });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(Date.parse(changed.body.effectiveAt) - service.clock.now().getTime(), 72 * 3_600_000);
    assert.equal(await sent(), 3);
    assert.equal(
      (await set({ method: 'bank', holder: 'Ada', country: 'DE', currency: 'EUR', iban: 'DE89370400440532013000' })).status,
      200,
    );
    assert.equal(await sent(), 3, 'the same account again is no change');
  });

  test('are deleted with an email to both addresses; the wait applies when they are set again', async () => {
    await set(paypal('first@payments.example'));
    const remove = () => ada.request('DELETE', path(), { key: null });
    const { status, body } = await remove();
    assert.deepEqual([status, body.method, body.effectiveAt, body.methods], [200, null, null, ['paypal', 'bank']]);
    assert.equal(await sent(), 3);
    assert.equal((await remove()).status, 200);
    assert.equal(await sent(), 3, 'nothing was left to delete');
    const again = await set(paypal('first@payments.example'));
    assert.equal(Date.parse(again.body.effectiveAt) - service.clock.now().getTime(), 72 * 3_600_000);
    service.clock.advance({ minutes: 11 });
    assert.equal((await remove()).body.code, 'fresh_sign_in_required');
    assert.equal((await read()).method, 'paypal');
  });

  test('need a sign-in within the last ten minutes', async () => {
    service.clock.advance({ minutes: 11 });
    const { status, body } = await set(paypal('late@payments.example'));
    assert.deepEqual([status, body.code], [403, 'fresh_sign_in_required']);
    assert.equal((await read()).method, null);
  });

  test('can be prepared by applicants, and changed while suspended', async () => {
    for (const status of ['pending', 'suspended']) {
      await service.pool.query('update affiliates set status = $2 where id = $1', [id, status]);
      const answer = await set(paypal(`${status}@payments.example`));
      assert.ok(answer.status < 300, answer.text);
    }
  });

  test('offer and accept the methods of the default payout provider only', async () => {
    const provider = { kind: 'payout', type: 'external_webhook', name: 'Payroll', isDefault: true };
    const config = { url: 'https://payroll.example/pay' };
    const created = await service.request('POST', `${service.program.path}/providers`, { body: { ...provider, config } });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual((await read()).methods, ['external']);
    const { status, body } = await set(paypal('ada@payments.example'));
    assert.deepEqual([status, body.details], [400, [{ path: ['method'], message: 'must be one of: external' }]]);
    assert.equal((await set({ method: 'external', account: 'P-1' })).status, 201);
    await service.request('PATCH', service.program.path, { body: { payoutCurrencies: ['EUR', 'JPY'] } });
    assert.deepEqual((await read()).payoutCurrencies, [], 'the provider is used for the currency of the program only');
    const { id: providerId } = created.body;
    await service.request('PATCH', `${service.program.path}/providers/${providerId}`, { body: { currencies: ['USD', 'EUR'] } });
    const choose = (payoutCurrency: string | null) => ada.request('PATCH', path(), { key: null, body: { payoutCurrency } });
    assert.equal((await choose('JPY')).body.details[0].message, 'must be null or one of: EUR');
    assert.equal((await choose('EUR')).status, 200);
    const { payoutCurrency, payoutCurrencies } = await read();
    assert.deepEqual([payoutCurrency, payoutCurrencies, await sent()], ['EUR', ['EUR'], 1]);
  });
});
