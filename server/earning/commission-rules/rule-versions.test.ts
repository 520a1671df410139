// Every calculation uses the rules, overrides, groups and coupon rates that were valid when the order occurred.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { aCoupon, aGroup, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';

const service: TestService = await openTestService();
after(() => service.close());

let program: TestProgram;
let ada: string;
beforeEach(async () => {
  program = await service.newProgram('Rule versions');
  ada = (await anAffiliate(service, { status: 'active' }, program)).id;
});

const send = (method: string, path: string, body: object) => service.request(method, `${program.path}${path}`, { body, key: program.key });
const read = (path: string) => service.request('GET', `${program.path}${path}`, { key: program.key });
const order = (given: Record<string, unknown>) => anOrder(service, given, program);
const amounts = ({ commissions }: { commissions: { amountCents: number }[] }) => commissions.map(({ amountCents }) => amountCents);

/** Returns a time between two changes, and advances the clock by another hour. */
function timeBetweenChanges(): string {
  service.clock.advance({ seconds: 3600 });
  const at = service.clock.now().toISOString();
  service.clock.advance({ seconds: 3600 });
  return at;
}

/** A rule of 10 percent that was changed to 20 and then archived; with a time in each state. */
async function aChangedRule() {
  const ruleId = await aRule(service, { name: 'Standard', rate: 10 }, program);
  const atTen = timeBetweenChanges();
  assert.equal((await send('PATCH', `/commission-rules/${ruleId}`, { rate: 20 })).status, 200);
  const atTwenty = timeBetweenChanges();
  assert.equal((await send('PATCH', `/commission-rules/${ruleId}`, { status: 'archived' })).status, 200);
  const archived = timeBetweenChanges();
  return { ruleId, atTen, atTwenty, archived };
}

describe('an order reported late', () => {
  test('uses the rule version that was valid when it occurred, even if the rule was archived later', async () => {
    const { atTen, atTwenty, archived } = await aChangedRule();
    const earned = async (occurredAt: string) => {
      const { commissions } = await order({ affiliateId: ada, occurredAt });
      return commissions.map(({ amountCents, ruleVersion }: Record<string, unknown>) => [amountCents, ruleVersion]);
    };
    assert.deepEqual(await earned(atTen), [[1000, 1]]);
    assert.deepEqual(await earned(atTwenty), [[2000, 2]]);
    assert.deepEqual(await earned(archived), []);
  });

  test('in a batch uses the rules that were valid when it occurred', async () => {
    const { atTen, atTwenty, archived } = await aChangedRule();
    const conversions = [archived, atTwenty, atTen].map((occurredAt, index) => ({
      orderId: `batch-${index}`,
      amountCents: 10_000,
      affiliateId: ada,
      occurredAt,
    }));
    const { body } = await service.request('POST', '/v1/conversions/batch', { body: { conversions }, key: program.key });
    const paid = body.results.map(({ conversion }: { conversion: { commissionCents: number } }) => conversion.commissionCents);
    assert.deepEqual(paid, [0, 2000, 1000]);
  });

  test('through a claim uses the rules that were valid when it occurred', async () => {
    await aRule(service, { rate: 10 }, program);
    service.clock.advance({ seconds: 3600 });
    const reported = await service.request('POST', '/v1/conversions', { body: { orderId: 'lost', amountCents: 10_000 }, key: program.key });
    assert.equal(reported.status, 422);
    service.clock.advance({ seconds: 3600 });
    const [rule] = (await read('/commission-rules')).body.commissionRules;
    await send('PATCH', `/commission-rules/${rule.id}`, { rate: 30 });
    await aRule(service, { rate: 50, affiliateId: ada }, program);
    service.clock.advance({ seconds: 3600 });
    const claim = await send('POST', '/claims', { affiliateId: ada, orderId: 'lost' });
    const decided = await send('POST', `/claims/${claim.body.id}/decide`, { decision: 'accepted' });
    assert.equal(decided.status, 200, decided.text);
    const { body } = await read(`/conversions/${decided.body.conversionId}`);
    assert.deepEqual([body.commissionCents, body.commissions[0].ruleVersion], [1000, 1]);
  });

  test('does not use a rule that was created later, unless its effectiveFrom includes the order', async () => {
    await aRule(service, { rate: 10 }, program);
    const occurredAt = timeBetweenChanges();
    await aRule(service, { rate: 50, affiliateId: ada }, program);
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 1000);
    await aRule(service, { rate: 60, affiliateId: ada, effectiveFrom: occurredAt }, program);
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 6000);
  });

  test('uses a changed rule only if the change itself moves effectiveFrom before the order', async () => {
    const ruleId = await aRule(service, { rate: 10, effectiveFrom: '2026-01-01T00:00:00Z' }, program);
    const occurredAt = timeBetweenChanges();
    await send('PATCH', `/commission-rules/${ruleId}`, { rate: 20 });
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 1000);
    await send('PATCH', `/commission-rules/${ruleId}`, { rate: 25, effectiveFrom: '2026-01-02T00:00:00Z' });
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 2500);
  });

  test('that occurred before the first rule uses the rules that the program started with', async () => {
    await aRule(service, { rate: 10 }, program);
    service.clock.advance({ seconds: 5 });
    const rule = await aRule(service, { rate: 15, affiliateId: ada }, program);
    assert.equal((await order({ affiliateId: ada, occurredAt: '2025-06-01T00:00:00Z' })).commissionCents, 1500);
    service.clock.advance({ seconds: 3600 });
    await send('PATCH', `/commission-rules/${rule}`, { rate: 40 });
    assert.equal((await order({ affiliateId: ada, occurredAt: '2025-06-01T00:00:00Z' })).commissionCents, 1500);
  });

  test('uses the tiers and the budget of the version that was valid when it occurred', async () => {
    const tiers = [{ metric: 'conversions', period: 'total', from: 0, rate: 12 }];
    const ruleId = await aRule(service, { rate: 10, tiers, budgetCents: 1500, budgetPeriod: 'total' }, program);
    const occurredAt = timeBetweenChanges();
    await send('PATCH', `/commission-rules/${ruleId}`, { rate: 10, tiers: [], budgetCents: null, budgetPeriod: null });
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 1200);
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 300);
    assert.equal((await order({ affiliateId: ada })).commissionCents, 1000);
  });
});

