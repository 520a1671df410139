// Disposable mailboxes and search ads: the alert with its evidence, and no address of a buyer.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('alerts about the mailbox of a buyer and the source of a click', () => {
  let service: TestService;
  let ada: { id: string; referralCode: string };

  before(async () => {
    service = await openTestService();
    await aRule(service, { rate: 10 });
    ada = await anAffiliate(service, { email: 'ada@example.com', status: 'active' });
    const { disposableMailbox, paidSearch } = await read('/fraud-settings');
    assert.deepEqual([disposableMailbox, paidSearch], ['off', 'off'], 'both are off until a program turns them on');
    await save({ disposableMailbox: 'hold', paidSearch: 'flag', fastOrder: 'off' });
  });
  after(() => service.close());

  const save = (body: object) => service.request('PATCH', `${service.program.path}/fraud-settings`, { body });
  const read = async (path: string) => (await service.request('GET', `${service.program.path}${path}`)).body;
  const alertsOf = async (conversionId: string) => (await read(`/fraud-events?conversionId=${conversionId}`)).fraudEvents;
  const aClick = async (given: object) => {
    const body = { referralCode: ada.referralCode, userAgent: browser, ipAddress: '203.0.113.7', ...given };
    const { status, body: click } = await service.request('POST', '/v1/clicks', { body });
    assert.equal(status, 201, JSON.stringify(click));
    return click.clickId;
  };

  test('a disposable mailbox holds the commission, and names the provider without the address', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, customer: { email: 'Unusual.Name@Mailinator.com' } });
    assert.equal(order.status, 'held');
    const [alert, ...others] = await alertsOf(order.id);
    assert.equal(others.length, 0);
    assert.deepEqual([alert.kind, alert.evidence], ['disposable_mailbox', { mailboxProvider: 'mailinator.com', action: 'hold' }]);
    const { sentences } = await read(`/conversions/${order.id}/explanation`);
    assert.equal(sentences.at(-1), 'Fraud alert (disposable mailbox): the commission is held until the fraud alert is resolved.');
    const stored = 'select v::text as text from conversions as v union all select alert::text from fraud_events as alert';
    const { rows } = await service.pool.query(stored);
    assert.equal(
      rows.some(({ text }: { text: string }) => /unusual/i.test(text)),
      false,
    );
  });

  test('other mailboxes, and customers without an address, open no alert', async () => {
    for (const customer of [{ email: 'buyer@notmailinator.com' }, { externalId: 'c-1' }]) {
      const order = await anOrder(service, { affiliateId: ada.id, customer });
      assert.deepEqual(await alertsOf(order.id), []);
    }
  });

  test('an order that is claimed later is checked like a reported one', async () => {
    const { path } = service.program;
    const customer = { email: 'someone@yopmail.com' };
    await service.request('POST', '/v1/conversions', { body: { orderId: 'lost', amountCents: 4000, couponCode: 'GONE', customer } });
    const { body: claim } = await service.request('POST', `${path}/claims`, { body: { affiliateId: ada.id, orderId: 'lost' } });
    const { body: decided } = await service.request('POST', `${path}/claims/${claim.id}/decide`, { body: { decision: 'accepted' } });
    const [alert] = await alertsOf(decided.conversionId);
    assert.deepEqual([alert.kind, alert.evidence.mailboxProvider], ['disposable_mailbox', 'yopmail.com']);
  });

  test('a click of a search ad flags its order, with the parameter and the keyword of its address', async () => {
    const clickId = await aClick({ url: 'https://brand.example/tea?gclid=Cj0x&utm_term=brand+coupon' });
    const order = await anOrder(service, { clickId });
    assert.equal(order.status, 'pending');
    const alert = (await alertsOf(order.id)).find(({ kind }: { kind: string }) => kind === 'paid_search');
    assert.deepEqual(alert.evidence, { adParameter: 'gclid', adHost: null, keyword: 'brand coupon', clickId, action: 'flag' });
  });

  test('a search ad that leads directly to a link flags its order; only the name of its parameter is stored', async () => {
    const address = `/r/${ada.referralCode}?gad_source=1&gclid=Cj0secret`;
    const { status, headers } = await service.request('GET', address, { key: null, headers: { 'user-agent': browser } });
    assert.equal(status, 302);
    const clickId = new URL(String(headers.location)).searchParams.get('trb_click');
    const order = await anOrder(service, { clickId });
    const [alert] = await alertsOf(order.id);
    assert.deepEqual(alert.evidence, { adParameter: 'gclid', adHost: null, keyword: null, clickId, action: 'flag' });
    const { rows } = await service.pool.query('select click::text as text from clicks as click where id = $1', [clickId]);
    assert.equal(/secret/.test(rows[0].text), false);
  });

  test('a page that reports a click names the parameter of its address', async () => {
    const order = await anOrder(service, { clickId: await aClick({ adParameter: 'msclkid' }) });
    assert.equal((await alertsOf(order.id))[0].evidence.adParameter, 'msclkid');
  });

  test('a click from a site that only shows search ads flags its order, one from a search engine does not', async () => {
    const kindsOf = async (clickId: string) =>
      (await alertsOf((await anOrder(service, { clickId })).id)).map(({ kind }: { kind: string }) => kind);
    const ad = await aClick({ referrer: 'https://syndicatedsearch.goog/afs/ads?q=brand' });
    assert.equal((await kindsOf(ad)).includes('paid_search'), true);
    const search = await aClick({ referrer: 'https://www.google.com/' });
    assert.equal((await kindsOf(search)).includes('paid_search'), false);
  });
});
