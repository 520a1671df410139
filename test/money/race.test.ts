// Orders reported simultaneously: each is credited once, and responses are sent after the commit.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { often } from '../support/time/length.ts';

const orders = often(100);
const reports = 50;
let service: TestService;
let affiliates: string[];

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  affiliates = [];
  for (let index = 0; index < 5; index += 1) affiliates.push((await anAffiliate(service, { status: 'active' })).id);
});
after(() => service.close());

/** Repeats a report that waited too long for a connection, as a client does: the machine may be slow. */
async function send(body: object): ReturnType<TestService['request']> {
  const answer = await service.request('POST', '/v1/conversions', { body });
  return answer.status === 503 ? send(body) : answer;
}

test(`${orders} orders × ${reports} concurrent reports: one 201 each, 409 for the rest, after the commit`, {
  timeout: 600_000,
}, async () => {
  const counts = new Map<string, number>();
  let early = 0;
  const report = async (order: number): Promise<void> => {
    const body = { orderId: `race-${order}`, amountCents: 100 + order, affiliateId: affiliates[order % 5] };
    const { status, body: answer } = await send(body);
    const key = `${order}:${status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    // A response is sent after the commit, so that the order can be read. Sampled, because each check costs a query.
    if (counts.get(key) !== 1) return;
    const { rows } = await service.pool.query('select id from conversions where order_id = $1', [body.orderId]);
    if (rows[0]?.id !== (status === 201 ? answer.id : answer.conversionId)) early += 1;
  };
  for (let from = 0; from < orders; from += 4) {
    const batch = [0, 1, 2, 3].map((index) => from + index).filter((order) => order < orders);
    await Promise.all(batch.flatMap((order) => Array.from({ length: reports }, () => report(order))));
  }
  for (let order = 0; order < orders; order += 1) {
    assert.equal(counts.get(`${order}:201`), 1, `order ${order}`);
    assert.equal(counts.get(`${order}:409`), reports - 1, `order ${order}`);
  }
  assert.equal(early, 0);
  const { rows } = await service.pool.query('select count(*)::int as orders, count(distinct order_id)::int as ids from conversions');
  assert.deepEqual(rows[0], { orders, ids: orders });
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
});