describe('the terms of an affiliate', () => {
  test('apply as they were when the order occurred: override, group, upline and its status', async () => {
    const gold = await aGroup(service, 'Gold', program);
    await aRule(service, { name: 'All', rate: 10 }, program);
    await aRule(service, { name: 'Gold', rate: 20, groupId: gold }, program);
    await aRule(service, { name: 'Up', rate: 1, level: 2 }, program);
    const una = (await anAffiliate(service, { status: 'active' }, program)).id;
    const paid = async (occurredAt: string) => {
      const { commissions } = await order({ affiliateId: ada, occurredAt });
      return commissions.map(({ amountCents }: { amountCents: number }) => amountCents);
    };
    const plain = timeBetweenChanges();
    await send('PATCH', `/affiliates/${ada}`, { groupId: gold, parentAffiliateId: una });
    const inGold = timeBetweenChanges();
    await send('PATCH', `/affiliates/${ada}`, { commissionOverrideType: 'percentage', commissionOverrideRate: 33 });
    await send('PATCH', `/affiliates/${una}`, { status: 'suspended' });
    const overridden = timeBetweenChanges();
    assert.deepEqual(await paid(plain), [1000]);
    assert.deepEqual(await paid(inGold), [2000, 100]);
    assert.deepEqual(await paid(overridden), [3300]);
    const archived = await send('PATCH', `/groups/${gold}`, { status: 'archived', moveToGroupId: null });
    assert.equal(archived.status, 200, archived.text);
    await send('PATCH', `/affiliates/${ada}`, { commissionOverrideType: null });
    assert.deepEqual(await paid(inGold), [2000, 100]);
    service.clock.advance({ seconds: 3600 });
    assert.deepEqual(await paid(service.clock.now().toISOString()), [1000]);
  });

  describe('before they were invited', () => {
    const past = '2025-06-01T00:00:00Z';

    test('apply as of their first reported order, with a warning', async () => {
      const gold = await aGroup(service, 'Gold', program);
      await aRule(service, { name: 'All', rate: 10 }, program);
      await aRule(service, { name: 'Gold', rate: 20, groupId: gold }, program);
      await aRule(service, { name: 'Up', rate: 1, level: 2 }, program);
      await order({ affiliateId: ada });
      const una = (await anAffiliate(service, { status: 'active' }, program)).id;
      service.clock.advance({ seconds: 3600 });
      const [grace, eve] = [await anAffiliate(service, {}, program), await anAffiliate(service, {}, program)];
      service.clock.advance({ seconds: 60 });
      await send('PATCH', `/affiliates/${una}`, { status: 'active' });
      const override = { commissionOverrideType: 'percentage', commissionOverrideRate: 50 };
      await send('PATCH', `/affiliates/${grace.id}`, { status: 'active', parentAffiliateId: una, ...override });
      await send('PATCH', `/affiliates/${eve.id}`, { status: 'active', groupId: gold });
      service.clock.advance({ seconds: 60 });
      const imported = await order({ affiliateId: grace.id, occurredAt: past });
      const firstReportedAt = imported.createdAt;
      assert.deepEqual(amounts(imported), [5000, 100]);
      const message =
        'is before the affiliate was invited, so their override, group and upline apply as they are now: until the first reported order ' +
        'of an affiliate, their terms are being set up';
      assert.deepEqual(imported.warnings, [{ code: 'affiliate_terms_changed', path: ['occurredAt'], message }]);
      assert.deepEqual(amounts(await order({ affiliateId: eve.id, occurredAt: past })), [2000]);
      service.clock.advance({ seconds: 3600 });
      await send('PATCH', `/affiliates/${grace.id}`, { commissionOverrideRate: 40, commissionOverrideType: 'percentage' });
      const late = await order({ affiliateId: grace.id, occurredAt: past });
      assert.deepEqual(amounts(late), [5000, 100]);
      assert.match(late.warnings[0].message, new RegExp(`apply as of their first reported order \\(${firstReportedAt}\\)`));
      const { body } = await read(`/commission-rules/resolve?affiliateId=${grace.id}&at=${past}`);
      assert.equal(body.winner.step, 'override');
      const preview = { orderId: 'p', amountCents: 10_000, affiliateId: grace.id, occurredAt: past };
      assert.deepEqual((await send('POST', '/commission-rules/preview', preview)).body.warnings, late.warnings);
    });

    test('apply without a warning if they never changed', async () => {
      await aRule(service, { name: 'All', rate: 10 }, program);
      const { warnings, commissionCents } = await order({ affiliateId: ada, occurredAt: past });
      assert.deepEqual([warnings, commissionCents], [[], 1000]);
    });

    test('apply to an order that is moved to them', async () => {
      await aRule(service, { name: 'All', rate: 10 }, program);
      const recorded = await order({ affiliateId: ada, occurredAt: past });
      service.clock.advance({ seconds: 3600 });
      const grace = await anAffiliate(service, { status: 'active' }, program);
      service.clock.advance({ seconds: 60 });
      await send('PATCH', `/affiliates/${grace.id}`, { commissionOverrideType: 'flat', commissionOverrideRate: 700 });
      const moved = await send('POST', `/conversions/${recorded.id}/move`, { affiliateId: grace.id, note: 'Hers' });
      const { commissionCents, warnings } = moved.body.conversion;
      assert.deepEqual([moved.status, commissionCents], [200, 700]);
      assert.deepEqual(
        warnings.map(({ code }: { code: string }) => code),
        ['affiliate_terms_changed'],
      );
    });

    test('apply to a claimed order', async () => {
      await aRule(service, { name: 'All', rate: 10 }, program);
      await service.request('POST', '/v1/conversions', { body: { orderId: 'lost', amountCents: 10_000 }, key: program.key });
      service.clock.advance({ seconds: 3600 });
      const grace = await anAffiliate(service, { status: 'active' }, program);
      service.clock.advance({ seconds: 60 });
      await send('PATCH', `/affiliates/${grace.id}`, { commissionOverrideType: 'percentage', commissionOverrideRate: 25 });
      const claim = await send('POST', '/claims', { affiliateId: grace.id, orderId: 'lost' });
      const { body } = await send('POST', `/claims/${claim.body.id}/decide`, { decision: 'accepted' });
      assert.equal((await read(`/conversions/${body.conversionId}`)).body.commissionCents, 2500);
    });
  });

  test('that no longer apply are named in a warning', async () => {
    await aRule(service, { name: 'All', rate: 10 }, program);
    const occurredAt = timeBetweenChanges();
    await send('PATCH', `/affiliates/${ada}`, { commissionOverrideType: 'percentage', commissionOverrideRate: 33 });
    const changedAt = service.clock.now().toISOString();
    const { commissionCents, warnings } = await order({ affiliateId: ada, occurredAt });
    assert.equal(commissionCents, 1000);
    const message = `is before the override, group or upline of the affiliate changed (${changedAt}), so those of the time of the order apply`;
    assert.deepEqual(warnings, [{ code: 'affiliate_terms_changed', path: ['occurredAt'], message }]);
  });

  test('a coupon rate applies as of its first reported order to orders from before it was created', async () => {
    await aRule(service, { name: 'All', rate: 10 }, program);
    const coupon = await aCoupon(service, { affiliateId: ada, code: 'EARLY' }, program);
    service.clock.advance({ seconds: 60 });
    await send('PATCH', `/coupons/${coupon.id}`, { commissionType: 'percentage', commissionRate: 30 });
    service.clock.advance({ seconds: 60 });
    const occurredAt = '2025-06-01T00:00:00Z';
    assert.equal((await order({ couponCode: 'EARLY', occurredAt })).commissionCents, 3000);
    service.clock.advance({ seconds: 60 });
    await send('PATCH', `/coupons/${coupon.id}`, { commissionRate: 40 });
    assert.equal((await order({ couponCode: 'EARLY', occurredAt })).commissionCents, 3000);
    assert.equal((await order({ couponCode: 'EARLY' })).commissionCents, 4000);
  });

  test('a coupon rate applies as it was when the order occurred', async () => {
    const coupon = await aCoupon(service, { affiliateId: ada, code: 'RATE', commissionType: 'percentage', commissionRate: 5 }, program);
    const atFive = timeBetweenChanges();
    await send('PATCH', `/coupons/${coupon.id}`, { commissionRate: 40 });
    assert.equal((await order({ couponCode: 'RATE', occurredAt: atFive })).commissionCents, 500);
    assert.equal((await order({ couponCode: 'RATE' })).commissionCents, 4000);
  });
});

