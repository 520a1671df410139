// Dispatches of one program that wait for each other, and dispatches that find nothing to pay: a second dispatch behind a
// slow one gets a 503 that can be repeated and pays nothing twice; what matured during a rejected dispatch stays matured.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { until } from '../support/time/wait.ts';

describe('a dispatch', () => {
  let service: TestService;
  let affiliateId: string;

  before(async () => {
    service = await openTestService();
    await service.request('PATCH', service.program.path, { body: { minimumPayoutCents: 0 } });
    await aRule(service, { rate: 10 });
    affiliateId = (await anAffiliate(service, { status: 'active' })).id;
    await anOrder(service, { orderId: 'o-1', affiliateId, amountCents: 5000 });
    service.clock.advance({ days: 31 });
  });
  after(() => service.close());

  const dispatch = (body: object = {}) => service.request('POST', `${service.program.path}/payouts/dispatch`, { body });
  const findStatus = async () => (await service.pool.query('select distinct status from commissions')).rows.map(({ status }) => status);

  test('that is rejected keeps the commissions that matured before it was', async () => {
    assert.deepEqual(await findStatus(), ['pending']);
    const other = await dispatch({ expectedTotalCents: 1 });
    assert.deepEqual([other.status, other.body.details[0].message], [400, 'must equal the amount due (500)']);
    assert.deepEqual(await findStatus(), ['approved']);
    const nothing = await dispatch({ minimumPayoutCents: 100_000 });
    assert.deepEqual([nothing.status, nothing.body.code, nothing.body.skipped.length], [422, 'nothing_due', 1]);
  });

  test('behind one that takes longer than a lock is waited for returns 503, and repeated it pays what is left', async () => {
    await service.pool.query(`
      create function wait_before_batch() returns trigger language plpgsql as $$ begin perform pg_sleep(4.5); return new; end $$;
      create trigger wait_before_batch before insert on payout_batches for each row execute function wait_before_batch()`);
    const first = dispatch();
    await until('the first dispatch holds the ledger', async () => {
      const { rows } = await service.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      );
      return rows.length === 1;
    });
    const second = await dispatch();
    assert.deepEqual(
      [second.status, second.body.code, second.body.error],
      [
        503,
        'dispatch_in_progress',
        'Another operation is changing the balances of this program, such as a dispatch. This dispatch paid nothing. Try again.',
      ],
    );
    assert.equal(second.headers['retry-after'], '5');
    assert.equal((await first).status, 201);
    await service.pool.query('drop trigger wait_before_batch on payout_batches; drop function wait_before_batch');
    assert.equal((await dispatch()).body.code, 'nothing_due');
    const { rows } = await service.pool.query('select amount_cents from payouts');
    assert.deepEqual(rows, [{ amount_cents: 500 }]);
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });
});
