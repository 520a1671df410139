// Shared devices: affiliates who use the portal with the browser of a buyer, or of another affiliate.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { findSharedDevice } from './shared-device.ts';

const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('what a browser reveals', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 2, day));
  const browsers = new Map([
    ['laptop', new Map([['ada', at(1)]])],
    [
      'phone',
      new Map([
        ['ada', at(2)],
        ['kofi', at(3)],
        ['mei', at(4)],
      ]),
    ],
  ]);

  test('the buyer comes first, then the affiliate who used it last', () => {
    assert.deepEqual(findSharedDevice(browsers, 'ada', 'laptop'), {
      sharedWith: 'buyer',
      otherAffiliateId: null,
      seenAt: at(1).toISOString(),
    });
    const other = { sharedWith: 'affiliate', otherAffiliateId: 'mei', seenAt: at(4).toISOString() };
    for (const visitorId of [null, 'unknown']) assert.deepEqual(findSharedDevice(browsers, 'ada', visitorId), other);
  });

  test('the browser of another affiliate is nothing about this one', () => {
    assert.equal(findSharedDevice(new Map([['laptop', new Map([['ada', at(1)]])]]), 'kofi', 'laptop'), null);
    assert.equal(findSharedDevice(browsers, 'leo', 'phone'), null);
  });
});

describe('the check for shared devices', () => {
  let service: TestService;
  let [ada, kofi] = [
    { id: '', email: '', referralCode: '' },
    { id: '', email: '', referralCode: '' },
  ];
  before(async () => {
    service = await openTestService();
    await aRule(service, { rate: 10 });
    ada = await anAffiliate(service, { email: 'ada@example.com', status: 'active' });
    kofi = await anAffiliate(service, { email: 'kofi@example.com', status: 'active' });
    assert.equal((await read('/fraud-settings')).sharedDevice, 'off', 'it is off until a program turns it on');
  });
  after(() => service.close());

  const save = (body: object) => service.request('PATCH', `${service.program.path}/fraud-settings`, { body });
  const read = async (path: string) => (await service.request('GET', `${service.program.path}${path}`)).body;
  const alertsOf = async (conversionId: string) =>
    (await read(`/fraud-events?conversionId=${conversionId}&kind=shared_device`)).fraudEvents;

  /** Follows the link with a new browser. Returns its cookie, with the visitor, and the click. */
  async function follow(referralCode: string) {
    const { headers: answer } = await service.request('GET', `/r/${referralCode}`, { key: null, headers: { 'user-agent': agent } });
    const visitor = String(answer['set-cookie'] ?? '').split(';')[0] ?? '';
    return { visitor, clickId: new URL(String(answer.location)).searchParams.get('trb_click') ?? '' };
  }
  /** The user of an affiliate, signed in without the command line. */
  async function signIn(affiliate: { id: string; email: string }): Promise<TestMember> {
    const user = await service.asAffiliate(affiliate);
    await service.pool.query('update sessions set is_from_command = false where id = $1', [user.sessionId]);
    return user;
  }
  /** Uses the portal in a browser that has this visitor. */
  const usePortal = (user: TestMember, visitor: string, headers: Record<string, string> = {}) =>
    service.request('GET', `/app/portal/${service.program.programId}/account`, {
      key: null,
      headers: { ...headers, cookie: [user.cookie, visitor].join('; ') },
    });

  test('finds an affiliate who is the buyer, another affiliate with the same browser, and nothing else', async () => {
    const [asAda, asKofi] = [await signIn(ada), await signIn(kofi)];
    const own = await follow(ada.referralCode);
    assert.equal((await usePortal(asAda, own.visitor)).status, 200);
    const unchecked = await anOrder(service, { clickId: own.clickId, amountCents: 1000 });
    assert.deepEqual(await alertsOf(unchecked.id), [], 'the check is off');
    await save({ sharedDevice: 'hold', fastOrder: 'off' });

    const buyer = await anOrder(service, { clickId: own.clickId, amountCents: 2000 });
    assert.equal(buyer.status, 'held');
    const [alert] = await alertsOf(buyer.id);
    const { seenAt, ...evidence } = alert.evidence;
    assert.deepEqual(evidence, { sharedWith: 'buyer', otherAffiliateId: null, clickId: own.clickId, action: 'hold' });
    assert.equal(seenAt, service.clock.now().toISOString());

    const stranger = await follow(kofi.referralCode);
    assert.deepEqual(await alertsOf((await anOrder(service, { clickId: stranger.clickId })).id), []);

    await usePortal(asKofi, own.visitor);
    const [shared] = await alertsOf((await anOrder(service, { affiliateId: kofi.id, amountCents: 4000 })).id);
    assert.deepEqual([shared.evidence.sharedWith, shared.evidence.otherAffiliateId], ['affiliate', ada.id]);
    const { body } = await service.request('POST', `${service.program.path}/fraud-events/${alert.id}/resolve`, {
      body: { resolution: 'legitimate' },
    });
    assert.equal(body.status, 'legitimate');
  });

  test('shows its effect on past orders, those from before it was turned on included', async () => {
    const dana = await service.asMember('viewer');
    const path = `/app/programs/${service.program.programId}/fraud-settings/effect`;
    const { body } = await dana.request('POST', path, { key: null, body: { sharedDevice: 'flag' } });
    const [effect] = body.effects.filter(({ check }: { check: string }) => check === 'sharedDevice');
    assert.deepEqual([effect.action, effect.orders >= 3, effect.uncheckedCount], ['flag', true, 0]);
  });

  test('knows no browser that objects, and none whose cookie was not issued here', async () => {
    const mei = await anAffiliate(service, { email: 'mei@example.com', status: 'active' });
    const asMei = await signIn(mei);
    const { visitor, clickId } = await follow(mei.referralCode);
    await usePortal(asMei, visitor, { 'sec-gpc': '1' });
    await usePortal(
      asMei,
      visitor.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    );
    assert.deepEqual(await alertsOf((await anOrder(service, { clickId })).id), []);
    const { rows } = await service.pool.query('select visitor_id from sessions where user_id = $1', [asMei.userId]);
    assert.deepEqual(rows, [{ visitor_id: null }]);
  });
});