describe('a calculation without recording', () => {
  test('a preview with a time returns the same commission as a report with that time', async () => {
    const { atTen, atTwenty } = await aChangedRule();
    const preview = async (occurredAt: string) =>
      (await send('POST', '/commission-rules/preview', { orderId: 'p', amountCents: 10_000, affiliateId: ada, occurredAt })).body;
    assert.deepEqual([(await preview(atTen)).commissionCents, (await preview(atTwenty)).commissionCents], [1000, 2000]);
  });

  test('resolve with a time uses the versions that were valid then, and lists later rules as not yet effective', async () => {
    const { atTen, atTwenty, archived } = await aChangedRule();
    await aRule(service, { name: 'Later', rate: 1 }, program);
    const winner = async (at: string) => (await read(`/commission-rules/resolve?affiliateId=${ada}&at=${at}`)).body;
    assert.deepEqual([(await winner(atTen)).winner.version, (await winner(atTwenty)).winner.version], [1, 2]);
    const then = await winner(archived);
    assert.equal(then.winner, null);
    assert.deepEqual(then.candidates.map(({ name, outcome }: Record<string, string>) => [name, outcome]).sort(), [
      ['Later', 'not_yet_effective'],
      ['Standard', 'archived'],
    ]);
  });

  test('a simulation without changes returns the recorded commissions, even if the rules changed in the period', async () => {
    const from = service.clock.now();
    const { ruleId } = await aChangedRule();
    await send('PATCH', `/commission-rules/${ruleId}`, { status: 'active', rate: 30 });
    await order({ affiliateId: ada, occurredAt: new Date(from.getTime() + 1_800_000).toISOString() });
    await order({ affiliateId: ada });
    const period = { from: from.toISOString(), to: new Date(service.clock.now().getTime() + 1000).toISOString() };
    const { body } = await send('POST', '/commission-rules/simulate', period);
    assert.deepEqual(body.total, { beforeCents: 4000, afterCents: 4000, differenceCents: 0, conversions: 2 });
    const archived = await send('POST', '/commission-rules/simulate', { ...period, archiveRuleIds: [ruleId] });
    assert.equal(archived.body.total.afterCents, 0);
  });
});
