// Simulations in the background: the same figures as `commissionRules.simulate`, in steps that can be cancelled and are each
// calculated once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { getSimulation } from './rule-simulation.ts';
import { loadSimulatedRules, startSimulation } from './run-simulation.ts';

describe('a simulation of rule changes', () => {
  let service: TestService;
  let dana: TestMember;
  let ruleId: string;
  let base: string;
  const affiliates: string[] = [];
  const period = { from: '2026-02-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' };

  before(async () => {
    service = await openTestService();
    dana = await service.asMember('viewer', { name: 'Dana Calder' });
    base = `/app/programs/${service.program.programId}/rule-simulations`;
    ruleId = await aRule(service, { name: 'Everyone', rate: 10 });
    for (const amountCents of [10_000, 4000, 2000]) {
      const { id } = await anAffiliate(service, { status: 'active' });
      affiliates.push(id);
      await anOrder(service, { affiliateId: id, amountCents });
    }
    await anOrder(service, { affiliateId: affiliates[0], amountCents: 5000, occurredAt: '2026-02-20T12:00:00Z' });
  });
  after(() => service.close());

  const changes = () => ({
    ...period,
    replace: [{ ruleId, name: 'Everyone', type: 'percentage', rate: 8 }],
    add: [{ name: 'First affiliate', type: 'percentage', rate: 20, affiliateId: affiliates[0] }],
  });
  const tables = async () =>
    (await service.pool.query('select (select count(*) from commissions) as a, (select sum(amount_cents) from commissions) as b')).rows;

  test('says who would have earned more and who less, per affiliate, week and in total, and changes nothing', async () => {
    const unchanged = await tables();
    const { status, body } = await dana.request('POST', base, { body: changes() });
    assert.equal(status, 201);
    assert.deepEqual([body.status, body.total, body.done], ['succeeded', 4, 4]);
    assert.deepEqual(body.outcome.total, {
      beforeCents: 2100,
      afterCents: 3480,
      differenceCents: 1380,
      conversions: 4,
      salesCents: 21_000,
    });
    assert.deepEqual(
      [body.outcome.gaining, body.outcome.losing],
      [
        { affiliates: 1, differenceCents: 1500 },
        { affiliates: 2, differenceCents: -120 },
      ],
    );
    assert.deepEqual(body.outcome.weeks, [
      { startsOn: '2026-02-16', beforeCents: 500, afterCents: 1000, salesCents: 5000 },
      { startsOn: '2026-02-23', beforeCents: 1600, afterCents: 2480, salesCents: 16_000 },
    ]);
    const direct = await service.request('POST', `${service.program.path}/commission-rules/simulate?expand=affiliate`, { body: changes() });
    assert.deepEqual(body.outcome.affiliates, direct.body.affiliates);
    const { salesCents: _, ...total } = body.outcome.total;
    assert.deepEqual(total, direct.body.total);
    assert.deepEqual((await dana.request('GET', `${base}/${body.id}`)).body, body);
    assert.deepEqual(await tables(), unchanged);
  });

  test('rejects changes of unknown rules and invalid periods before it starts', async () => {
    const tasks = async () => (await service.pool.query('select id from background_tasks')).rows.length;
    const started = await tasks();
    const unknown = await dana.request('POST', base, { body: { ...period, archiveRuleIds: [service.ctx.ids.uuid()] } });
    assert.equal(unknown.status, 404);
    const reversed = await dana.request('POST', base, { body: { from: period.to, to: period.from } });
    assert.equal(reversed.status, 400);
    const contradiction = await dana.request('POST', base, { body: { ...period, add: [{ name: 'x', type: 'percentage' }] } });
    assert.deepEqual(contradiction.body.details, [{ path: ['add', '0', 'rate'], message: 'is required when `type` is `percentage`' }]);
    assert.equal(await tasks(), started);
  });

  test('belongs to the member who started it', async () => {
    const { body } = await dana.request('POST', base, { body: changes() });
    const mei = await service.asMember('owner', { name: 'Mei Tanaka' });
    assert.equal((await mei.request('GET', `${base}/${body.id}`)).status, 404);
    assert.equal((await mei.request('POST', `${base}/${body.id}/cancel`)).status, 404);
    const late = await dana.request('POST', `${base}/${body.id}/cancel`);
    assert.deepEqual([late.status, late.body.code], [422, 'task_finished']);
  });

  test('with many orders runs in the background, and can be cancelled before its next step', async () => {
    const { programId } = service.program;
    const start = () =>
      transact(service.ctx, async (tx) => {
        const input = { from: period.from, to: period.to, changes: { rules: [], removedIds: [ruleId] } };
        const rules = await loadSimulatedRules(tx, programId, input);
        return startSimulation(tx, { programId, actor: { kind: 'user', id: dana.userId }, total: 5000, input, rules });
      });
    const [cancelled, finished] = [await start(), await start()];
    const waiting = await dana.request('GET', `${base}/${cancelled}`);
    assert.deepEqual([waiting.body.status, waiting.body.total, waiting.body.outcome], ['queued', 5000, null]);
    const response = await dana.request('POST', `${base}/${cancelled}/cancel`);
    assert.deepEqual([response.status, response.body.status, response.body.outcome], [200, 'cancelled', null]);
    await service.drain();
    const actor = { programId, id: dana.userId, currency: 'USD' };
    assert.equal((await getSimulation(service.ctx, actor, cancelled)).status, 'cancelled');
    const done = await getSimulation(service.ctx, actor, finished);
    assert.deepEqual([done.status, done.done, done.outcome?.total.afterCents], ['succeeded', 4, 0]);
  });
});
