// Of several edits based on the same version, one succeeds: of settings, groups, products, coupons and commission rules.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, aGroup, anAffiliate, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';

describe('edits that name the version they are based on', () => {
  let service: TestService;
  let dana: TestMember;
  before(async () => {
    service = await openTestService();
    dana = await service.asMember('owner', { name: 'Dana Calder' });
  });
  after(() => service.close());

  const send = (path: string, body: unknown, version?: string) =>
    dana.request('PATCH', path, { body, headers: version === undefined ? {} : { 'if-match': `"${version}"` } });
  const versionAt = async (path: string) => String((await service.request('GET', path)).body.version);

  /** Races five changes that are based on one version, then changes the object back. */
  async function check(path: string, code: string, bodyOf: (n: number) => object) {
    const version = await versionAt(path);
    service.clock.advance({ seconds: 1 });
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((n) => send(path, bodyOf(n), version)));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 412, 412, 412, 412]);
    const { body } = await send(path, bodyOf(6), version);
    assert.deepEqual([body.code, body.changedBy.name, body.version], [code, 'Dana Calder', await versionAt(path)]);
    const winner = outcomes.find(({ status }) => status === 200)?.body;
    assert.equal(String(winner.version), body.version);
    assert.equal((await send(path, bodyOf(7))).status, 200, 'without a version, the last change counts');
    assert.equal((await send(path, bodyOf(8), await versionAt(path))).status, 200);
  }

  test('settings of the program', () => check(service.program.path, 'stale_program', (n) => ({ holdDays: 10 + n })));

  test('a group', async () => {
    const id = await aGroup(service, 'Gold');
    await check(`${service.program.path}/groups/${id}`, 'stale_group', (n) => ({ minimumPayoutCents: n }));
  });

  test('a product, even when only the groups that may promote it change', async () => {
    const path = `${service.program.path}/products/${await aProduct(service)}`;
    await check(path, 'stale_product', (n) => ({ name: `Tea ${n}` }));
    const version = await versionAt(path);
    await send(path, { allowedGroupIds: [await aGroup(service, 'Silver')] });
    assert.equal((await send(path, { name: 'Late' }, version)).status, 412);
    await send(path, { allowedGroupIds: [] });
    assert.equal(await versionAt(path), version, 'a change that was reverted causes no conflict');
  });

  test('a commission rule', async () => {
    const id = await aRule(service, { rate: 10 });
    await check(`${service.program.path}/commission-rules/${id}`, 'stale_rule', (n) => ({ rate: 10 + n }));
  });

  test('a coupon, whose redemptions don’t count as edits', async () => {
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    const { id, code } = await aCoupon(service, { affiliateId });
    const path = `${service.program.path}/coupons/${id}`;
    await check(path, 'stale_coupon', (n) => ({ maxRedemptions: 10 + n }));
    const version = await versionAt(path);
    const order = { orderId: 'V-1', amountCents: 5000, couponCode: code };
    assert.equal((await service.request('POST', '/v1/conversions', { body: order })).status, 201);
    assert.deepEqual([(await service.request('GET', path)).body.redemptions, await versionAt(path)], [1, version]);
  });
});
