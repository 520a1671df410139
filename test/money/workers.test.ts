// Sixteen workers on separate connections: orders, refunds (each reported twice at the same time), disputes, adjustments,
// holds and maturing. Nothing is lost or posted twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { matureSome } from '../../server/earning/commissions/mature.ts';
import { createRandom } from '../../server/operations/demo/random.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { type Answer, openTestService, type TestService } from '../support/harness.ts';
import { analyzeRegularly } from '../support/time/analyze.ts';
import { often } from '../support/time/length.ts';

const operations = often(600);
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
  const run: Run = { statuses: new Map(), refunded: new Map(), left: operations, serial: 0 };
  const stopAnalyzing = analyzeRegularly(service.pool);
  await Promise.all(Array.from({ length: workers }, (_, index) => work(run, index + 1))).finally(stopAnalyzing);
  for (const [refundId, pair] of run.refunded) assert.ok(pair[0] !== 201 || pair[1] === 409, `${refundId}: ${pair}`);
  assert.ok([...run.refunded.values()].filter((pair) => pair[0] === 201).length > operations / 20);
  const { rows } = await service.pool.query(`select kind, ref from ledger_entries group by 1, 2 having count(*) > 1`);
  assert.deepEqual(rows, []);
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
  const entries = await service.pool.query(`select count(*)::int as count from ledger_entries`);
  console.log(
    `  ${entries.rows[0].count} entries; ${[...run.statuses]
      .sort()
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ')}`,
  );
});

/** What the workers share: responses per kind, both responses of each refund, operations left, the last number given. */
type Run = { statuses: Map<string, number>; refunded: Map<string, number[]>; left: number; serial: number };

/** Performs random operations, one after the other, until the workers have performed all together. */
async function work(run: Run, seed: number): Promise<void> {
  const chance = createRandom(seed);
  const own: { orderId: string; commission: string }[] = [];
  while (run.left > 0) {
    run.left -= 1;
    run.serial += 1;
    const kind = own.length === 0 ? 0 : chance.number(10);
    if (kind < 4) {
      const order = { orderId: `w-${run.serial}`, amountCents: 1000 + chance.number(9000), affiliateId: chance.pick(affiliates) };
      const { body } = await post(run, 'order', '/v1/conversions', order);
      const [earned] = (body as { commissions?: { id: string }[] }).commissions ?? [];
      if (earned) own.push({ orderId: order.orderId, commission: earned.id });
    } else {
      await change(run, chance, kind, chance.pick(own));
    }
  }
}

type Chance = ReturnType<typeof createRandom>;

/** Changes what an order earned: a refund sent twice at the same time, a dispute, an adjustment, a hold, or days that pass. */
async function change(run: Run, chance: Chance, kind: number, { orderId, commission }: { orderId: string; commission: string }) {
  const ofCommission = `${service.program.path}/commissions/${commission}`;
  if (kind < 7) {
    const refundId = `r-${run.serial}`;
    const body = { refundId, orderId, amountCents: 1 + chance.number(3000) };
    const both = await Promise.all([post(run, 'refund', '/v1/refunds', body), post(run, 'refund', '/v1/refunds', body)]);
    run.refunded.set(refundId, both.map(({ status }) => status).sort());
  } else if (kind === 7) {
    const status = chance.pick(['opened', 'won', 'lost'] as const);
    await post(run, 'dispute', '/v1/disputes', { disputeId: `d-${orderId}`, orderId, status });
  } else if (kind === 8) {
    const amountCents = chance.number(200) - 100 || 1;
    await post(run, 'adjust', `${ofCommission}/adjust`, { amountCents, note: 'by chance' });
  } else if (chance.happens(50)) {
    await post(run, 'hold', `${ofCommission}/${chance.pick(['hold', 'release'])}`, { note: 'by chance' });
  } else {
    if (chance.happens(2)) service.clock.advance({ days: 3 });
    await transact(service.ctx, (tx) => matureSome(tx, service.program.programId));
  }
}

async function post(run: Run, what: string, path: string, body: object): Promise<Answer> {
  const answer = await service.request('POST', path, { body });
  // Waited too long for the ledger: the machine may be slow. Nothing was written, and a client tries again.
  if (answer.status === 503) return post(run, what, path, body);
  const key = `${what} ${answer.status}`;
  run.statuses.set(key, (run.statuses.get(key) ?? 0) + 1);
  assert.ok([200, 201, 400, 409, 422].includes(answer.status), `${key}: ${answer.text}`);
  return answer;
}
