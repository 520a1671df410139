// The body of an old event is erased, and the event is still recognized when it is delivered again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStore } from '../../../test/support/stores/stores.ts';
import { eraseEventPayloads, payloadRetentionDays } from './erase-payloads.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await aRule(service);
});
after(() => service.close());

test('a processed event loses its body after 90 days, keeps its id, and has no second effect', async () => {
  const { referralCode } = await anAffiliate(service, { status: 'active' });
  const store = await aStore(service, 'generic');
  const paid = { id: 'e-1', topic: 'order.paid', body: { orderId: 'G-1', amountCents: 4980, referralCode } };
  const waiting = { id: 'e-2', topic: 'order.refunded', body: { orderId: 'G-2', refundId: 'R-2', amountCents: 5 } };
  for (const event of [paid, waiting]) assert.equal((await store.send(event)).status, 200);
  await service.drain();
  const read = async () => {
    const { rows } = await service.pool.query(
      `select external_id as id, status, payload is not null as "hasBody", (select count(*)::int from conversions) as orders
       from provider_events order by external_id`,
    );
    return rows;
  };
  const erase = () => eraseEventPayloads.run(service.ctx, {}, { isLast: true });
  const stored = await read();
  assert.deepEqual(
    stored.map(({ status, hasBody, orders }) => [status, hasBody, orders]),
    [
      ['processed', true, 1],
      ['waiting', true, 1],
    ],
  );
  service.clock.advance({ days: payloadRetentionDays - 1 });
  await erase();
  assert.deepEqual(await read(), stored, 'a day before');
  service.clock.advance({ days: 2 });
  await erase();
  const erased = stored.map((event) => ({ ...event, hasBody: event.status === 'waiting' }));
  assert.deepEqual(await read(), erased, 'an event that waits keeps its body');
  assert.equal((await store.send(paid)).status, 200);
  await service.drain();
  assert.deepEqual(await read(), erased);
});
