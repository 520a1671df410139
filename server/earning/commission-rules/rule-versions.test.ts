// Every calculation uses the rules, overrides, groups and coupon rates of the time of the order.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { aCoupon, aGroup, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';

const service: TestService = await openTestService();
after(() => service.close());

let program: TestProgram;
let ada: string;
beforeEach(async () => {
  program = await service.newProgram('Rules of the time');
  ada = (await anAffiliate(service, { status: 'active' }, program)).id;
});

const send = (method: string, path: string, body: object) => service.request(method, `${program.path}${path}`, { body, key: program.key });
const read = (path: string) => service.request('GET', `${program.path}${path}`, { key: program.key });
const order = (given: Record<string, unknown>) => anOrder(service, given, program);

/** A moment between two changes, and the clock an hour later. */
function nextMoment(): string {
  service.clock.advance({ seconds: 3600 });
  const at = service.clock.now().toISOString();
  service.clock.advance({ seconds: 3600 });
  return at;
}

/** A rule of 10 percent, changed to 20, archived; a moment in each state. */
async function aHistory() {
  const ruleId = await aRule(service, { name: 'Standard', rate: 10 }, program);
  const atTen = nextMoment();
  assert.equal((await send('PATCH', `/commission-rules/${ruleId}`, { rate: 20 })).status, 200);
  const atTwenty = nextMoment();
  assert.equal((await send('POST', `/commission-rules/${ruleId}/archive`, {})).status, 200);
  const archived = nextMoment();
  return { ruleId, atTen, atTwenty, archived };
}

describe('an order reported late', () => {
  test('is paid by the rule version of its time, also when the rule was archived later', async () => {
    const { atTen, atTwenty, archived } = await aHistory();
    const earned = async (occurredAt: string) => {
      const { commissions } = await order({ affiliateId: ada, occurredAt });
      return commissions.map(({ amountCents, ruleVersion }: Record<string, unknown>) => [amountCents, ruleVersion]);
    };
    assert.deepEqual(await earned(atTen), [[1000, 1]]);
    assert.deepEqual(await earned(atTwenty), [[2000, 2]]);
    assert.deepEqual(await earned(archived), []);
  });

  test('in a batch, each order uses the rules of its own time', async () => {
    const { atTen, atTwenty, archived } = await aHistory();
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

  test('of a claim is paid by the rules of the time of the order', async () => {
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

  test('is not paid by a rule that was created later, unless its effectiveFrom says so', async () => {
    await aRule(service, { rate: 10 }, program);
    const occurredAt = nextMoment();
    await aRule(service, { rate: 50, affiliateId: ada }, program);
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 1000);
    await aRule(service, { rate: 60, affiliateId: ada, effectiveFrom: occurredAt }, program);
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 6000);
  });

  test('is paid by a changed rule only when the change itself moves effectiveFrom before the order', async () => {
    const ruleId = await aRule(service, { rate: 10, effectiveFrom: '2026-01-01T00:00:00Z' }, program);
    const occurredAt = nextMoment();
    await send('PATCH', `/commission-rules/${ruleId}`, { rate: 20 });
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 1000);
    await send('PATCH', `/commission-rules/${ruleId}`, { rate: 25, effectiveFrom: '2026-01-02T00:00:00Z' });
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 2500);
  });

  test('from before the first rule is paid by the rules that the program started with', async () => {
    await aRule(service, { rate: 10 }, program);
    service.clock.advance({ seconds: 5 });
    const rule = await aRule(service, { rate: 15, affiliateId: ada }, program);
    assert.equal((await order({ affiliateId: ada, occurredAt: '2025-06-01T00:00:00Z' })).commissionCents, 1500);
    service.clock.advance({ seconds: 3600 });
    await send('PATCH', `/commission-rules/${rule}`, { rate: 40 });
    assert.equal((await order({ affiliateId: ada, occurredAt: '2025-06-01T00:00:00Z' })).commissionCents, 1500);
  });

  test('uses the tiers and the budget of the version of its time', async () => {
    const tiers = [{ metric: 'conversions', period: 'total', from: 0, rate: 12 }];
    const ruleId = await aRule(service, { rate: 10, tiers, budgetCents: 1500, budgetPeriod: 'total' }, program);
    const occurredAt = nextMoment();
    await send('PATCH', `/commission-rules/${ruleId}`, { rate: 10, tiers: [], budgetCents: null, budgetPeriod: null });
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 1200);
    assert.equal((await order({ affiliateId: ada, occurredAt })).commissionCents, 300);
    assert.equal((await order({ affiliateId: ada })).commissionCents, 1000);
  });
});

describe('the terms of an affiliate', () => {
  test('at the time of the order count: override, group, upline and its status', async () => {
    const gold = await aGroup(service, 'Gold', program);
    await aRule(service, { name: 'All', rate: 10 }, program);
    await aRule(service, { name: 'Gold', rate: 20, groupId: gold }, program);
    await aRule(service, { name: 'Up', rate: 1, level: 2 }, program);
    const una = (await anAffiliate(service, { status: 'active' }, program)).id;
    const paid = async (occurredAt: string) => {
      const { commissions } = await order({ affiliateId: ada, occurredAt });
      return commissions.map(({ amountCents }: { amountCents: number }) => amountCents);
    };
    const plain = nextMoment();
    await send('PATCH', `/affiliates/${ada}`, { groupId: gold, parentAffiliateId: una });
    const inGold = nextMoment();
    await send('PATCH', `/affiliates/${ada}`, { commissionOverrideType: 'percentage', commissionOverrideRate: 33 });
    await send('PATCH', `/affiliates/${una}`, { status: 'suspended' });
    const overridden = nextMoment();
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

  test('the rate of a coupon at the time of the order counts', async () => {
    const coupon = await aCoupon(service, { affiliateId: ada, code: 'RATE', commissionType: 'percentage', commissionRate: 5 }, program);
    const atFive = nextMoment();
    await send('PATCH', `/coupons/${coupon.id}`, { commissionRate: 40 });
    assert.equal((await order({ couponCode: 'RATE', occurredAt: atFive })).commissionCents, 500);
    assert.equal((await order({ couponCode: 'RATE' })).commissionCents, 4000);
  });
});

describe('what calculates without recording', () => {
  test('a preview with a time pays what the report of that time pays', async () => {
    const { atTen, atTwenty } = await aHistory();
    const preview = async (occurredAt: string) =>
      (await send('POST', '/commission-rules/preview', { orderId: 'p', amountCents: 10_000, affiliateId: ada, occurredAt })).body;
    assert.deepEqual([(await preview(atTen)).commissionCents, (await preview(atTwenty)).commissionCents], [1000, 2000]);
  });

  test('resolve with a time answers by the versions of that time, and lists later rules as not yet effective', async () => {
    const { atTen, atTwenty, archived } = await aHistory();
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

  test('a simulation without a change differs by nothing, whatever the rules were meanwhile', async () => {
    const from = service.clock.now();
    const { ruleId } = await aHistory();
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
