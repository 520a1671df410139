// Sixteen workers on separate connections: orders, refunds (each reported twice at the same time), disputes, adjustments,
// holds and maturing. Nothing is lost or posted twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { matureSome } from '../../server/earning/commissions/mature.ts';
import { createRandom } from '../../server/operations/demo/random.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { openTestService, type TestService } from '../support/harness.ts';

const operations = Number(process.env.OPERATIONS ?? 1000);
const workers = 16;
let service: TestService;
let affiliates: string[];

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  await aRule(service, { rate: 3, level: 2 });
  affiliates = [];
  for (let index = 0; index < 8; index += 1) {
    const upline = index > 3 ? { parentAffiliateId: affiliates[index - 4] ?? '' } : {};
    affiliates.push((await anAffiliate(service, { status: 'active', ...upline })).id);
  }
});
after(() => service.close());

test(`${operations} mixed operations on ${workers} workers: totals zero, each reversed once`, async () => {
  const statuses = new Map<string, number>();
  const refunded = new Map<string, number[]>();
  let left = operations;
  let serial = 0;
  const post = async (what: string, path: string, body: object): Promise<{ status: number; body: Record<string, never> }> => {
    const answer = await service.request('POST', path, { body });
    // Waited too long for the ledger: the machine may be slow. Nothing was written, and a client tries again.
    if (answer.status === 503) return post(what, path, body);
    const key = `${what} ${answer.status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    assert.ok([200, 201, 400, 409, 422].includes(answer.status), `${key}: ${answer.text}`);
    return answer;
  };
  const work = async (seed: number): Promise<void> => {
    const chance = createRandom(seed);
    const own: { orderId: string; commission: string }[] = [];
    while (left > 0) {
      left -= 1;
      serial += 1;
      const kind = own.length === 0 ? 0 : chance.number(10);
      const { orderId, commission } = own.length > 0 ? chance.pick(own) : { orderId: '', commission: '' };
      if (kind < 4) {
        const order = { orderId: `w-${serial}`, amountCents: 1000 + chance.number(9000), affiliateId: chance.pick(affiliates) };
        const { body } = await post('order', '/v1/conversions', order);
        const [earned] = (body as { commissions?: { id: string }[] }).commissions ?? [];
        if (earned) own.push({ orderId: order.orderId, commission: earned.id });
      } else if (kind < 7) {
        const refundId = `r-${serial}`;
        const body = { refundId, orderId, amountCents: 1 + chance.number(3000) };
        const both = await Promise.all([post('refund', '/v1/refunds', body), post('refund', '/v1/refunds', body)]);
        refunded.set(refundId, both.map(({ status }) => status).sort());
      } else if (kind === 7) {
        const status = chance.pick(['opened', 'won', 'lost'] as const);
        await post('dispute', '/v1/disputes', { disputeId: `d-${orderId}`, orderId, status });
      } else if (kind === 8) {
        const amountCents = chance.number(200) - 100 || 1;
        await post('adjust', `${service.program.path}/commissions/${commission}/adjust`, { amountCents, note: 'by chance' });
      } else if (chance.happens(50)) {
        await post('hold', `${service.program.path}/commissions/${commission}/${chance.pick(['hold', 'release'])}`, {
          note: 'by chance',
        });
      } else {
        if (chance.happens(2)) service.clock.advance({ days: 3 });
        await transact(service.ctx, (tx) => matureSome(tx, service.program.programId));
      }
    }
  };
  const analyze = () => void service.pool.query('analyze').catch(() => {});
  const analyzing = [setTimeout(analyze, 3000), setInterval(analyze, 30_000)];
  await Promise.all(Array.from({ length: workers }, (_, index) => work(index + 1))).finally(() => analyzing.forEach(clearTimeout));
  for (const [refundId, pair] of refunded) assert.ok(pair[0] !== 201 || pair[1] === 409, `${refundId}: ${pair}`);
  assert.ok([...refunded.values()].filter((pair) => pair[0] === 201).length > operations / 20);
  const { rows } = await service.pool.query(`select kind, ref from ledger_entries group by 1, 2 having count(*) > 1`);
  assert.deepEqual(rows, []);
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
  const entries = await service.pool.query(`select count(*)::int as count from ledger_entries`);
  console.log(
    `  ${entries.rows[0].count} entries; ${[...statuses]
      .sort()
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ')}`,
  );
});
