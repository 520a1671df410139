// The totals that lists read from stored counts equal the rows, after every kind of change and for any period.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  const [ada, eve] = [await anAffiliate(service, { status: 'active' }), await anAffiliate(service, { status: 'active' })];
  const times = [
    '2026-01-01T00:00:00Z',
    '2026-01-01T23:59:59.999Z',
    '2026-01-02T12:00:00Z',
    '2026-01-03T00:00:00Z',
    '2026-01-04T08:00:00Z',
  ];
  for (const [index, occurredAt] of times.entries()) {
    await anOrder(service, { affiliateId: ada.id, orderId: `o-${index}`, amountCents: 1000 + index, occurredAt });
    service.clock.advance({ minutes: 420 });
  }
  await post('/v1/refunds', { refundId: 'part', orderId: 'o-0', amountCents: 100 });
  await post('/v1/refunds', { refundId: 'all', orderId: 'o-1' });
  const { conversions } = (await get('conversions')).body;
  const [first] = conversions;
  await post(`${service.program.path}/conversions/${first.id}/move`, { affiliateId: eve.id, note: 'x' });
  await post(`${service.program.path}/commissions/${conversions[2].commissions[0].id}/hold`, { note: 'x' });
  await post(`${service.program.path}/commissions/${conversions[2].commissions[0].id}/adjust`, { amountCents: 50, note: 'x' });
});
after(() => service.close());

const get = (path: string) => service.request('GET', `${service.program.path}/${path}`);
const post = async (path: string, body: object) => {
  const { status, text } = await service.request('POST', path, { body });
  assert.ok(status < 300, `${path}: ${text}`);
};

const bounds = [
  '2025-12-31T10:00:00Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T23:59:59.999Z',
  '2026-01-03T00:00:00.001Z',
  '2026-01-05T00:00:00Z',
];

test('stored counts equal the rows', async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});

test('the totals of orders equal their rows, for each filter and period', async () => {
  const { conversions } = (await get('conversions?limit=100')).body;
  for (const from of bounds)
    for (const to of bounds) {
      for (const filter of ['', '&status=pending', '&status=held&status=reversed', '&method=affiliate', '&conflict=false']) {
        const path = `conversions?occurredFrom=${from}&occurredTo=${to}${filter}`;
        const { body } = await get(path);
        assert.equal(body.total, body.conversions.length, path);
      }
      const inside = conversions.filter(
        ({ occurredAt }: { occurredAt: string }) => new Date(occurredAt) >= new Date(from) && new Date(occurredAt) < new Date(to),
      );
      assert.equal((await get(`conversions?occurredFrom=${from}&occurredTo=${to}`)).body.total, inside.length);
    }
});

test('the totals of orders of the times at which they were recorded equal their rows', async () => {
  const { conversions } = (await get('conversions?limit=100')).body;
  const times: string[] = conversions.map(({ createdAt }: { createdAt: string }) => createdAt);
  assert.ok(new Set(times.map((time) => time.slice(0, 10))).size > 1);
  for (const from of times)
    for (const to of times)
      for (const filter of ['', '&status=pending', '&occurredFrom=2026-01-02T00:00:00Z']) {
        const { body } = await get(`conversions?createdFrom=${from}&createdTo=${to}${filter}`);
        assert.equal(body.total, body.conversions.length, `${from} ${to} ${filter}`);
      }
});

test('the totals of commissions and ledger entries equal their rows', async () => {
  const { commissions } = (await get('commissions?limit=100')).body;
  const times: string[] = commissions.map(({ createdAt }: { createdAt: string }) => createdAt);
  for (const from of times)
    for (const to of times) {
      for (const path of [
        `commissions?createdFrom=${from}&createdTo=${to}`,
        `commissions?createdFrom=${from}&createdTo=${to}&status=pending&kind=order`,
      ]) {
        const { body } = await get(path);
        assert.equal(body.total, body.commissions.length, path);
      }
      const path = `ledger/entries?createdFrom=${from}&createdTo=${to}&limit=100`;
      const [all, accrued] = [(await get(path)).body, (await get(`${path}&kind=accrue`)).body];
      assert.deepEqual([all.total, accrued.total], [all.entries.length, accrued.entries.length]);
    }
});

test('the sums of orders equal those that are added up from the rows', async () => {
  const owner = await service.asMember('owner');
  const path = `/app/programs/${service.program.programId}/conversions/totals`;
  const stored = (await owner.request('GET', `${path}?occurredFrom=2026-01-01T10:00:00Z`)).body;
  // A filter that needs the rows, and matches all of them.
  const counted = (await owner.request('GET', `${path}?occurredFrom=2026-01-01T10:00:00Z&amountMinCents=0`)).body;
  assert.deepEqual(stored, counted);
  assert.equal(stored.orders, 4);
});
