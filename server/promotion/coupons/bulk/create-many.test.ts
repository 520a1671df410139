import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

type Row = { affiliateId: string; code: string | null; status: string; couponId?: string };

describe('coupons for many affiliates', () => {
  let service: TestService;
  let group = '';
  const ids: string[] = [];
  before(async () => {
    service = await openTestService();
    group = await aGroup(service, 'Gold');
    for (const firstName of ['Ada', 'Ada', 'Zoë'])
      ids.push((await anAffiliate(service, { firstName, lastName: 'Marino', status: 'active', groupId: group })).id);
    await anAffiliate(service, { firstName: 'Paused', status: 'suspended', groupId: group });
  });
  after(() => service.close());

  const send = (body: object) =>
    service.request('POST', `${service.program.path}/coupons/bulk`, {
      body: Object.assign({ discountType: 'percentage', discountRate: 20 }, body),
    });
  const total = async () => (await service.request('GET', `${service.program.path}/coupons`)).body.total;
  const outcomes = ({ rows }: { rows: Row[] }) => rows.map(({ code, status }) => `${code} ${status}`).sort();

  test('a dry run shows the codes and creates nothing; the run creates these codes, each with its audit entry and event', async () => {
    const dry = await send({ pattern: '{firstName}20', groupId: group, dryRun: true });
    assert.deepEqual([dry.status, outcomes(dry.body)], [200, ['ADA20 created', 'ADA202 created', 'ZOE20 created']]);
    assert.equal(await total(), 0);
    const run = await send({ pattern: '{firstName}20', groupId: group });
    assert.deepEqual(outcomes(run.body), outcomes(dry.body));
    const { body } = await service.request('GET', `${service.program.path}/coupons?expand=affiliate`);
    assert.deepEqual(
      body.coupons.map((coupon: { discountRate: number }) => coupon.discountRate),
      [20, 20, 20],
    );
    for (const { affiliateId, couponId, code } of run.body.rows)
      assert.ok(
        body.coupons.some(
          (each: Record<string, unknown>) => each.id === couponId && each.affiliateId === affiliateId && each.code === code,
        ),
      );
    const { rows } = await service.pool.query(`select count(*)::int as n from audit_log where action = 'coupon.created'`);
    const events = await service.pool.query(`select count(*)::int as n from events where type = 'coupon.created'`);
    assert.deepEqual([rows[0].n, events.rows[0].n], [3, 3]);
  });

  test('affiliates with an active coupon are left out unless asked for; codes that are taken get a number', async () => {
    const skipped = await send({ pattern: '{firstName}20', affiliateIds: ids });
    assert.deepEqual([skipped.body.created, skipped.body.skipped], [0, 3]);
    const again = await send({ pattern: '{firstName}20', affiliateIds: [ids[2]], skipWithCoupon: false });
    assert.deepEqual(outcomes(again.body), ['ZOE202 created']);
  });

  test('simultaneous requests create each code once', async () => {
    const racers = [(await anAffiliate(service, { firstName: 'Kofi', status: 'active' })).id];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send({ pattern: '{firstName}-RACE', affiliateIds: racers, skipWithCoupon: false })),
    );
    for (const { status } of answers) assert.equal(status, 200);
    const codes = answers.flatMap(({ body }) => body.rows.filter(({ status }: Row) => status === 'created').map(({ code }: Row) => code));
    assert.equal(new Set(codes).size, codes.length);
    const { rows } = await service.pool.query(`select code from coupons where code like 'KOFI-RACE%'`);
    assert.deepEqual(rows.map(({ code }) => code).sort(), [...codes].sort());
  });

  test('invalid patterns and terms are rejected, and unknown ids are not found', async () => {
    const fault = async (body: object) => (await send(body)).body.details?.[0]?.path[0];
    assert.equal(await fault({ pattern: 'SAME20' }), 'pattern');
    assert.equal(await fault({ pattern: '{firstName}', discountRate: 120 }), 'discountRate');
    const foreign = (await anAffiliate(service, {}, service.foreign)).id;
    assert.equal((await send({ pattern: '{firstName}', affiliateIds: [foreign] })).status, 404);
    assert.equal((await send({ pattern: '{firstName}', groupId: await aGroup(service, 'Foreign', service.foreign) })).status, 404);
  });
});
