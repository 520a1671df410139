// The link "This wasn't me" stops payouts until staff decide, signs the affiliate out, and moves no money.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';

const paypal = (name: string) => ({ method: 'paypal', email: `${name}@paypal.example` });

describe('reporting changed payout details', () => {
  let service: TestService;
  let ada: TestMember;
  let id: string;
  let count = 0;
  before(async () => {
    service = await openTestService();
    await service.request('PATCH', service.program.path, { body: { minimumPayoutCents: 0 } });
  });
  after(() => service.close());
  beforeEach(async () => {
    count += 1;
    const affiliate = await anAffiliate(service, { status: 'active', email: `ada${count}@example.com` });
    id = affiliate.id;
    ada = await service.asAffiliate(affiliate);
  });

  const details = () => `${service.program.path}/affiliates/${id}/payout-details`;
  const rows = async (sql: string, ...values: unknown[]) => (await service.pool.query(sql, values)).rows;
  const alerts = () => rows(`select id, status from fraud_events where affiliate_id = $1 and kind = 'payout_change_reported'`, id);
  const reports = () => rows(`select id from audit_log where subject_id = $1 and action = 'payout_details.reported'`, id);
  const ledger = () => rows('select * from ledger_entries order by 1, 2');
  const open = (method: 'GET' | 'POST', url: string) => service.request(method, new URL(url).pathname, { key: null });
  const send = (method: string, path: string, body?: object) =>
    service.request(method, `${service.program.path}/${path}`, body ? { body } : {});
  const reason = async () => {
    const { skipped } = (await send('GET', 'payouts/due')).body;
    return skipped.find((row: { affiliateId: string }) => row.affiliateId === id)?.reason;
  };
  const dispatchedAffiliates = async () =>
    (await send('POST', 'payouts/dispatch', {})).body.payouts?.map((payout: { affiliateId: string }) => payout.affiliateId) ?? [];
  /** The links of the emails about a change, by address. */
  async function change(): Promise<Map<string, string>> {
    await set(`old${count}`);
    return set(`new${count}`);
  }
  /** Sets the details; returns the links of the emails about it, by address. */
  async function set(name: string): Promise<Map<string, string>> {
    await service.drain();
    const former = service.mails.length;
    await service.request('POST', details(), { body: paypal(name) });
    await service.drain();
    const link = /https?:\/\/\S+\/payout-change\/[\w-]+/;
    return new Map(service.mails.slice(former).flatMap(({ to, text }) => link.exec(text)?.map((url) => [to, url] as const) ?? []));
  }

  test('the links of both addresses report one change, once, even at the same time and signed out', async () => {
    const links = await change();
    assert.deepEqual([...links.keys()].sort(), [`ada${count}@example.com`, `old${count}@paypal.example`]);
    for (const url of links.values()) assert.equal((await open('GET', url)).status, 200);
    assert.equal((await alerts()).length, 0, 'reading the page changes nothing');
    const before = await ledger();
    const answers = await Promise.all([...links.values(), ...links.values()].map((url) => open('POST', url)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.deepEqual([(await alerts()).length, (await reports()).length], [1, 1]);
    assert.deepEqual(await ledger(), before);
    const { status } = await ada.request('GET', '/app/sessions', { key: null });
    assert.equal(status, 401, 'the session has ended');
    const stored = await rows(`select text_body, html_body from emails where affiliate_id = $1`, id);
    for (const { text_body: text, html_body: html } of stored) assert.doesNotMatch(text + html, /payout-change\//);
  });

  test('a link that is expired or changed does nothing', async () => {
    const url = (await change()).get(`ada${count}@example.com`) ?? '';
    assert.equal((await open('POST', `${url.slice(0, -6)}AAAAAA`)).status, 404);
    service.clock.advance({ days: 3 });
    assert.equal((await open('GET', url)).status, 404);
    assert.equal((await open('POST', url)).status, 404);
    assert.deepEqual(await alerts(), []);
    service.clock.advance({ days: -3 });
  });

  test('payouts wait for the decision of staff, and after `fraud` for other details', async () => {
    const url = (await change()).get(`old${count}@paypal.example`) ?? '';
    await send('POST', 'commissions', { affiliateId: id, amountCents: 5000, note: 'Bonus' });
    assert.equal((await open('POST', url)).status, 200);
    service.clock.advance({ days: 4 });
    assert.equal(await reason(), 'on_hold');
    assert.deepEqual(await dispatchedAffiliates(), []);
    const [alert] = await alerts();
    assert.equal((await send('POST', `fraud-events/${alert?.id}/resolve`, { resolution: 'fraud' })).status, 200);
    assert.equal(await reason(), 'on_hold', 'the details that were reported are never paid');
    service.clock.advance({ seconds: 1 });
    await service.request('POST', details(), { body: paypal(`own${count}`) });
    service.clock.advance({ days: 4 });
    assert.equal(await reason(), undefined);
    assert.deepEqual(await dispatchedAffiliates(), [id]);
    service.clock.advance({ days: -8, seconds: -1 });
  });

  test('the first details are reported as well: nothing is paid to them, not even at once', async () => {
    const links = await set(`first${count}`);
    assert.deepEqual([...links.keys()], [`ada${count}@example.com`]);
    await send('POST', 'commissions', { affiliateId: id, amountCents: 5000, note: 'Bonus' });
    assert.equal((await open('POST', links.get(`ada${count}@example.com`) ?? '')).status, 200);
    assert.equal((await alerts()).length, 1);
    service.clock.advance({ days: 4 });
    assert.equal(await reason(), 'on_hold');
    assert.deepEqual(await dispatchedAffiliates(), []);
    service.clock.advance({ days: -4 });
  });

  test('payouts continue when staff decide that the change was legitimate', async () => {
    const url = (await change()).get(`ada${count}@example.com`) ?? '';
    await send('POST', 'commissions', { affiliateId: id, amountCents: 5000, note: 'Bonus' });
    await open('POST', url);
    service.clock.advance({ days: 4 });
    const [alert] = await alerts();
    assert.deepEqual(await dispatchedAffiliates(), []);
    await send('POST', `fraud-events/${alert?.id}/resolve`, { resolution: 'legitimate' });
    assert.deepEqual(await dispatchedAffiliates(), [id]);
    service.clock.advance({ days: -4 });
  });
});
