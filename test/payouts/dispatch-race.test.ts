// Fifty concurrent dispatches, round after round, over several servers, while orders and refunds arrive: every commission is
// part of exactly one batch, and every payout is the sum of its commissions.
// Longer: ROUNDS=100 npm test -- test/payouts/dispatch-race.test.ts
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../server/main.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { often } from '../support/time/length.ts';

const rounds = often(4);
const ordersPerRound = 500;
const dispatches = 50;
const servers = 6;

let service: TestService;
let apps: FastifyInstance[];
let affiliates: string[];

before(async () => {
  service = await openTestService();
  // Each batches requests separately, as separate processes do.
  apps = [service.app, ...(await Promise.all(Array.from({ length: servers - 1 }, () => buildApp(service.ctx))))];
  await service.request('PATCH', service.program.path, { body: { holdDays: 0, minimumPayoutCents: 0 } });
  await aRule(service, { rate: 10 });
  affiliates = [];
  for (let index = 0; index < 40; index += 1) affiliates.push((await anAffiliate(service, { status: 'active' })).id);
});
after(async () => {
  for (const app of apps.slice(1)) await app.close();
  await service.close();
});

async function ask(
  app: FastifyInstance | undefined,
  path: string,
  payload: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { host: 'api.test', authorization: `Bearer ${service.program.key}` };
  const answer = await app?.inject({ method: 'POST', url: path, headers, payload });
  return { status: answer?.statusCode ?? 0, body: JSON.parse(answer?.body ?? 'null') };
}

/** Reports orders in batches of a hundred; every tenth has an odd amount. */
async function report(name: string, count: number, atOnce = 100): Promise<void> {
  for (let start = 0; start < count; start += atOnce) {
    const conversions = Array.from({ length: Math.min(atOnce, count - start) }, (_, index) => ({
      orderId: `${name}-${start + index}`,
      affiliateId: affiliates[(start + index) % affiliates.length],
      amountCents: 1000 + ((start + index) % 10 === 0 ? 333 : 0),
    }));
    const { status, body } = await ask(apps[start % servers], '/v1/conversions/batch', { conversions });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
  }
}

/** Refunds every seventh order in full, whether it was paid before or not. */
async function refund(name: string, count: number): Promise<void> {
  for (let order = 0; order < count; order += 7) {
    const { status } = await ask(apps[order % servers], '/v1/refunds', { refundId: `${name}-${order}`, orderId: `${name}-${order}` });
    assert.equal(status, 201);
  }
}

describe('concurrent dispatches', () => {
  test(`${dispatches} × ${rounds} rounds over ${rounds * ordersPerRound} commissions: each in exactly one batch`, async () => {
    const statuses = new Map<number, number>();
    for (let round = 0; round < rounds; round += 1) {
      await report(`r${round}`, ordersPerRound - 50);
      const racing = Array.from({ length: dispatches }, (_, index) =>
        ask(apps[index % servers], `${service.program.path}/payouts/dispatch`, {}),
      );
      const concurrent = [report(`m${round}`, 50, 5), refund(`r${round}`, 140)];
      for (const { status, body } of await Promise.all(racing)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        assert.ok(status === 201 || status === 422, `${status} ${JSON.stringify(body).slice(0, 300)}`);
      }
      await Promise.all(concurrent);
      if (round % 2 === 1) await payQueued();
    }
    assert.equal(
      [...statuses.values()].reduce((sum, count) => sum + count, 0),
      rounds * dispatches,
    );
    assert.ok((statuses.get(201) ?? 0) >= rounds && (statuses.get(422) ?? 0) > rounds * 20, JSON.stringify([...statuses]));
    await ask(apps[0], `${service.program.path}/payouts/dispatch`, {});
    const { rows } = await service.pool.query(`
      select (select count(*)::int from commissions) as commissions,
        (select count(*)::int from payout_lines where cents > 0) as lines,
        (select count(*)::int from (select commission_id from payout_lines where cents > 0 group by 1 having count(*) > 1) as twice) as twice,
        (select count(*)::int from commissions as c where status in ('approved', 'paid') and reversed_cents = 0
          and not exists (select 1 from payout_lines as l where l.commission_id = c.id and cents = c.amount_cents)
          -- Affiliates with a debt above their earnings are skipped.
          and exists (select 1 from ledger_balances as b where b.affiliate_id = c.affiliate_id and available_cents > 0)) as forgotten`);
    const [found] = rows;
    assert.deepEqual([found.commissions, found.twice, found.forgotten], [rounds * ordersPerRound, 0, 0]);
    assert.ok(found.lines > rounds * ordersPerRound * 0.8, `${found.lines} lines`);
    const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
    assert.deepEqual(broken, []);
    console.log(`  ${found.commissions} commissions, ${found.lines} lines; answers ${JSON.stringify([...statuses])}`);
  });
});

/** Marks queued payouts as paid in every other round, so that refunds arrive before, during and after a payout. */
async function payQueued(): Promise<void> {
  const { path } = service.program;
  const { body } = await service.request('GET', `${path}/payouts?status=queued&limit=200`);
  for (const { id } of body.payouts)
    assert.equal((await service.request('POST', `${path}/payouts/${id}/mark-paid`, { body: {} })).status, 200);
}
