// Breaks each invariant of payouts once, to prove that the check can fail.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { copyFigures } from '../../partners/affiliates/totals/copy-figures.ts';
import { checkInvariants } from './invariants.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  const { path } = service.program;
  await aRule(service, { rate: 10 });
  const affiliates = [await anAffiliate(service, { status: 'active' }), await anAffiliate(service, { status: 'active' })];
  for (const { id } of affiliates) await anOrder(service, { affiliateId: id, amountCents: 100_000 });
  service.clock.advance({ days: 31 });
  const { body } = await service.request('POST', `${path}/payouts/dispatch`, { body: {} });
  assert.equal((await service.request('POST', `${path}/payouts/${body.payouts[0].id}/mark-paid`, { body: {} })).status, 200);
  await copyFigures(service.ctx);
});
after(() => service.close());

const broken = async () => (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0).map(({ name }) => name);

describe('verify finds', () => {
  test('nothing after normal use', async () => assert.deepEqual(await broken(), []));

  for (const [name, breaking, restoring, alsoFound] of [
    [
      'a payout is the positive sum',
      `update payouts set amount_cents = amount_cents + 1 where status = 'paid'`,
      `update payouts set amount_cents = amount_cents - 1 where status = 'paid'`,
      1,
    ],
    [
      'a payout is the positive sum',
      `update payout_batches set total_cents = total_cents + 1`,
      `update payout_batches set total_cents = total_cents - 1`,
      0,
    ],
    [
      'a payout in another currency',
      `update payouts set exchange_currency = 'EUR', exchange_cents = 9999, exchange_rate = 1, exchange_quoted_on = '2026-02-01',
        exchange_rate_source = 'uploaded' where status = 'paid'`,
      `update payouts set exchange_currency = null, exchange_cents = null, exchange_rate = null, exchange_quoted_on = null,
        exchange_rate_source = null where status = 'paid'`,
      0,
    ],
    [
      'a commission is in at most one open payout',
      `update payout_lines set is_live = not is_live`,
      `update payout_lines set is_live = not is_live`,
      0,
    ],
    [
      'the amount in transit',
      `update ledger_balances set in_transit_cents = in_transit_cents + 1, available_cents = available_cents - 1 where in_transit_cents > 0`,
      `update ledger_balances set in_transit_cents = in_transit_cents - 1, available_cents = available_cents + 1 where in_transit_cents > 0`,
      3,
    ],
    [
      'exactly the paid payouts',
      `update payouts set status = 'sent' where status = 'paid'`,
      `update payouts set status = 'paid' where status = 'sent'`,
      3,
    ],
    [
      'the settled amount of a commission',
      `update commissions set settled_cents = settled_cents - 1 where status = 'paid'`,
      `update commissions set settled_cents = settled_cents + 1 where status = 'paid'`,
      2,
    ],
    [
      'the history of a payout',
      `update payout_events set from_status = 'sent' where step = 2`,
      `update payout_events set from_status = 'queued' where step = 2`,
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
