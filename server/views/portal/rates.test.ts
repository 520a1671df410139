// The rate card shows what the next order will earn: at the tier that was reached, with what the next one needs.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';

const service: TestService = await openTestService();
after(() => service.close());

let program: TestProgram;
let ada: TestMember;
let id: string;
let count = 0;
beforeEach(async () => {
  count += 1;
  program = await service.newProgram(`Rates ${count}`);
  const affiliate = await anAffiliate(service, { status: 'active', email: `ada${count}@example.com` }, program);
  id = affiliate.id;
  ada = await service.asAffiliate(affiliate, program);
});

const read = async () => (await ada.request('GET', `/app/portal/${program.programId}/rates`, { key: null })).body;
const tiered = (tiers: object[]) => aRule(service, { name: 'Standard', rate: 10, tiers }, program);

describe('the rate card', () => {
  test('predicts what every order earns while tiers are reached, as the explanation of the order confirms', async () => {
    const tier = { metric: 'amountCents', period: 'month' };
    await tiered([
      { ...tier, from: 30_000, rate: 20 },
      { ...tier, from: 15_000, rate: 12.5 },
    ]);
    const seen: unknown[] = [];
    for (let order = 0; order < 5; order += 1) {
      const { anythingElse } = await read();
      const { rate, exampleOrderCents, exampleCents, tiers } = anythingElse;
      seen.push([rate, tiers.total, tiers.missing, tiers.steps.filter(({ isReached }: { isReached: boolean }) => isReached).length]);
      const recorded = await anOrder(service, { affiliateId: id, amountCents: exampleOrderCents }, program);
      const path = `${program.path}/conversions/${recorded.conversion?.id ?? recorded.id}/explanation`;
      const { body, status } = await service.request('GET', path, { key: program.key });
      assert.equal(status, 200);
      assert.deepEqual(
        recorded.commissions.map(({ amountCents }: { amountCents: number }) => amountCents),
        [exampleCents],
      );
      assert.ok(JSON.stringify(body).includes(`${rate}%`), JSON.stringify(body));
    }
    assert.deepEqual(seen, [
      [10, 0, 15_000, 0],
      [10, 10_000, 5_000, 0],
      [12.5, 20_000, 10_000, 1],
      [20, 30_000, null, 2],
      [20, 40_000, null, 2],
    ]);
  });

  test('starts again with the next period, and says when that is in the time zone of the program', async () => {
    await service.pool.query(`update programs set timezone = 'America/New_York' where id = $1`, [program.programId]);
    await tiered([{ metric: 'conversions', period: 'month', from: 1, rate: 30 }]);
    await anOrder(service, { affiliateId: id, amountCents: 10_000 }, program);
    const { anythingElse: reached } = await read();
    const ends = new Date(reached.tiers.periodEndsAt);
    const local = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', day: 'numeric', hour: 'numeric', hourCycle: 'h23' });
    assert.deepEqual([reached.rate, reached.tiers.total, reached.tiers.missing], [30, 1, null]);
    assert.equal(local.format(ends), '1, 00');
    service.clock.advance({ seconds: (ends.getTime() - service.clock.now().getTime()) / 1000 });
    ada = await service.asAffiliate({ id, email: `ada${count}@example.com` }, program);
    const { anythingElse: next } = await read();
    assert.deepEqual([next.rate, next.tiers.total, next.tiers.missing], [10, 0, 1]);
  });

  test('names the day on which a rate ends, and shows no tiers where there are none', async () => {
    const effectiveTo = new Date(service.clock.now().getTime() + 86_400_000 * 20).toISOString();
    await aRule(service, { name: 'Standard', rate: 8, effectiveTo }, program);
    const { anythingElse } = await read();
    assert.deepEqual([anythingElse.rate, anythingElse.validUntil, anythingElse.tiers], [8, effectiveTo, null]);
  });
});
