// What is due is calculated from balances. It equals the sum of the commissions that a dispatch with the same cutoff takes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await service.request('PATCH', service.program.path, { body: { minimumPayoutCents: 0 } });
  await aRule(service, { rate: 10 });
});
after(() => service.close());

const request = async (method: string, path: string, body?: object) => {
  const answer = await service.request(method, path, body ? { body } : {});
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  return answer.body;
};
const own = (path: string) => `${service.program.path}/${path}`;

/** The commissions that are due at a cutoff, added up one by one. */
const counted = `
  select affiliate_id as "affiliateId", sum(amount_cents - reversed_cents - settled_cents)::int as "amountCents", count(*)::int as "commissionCount"
  from commissions
  where ((status not in ('pending', 'held') and amount_cents - reversed_cents - settled_cents <> 0) or (status = 'pending' and matures_at <= $1))
    and (amount_cents - reversed_cents - settled_cents < 0 or (matures_at <= $1 and not exists (
      select from payout_lines as line where line.commission_id = commissions.id and line.is_live and line.cents > 0)))
  group by 1 order by 1`;

async function compare(): Promise<number> {
  const now = service.clock.now();
  const cutoffs = [0, 1, 5, 20, 40].map((days) => new Date(now.getTime() - days * 86_400_000));
  let compared = 0;
  for (const cutoffAt of cutoffs) {
    const { rows } = await service.pool.query(counted, [cutoffAt]);
    const { due, skipped } = await request('GET', own(`payouts/due?cutoffAt=${cutoffAt.toISOString()}`));
    assert.deepEqual(
      due,
      rows.filter(({ amountCents }) => amountCents > 0).map((row) => ({ ...row, exchange: null, exclusion: null })),
    );
    assert.equal(skipped.length, rows.length - due.length);
    compared += rows.length;
  }
  return compared;
}

test('it equals the sum of the commissions at any cutoff, after each kind of change', async () => {
  const affiliates = [];
  for (let index = 0; index < 3; index += 1) affiliates.push(await anAffiliate(service, { status: 'active' }));
  const [first, second] = affiliates;
  let compared = 0;
  for (let round = 0; round < 4; round += 1) {
    for (const [index, { id }] of affiliates.entries()) {
      await anOrder(service, { affiliateId: id, orderId: `o-${round}-${index}`, amountCents: 1000 * (index + 1) + round });
      service.clock.advance({ days: 5 });
    }
    compared += await compare();
  }
  const [payout] = (await request('POST', own('payouts/dispatch'), { affiliateIds: [first?.id] })).payouts;
  await request('POST', '/v1/refunds', { refundId: 'paid', orderId: 'o-0-0' });
  await request('POST', '/v1/refunds', { refundId: 'part', orderId: 'o-0-1', amountCents: 300 });
  compared += await compare();
  const { commissions } = await request('GET', own(`commissions?affiliateId=${second?.id}`));
  await request('POST', own(`commissions/${commissions[0].id}/hold`), { note: 'x' });
  await request('POST', own(`commissions/${commissions[1].id}/adjust`), { amountCents: 70, note: 'x' });
  await request('POST', own('commissions'), { affiliateId: second?.id, amountCents: 500, note: 'x' });
  compared += await compare();
  await request('POST', own(`payouts/${payout.id}/cancel`), { note: 'x' });
  compared += await compare();
  service.clock.advance({ days: 40 });
  compared += await compare();
  assert.ok(compared > 40);
});
