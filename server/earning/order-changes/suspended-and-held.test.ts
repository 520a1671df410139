// What a move and an increase give now follows what is decided now: a suspended upline earns nothing more, and a manual
// hold covers what is added. To the cent, and with every invariant of `verify`.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { matureAll } from '../commissions/mature.ts';

let service: TestService;
let program: TestProgram;
/** Ada and Bea each have an upline: Una and Vic. */
let [ada, una, bea, vic] = ['', '', '', ''];

before(async () => {
  service = await openTestService();
});
after(async () => {
  const findings = await checkInvariants(service.ctx).finally(() => service.close());
  assert.deepEqual(
    findings.filter(({ broken }) => broken.length > 0),
    [],
  );
});

beforeEach(async () => {
  program = await service.newProgram(`Changes ${Math.random()}`);
  una = (await anAffiliate(service, { status: 'active' }, program)).id;
  vic = (await anAffiliate(service, { status: 'active' }, program)).id;
  ada = (await anAffiliate(service, { status: 'active', parentAffiliateId: una }, program)).id;
  bea = (await anAffiliate(service, { status: 'active', parentAffiliateId: vic }, program)).id;
  await aRule(service, { rate: 10 }, program);
  await aRule(service, { rate: 2.5, level: 2 }, program);
  service.clock.advance({ seconds: 60 });
});

const call = async (method: string, path: string, body?: object) => {
  const response = await service.request(method, `${program.path}${path}`, body ? { key: program.key, body } : { key: program.key });
  assert.ok(response.status < 300, response.text);
  return response.body;
};
const setStatus = (id: string, status: string) => {
  service.clock.advance({ seconds: 60 });
  return call('PATCH', `/affiliates/${id}`, { status });
};
const pendingOf = async (id: string): Promise<number> => (await call('GET', `/affiliates/${id}/balance`)).pendingCents;
const order = () => anOrder(service, { affiliateId: ada, amountCents: 10_000 }, program);
const increase = (id: string, increaseId: string) => call('POST', `/conversions/${id}/increase`, { increaseId, amountCents: 4000 });
const move = (id: string, affiliateId: string, given: object = {}) =>
  call('POST', `/conversions/${id}/move`, { affiliateId, note: 'Corrected', ...given });

describe('an upline who was suspended after the order', () => {
  test('earns nothing from an order that is moved to their downline, and again after they are active', async () => {
    const { id } = await order();
    await setStatus(vic, 'suspended');
    const moved = await move(id, bea);
    const level2 = moved.adjustments.filter((one: { level: number; effect: string }) => one.level === 2 && one.effect === 'earned');
    assert.deepEqual(level2, []);
    assert.deepEqual([await pendingOf(bea), await pendingOf(vic)], [1000, 0]);
    await move(id, ada);
    await setStatus(vic, 'active');
    await move(id, bea);
    assert.deepEqual([await pendingOf(ada), await pendingOf(una), await pendingOf(bea), await pendingOf(vic)], [0, 0, 1000, 250]);
  });

  test('earns nothing from an increase, and keeps what they had', async () => {
    const { id } = await order();
    await setStatus(una, 'suspended');
    assert.deepEqual(
      (await increase(id, 'i-1')).adjustments.map((one: { level: number; amountCents: number }) => [one.level, one.amountCents]),
      [[1, 400]],
    );
    assert.deepEqual([await pendingOf(ada), await pendingOf(una)], [1400, 250]);
    await setStatus(una, 'active');
    await increase(id, 'i-2');
    assert.deepEqual([await pendingOf(ada), await pendingOf(una)], [1800, 350]);
  });
});

describe('an increase of an order that is held manually', () => {
  const holdAll = async (id: string) => {
    const { commissions } = await call('GET', `/commissions?conversionId=${id}`);
    for (const one of commissions) await call('POST', `/commissions/${one.id}/hold`, { note: 'Until the parcel arrives' });
    return commissions as { id: string; level: number }[];
  };
  const statuses = async (id: string) =>
    (await call('GET', `/commissions?conversionId=${id}`)).commissions
      .map((one: { level: number; amountCents: number; status: string }) => [one.level, one.amountCents, one.status])
      .sort();
  const later = async () => {
    service.clock.advance({ days: 400 });
    await matureAll(service.ctx);
  };

  test('is held on the same levels, with the note, and is released like the order', async () => {
    const { id } = await order();
    const [first] = await holdAll(id);
    assert.ok(first);
    await increase(id, 'i-1');
    assert.equal((await call('GET', `/conversions/${id}`)).status, 'held');
    await later();
    assert.deepEqual(await statuses(id), [
      [1, 1000, 'held'],
      [1, 400, 'held'],
      [2, 100, 'held'],
      [2, 250, 'held'],
    ]);
    const { commissions } = await call('GET', `/commissions?conversionId=${id}`);
    const added = commissions.find(({ amountCents }: { amountCents: number }) => amountCents === 400);
    assert.deepEqual(
      (await call('GET', `/commissions/${added.id}`)).holds.map(({ note }: { note: string }) => note),
      ['Until the parcel arrives'],
    );
    for (const one of commissions) await call('POST', `/commissions/${one.id}/release`, {});
    assert.deepEqual(new Set((await statuses(id)).map(([, , status]: string[]) => status)), new Set(['approved']));
  });

  test('is held on the level that is held only', async () => {
    const { id } = await order();
    const { commissions } = await call('GET', `/commissions?conversionId=${id}`);
    const upline = commissions.find(({ level }: { level: number }) => level === 2);
    await call('POST', `/commissions/${upline.id}/hold`, { note: 'Checking' });
    await increase(id, 'i-1');
    await later();
    assert.deepEqual(await statuses(id), [
      [1, 1000, 'approved'],
      [1, 400, 'approved'],
      [2, 100, 'held'],
      [2, 250, 'held'],
    ]);
  });
});
