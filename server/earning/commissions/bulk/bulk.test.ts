// Holds and bonuses in bulk through the real server: either exactly what was shown is changed, or nothing is.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';

let service: TestService;
let owner: TestMember;
let ada: { id: string };
let leo: { id: string };

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  owner = await service.asMember('owner', { name: 'Dana Calder' });
  ada = await anAffiliate(service, { status: 'active' });
  leo = await anAffiliate(service, { status: 'active' });
});
after(() => service.close());

afterEach(async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});

const earn = async (orderId: string, amountCents: number) =>
  (await anOrder(service, { orderId, affiliateId: ada.id, amountCents })).commissions[0].id as string;
const bulk = (body: object) => owner.request('POST', `/app/programs/${service.program.programId}/commissions/bulk`, { body });
const grant = (body: object) => owner.request('POST', `/app/programs/${service.program.programId}/commissions/grant`, { body });
const read = async (id: string) => (await service.request('GET', `${service.program.path}/commissions/${id}`)).body;
const auditOf = async (action: string) =>
  (await service.request('GET', `${service.program.path}/audit-events?action=${action}`)).body.total as number;

test('a hold in bulk changes exactly what its dry run showed, with the reason that affiliates read', async () => {
  const ids = [await earn('bulk-1', 10_000), await earn('bulk-2', 5000)];
  const held = await earn('bulk-3', 7000);
  await service.request('POST', `${service.program.path}/commissions/${held}/hold`, { body: { note: 'Before' } });
  const all = [...ids, held];
  const shown = await bulk({ ids: all, change: 'hold', dryRun: true });
  assert.deepEqual(shown.body, { matched: 3, changed: 2, changedCents: 1500, currency: 'USD' });
  assert.equal((await read(ids[0] ?? '')).status, 'pending');
  const done = await bulk({ ids: all, change: 'hold', note: 'Checking returns', expectedCents: 1500 });
  assert.deepEqual([done.status, done.body], [200, shown.body]);
  for (const id of ids) {
    const { status, note, holds } = await read(id);
    assert.deepEqual([status, note, holds.length], ['held', 'Checking returns', 1]);
  }
  assert.equal((await read(held)).note, 'Before');
  assert.equal(await auditOf('commission.held'), 3);
  const released = await bulk({ ids: all, change: 'release', note: 'Checked', expectedCents: 2200 });
  assert.deepEqual([released.status, released.body.changed], [200, 3]);
  assert.deepEqual([(await read(held)).status, (await read(held)).holds], ['pending', []]);
});

test('nothing is held when the amount is no longer what the user saw', async () => {
  const id = await earn('bulk-4', 10_000);
  await service.request('POST', '/v1/refunds', { body: { refundId: 'bulk-4-r', orderId: 'bulk-4', amountCents: 4000 } });
  const { status, body } = await bulk({ ids: [id], change: 'hold', note: 'Checking', expectedCents: 1000 });
  assert.deepEqual([status, body.code, body.changedCents], [400, 'amount_changed', 600]);
  assert.equal((await read(id)).status, 'pending');
});

test('a reason and the expected amount are required, and commissions of other programs are not found', async () => {
  const id = await earn('bulk-5', 1000);
  for (const [body, field] of [
    [{ ids: [id], change: 'hold', expectedCents: 100 }, 'note'],
    [{ ids: [id], change: 'hold', note: 'Checking' }, 'expectedCents'],
    [{ ids: [], change: 'release', dryRun: true }, 'ids'],
  ] as const) {
    const answer = await bulk(body);
    assert.deepEqual([answer.status, answer.body.details[0].path.join('.')], [400, field]);
  }
  const other = await service.newProgram('Other');
  const foreign = await owner.request('POST', `/app/programs/${other.programId}/commissions/bulk`, {
    body: { ids: [id], change: 'hold', dryRun: true },
  });
  assert.equal(foreign.status, 404);
});

test('a bonus in bulk reaches every affiliate once, or none of them', async () => {
  const affiliateIds = [ada.id, leo.id, ada.id];
  const unknown = '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f';
  const rejected = await grant({ affiliateIds: [ada.id, unknown], amountCents: 500, note: 'Launch', expectedTotalCents: 999 });
  assert.deepEqual(
    [rejected.status, rejected.body.details.map(({ path }: { path: string[] }) => path.join('.'))],
    [400, ['affiliateIds.1', 'expectedTotalCents']],
  );
  const done = await grant({ affiliateIds, amountCents: 500, note: 'Launch', expectedTotalCents: 1000 });
  assert.deepEqual([done.status, done.body], [201, { granted: 2, totalCents: 1000, currency: 'USD' }]);
  const { body } = await service.request('GET', `${service.program.path}/commissions?kind=bonus`);
  assert.deepEqual(
    body.commissions
      .map(({ affiliateId, amountCents, status, note }: Record<string, unknown>) => [affiliateId, amountCents, status, note])
      .sort(),
    [ada.id, leo.id].map((id) => [id, 500, 'approved', 'Launch']).sort(),
  );
  assert.equal(await auditOf('commission.granted'), 2);
});

test('a bonus granted by two members at once is granted twice; one whose request is repeated, once', async () => {
  const body = { affiliateIds: [leo.id], amountCents: 100, note: 'Race', expectedTotalCents: 100 };
  const path = `/app/programs/${service.program.programId}/commissions/grant`;
  const headers = { 'idempotency-key': 'same-click' };
  const answers = await Promise.all([
    owner.request('POST', path, { body, headers }),
    owner.request('POST', path, { body, headers }),
    grant(body),
  ]);
  const granted = answers.filter(({ status }) => status === 201).length;
  const { body: list } = await service.request('GET', `${service.program.path}/commissions?kind=bonus&affiliateId=${leo.id}`);
  const raced = list.commissions.filter(({ note }: { note: string }) => note === 'Race').length;
  assert.equal(raced, 2);
  assert.ok(granted >= 2);
});
