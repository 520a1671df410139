// Each invariant of holds is violated once, to show that its check finds it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from './invariants.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  const { path } = service.program;
  await aRule(service, { rate: 10 });
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  const adjust = (id: string, body: object) => service.request('POST', `${path}/commissions/${id}/adjust`, { body });
  const [first, second] = [await anOrder(service, { affiliateId, orderId: 'held' }), await anOrder(service, { affiliateId })];
  await adjust(first.commissions[0].id, { amountCents: -100, note: 'x' });
  await service.request('POST', '/v1/disputes', { body: { disputeId: 'd', orderId: 'held', status: 'opened' } });
  await adjust(second.commissions[0].id, { amountCents: 100, note: 'x' });
  await service.request('POST', `${path}/commissions/${second.commissions[0].id}/hold`, { body: { note: 'x' } });
});
after(() => service.close());

const broken = async () => (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0).map(({ name }) => name);

describe('verify finds', () => {
  test('nothing after ordinary use', async () => assert.deepEqual(await broken(), []));

  for (const [name, breaking, restoring, alsoFound] of [
    [
      'a commission with an open hold has the status held',
      `update commissions set status = 'pending', reason = 'broken' where status = 'held'`,
      `update commissions set status = 'held' where reason = 'broken'`,
      3, // The history ends in another status, the summary of the order shows another, and so do the counts.
    ],
    [
      'no negative amount has the status held',
      `update commissions set status = 'held' where amount_cents < 0`,
      `update commissions set status = 'pending' where amount_cents < 0`,
      2,
    ],
    [
      'a held commission has an open hold',
      `update commission_holds set closed_at = opened_at where cause = 'manual'`,
      `update commission_holds set closed_at = null`,
      0,
    ],
    ['the holds of an order', `update disputes set status = 'won'`, `update disputes set status = 'opened'`, 0],
    [
      'the holds of an order',
      `update commission_holds as hold set closed_at = opened_at from commissions as c where c.id = hold.commission_id and c.amount_cents < 0`,
      `update commission_holds set closed_at = null`,
      0,
    ],
    [
      'a manual hold of a commission covers its adjustments',
      `update commission_holds set cause_id = gen_random_uuid() where cause = 'manual' and commission_id <> cause_id`,
      `update commission_holds as hold set cause_id = c.adjusts_commission_id from commissions as c
        where hold.cause = 'manual' and c.id = hold.commission_id and c.kind = 'adjustment'`,
      0,
    ],
  ] as const) {
    test(`a violation of "${name}…"`, async () => {
      await service.pool.query(breaking);
      const names = await broken();
      await service.pool.query(restoring);
      assert.ok(
        names.some((found) => found.startsWith(name)),
        names.join('; '),
      );
      assert.equal(names.length, 1 + alsoFound, names.join('; '));
      assert.deepEqual(await broken(), []);
    });
  }
});
