// Anyone who knows a provider's address can send unsigned deliveries. They must not cause writes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aStore } from '../../../test/support/stores/stores.ts';
import { getRejectionCounter } from './rejected-deliveries.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

test('a flood of wrong signatures is counted exactly, with few writes', async () => {
  const store = await aStore(service, 'generic');
  await service.pool.query(`
    create table writes (name text);
    create function note_write() returns trigger language plpgsql security definer as
      $$ begin insert into public.writes values (tg_table_name); return null; end $$;
    create trigger noted after insert or update on rejected_deliveries for each row execute function note_write();
    create trigger noted after update on providers for each row execute function note_write();`);
  const event = { id: 'x', topic: 'order.paid', body: { orderId: 'x', amountCents: 1 } };
  for (let round = 0; round < 4; round += 1) {
    const answers = await Promise.all(Array.from({ length: 64 }, () => store.send(event, { headers: { 'webhook-signature': 'v1,AA==' } })));
    assert.ok(answers.every(({ status, body }) => status === 401 && body.code === 'bad_signature'));
  }
  await getRejectionCounter(service.ctx).flush();
  const { rows } = await service.pool.query('select reason, deliveries::integer from rejected_deliveries where provider_id = $1', [
    store.id,
  ]);
  assert.deepEqual(rows, [{ reason: 'wrong_signature', deliveries: 256 }]);
  const writes = Number((await service.pool.query('select count(*) from writes')).rows[0].count);
  assert.ok(writes <= 4, `${writes} writes`);
  assert.equal((await store.get()).lastError, 'A delivery was rejected: wrong_signature.');
});
