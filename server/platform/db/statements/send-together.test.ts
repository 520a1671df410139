import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/time/wait.ts';
import { toApiError } from '../constraints.ts';
import { transact } from '../transact.ts';
import { runTogether, type Statement, toArrayText } from './send-together.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await service.pool.query('create table sent (number integer primary key, texts text[])');
  await service.pool.query('grant all on sent to public');
});
after(() => service.close());

const sendTogether = (ctx: TestService['ctx'], statements: Statement[]) => transact(ctx, (tx) => runTogether(tx, statements));
const insertRows = 'insert into sent (number, texts) select * from unnest($1::integer[], $2::text[]) as row (n, t)';
const insertRow = 'insert into sent (number, texts) values ($1, $2)';
const rows = async () => (await service.pool.query('select number, texts from sent order by number')).rows;
const send = (number: number, texts: string[]) => ({ text: insertRow, values: [String(number), toArrayText(texts)] });

test('arrays arrive as they were sent', async () => {
  const texts = ['', 'NULL', 'null', 'a b', 'a,b', '{}', '"', '\\', '\\"', "'", 'ä', '\n', '🙂', '\x1f', 'plain'];
  await sendTogether(service.ctx, [send(1, texts)]);
  assert.deepEqual(await rows(), [{ number: 1, texts }]);
  await service.pool.query('delete from sent');
});

test('if one statement fails, none takes effect, and the connection can be used again', async () => {
  for (let round = 0; round < 20; round += 1) {
    await assert.rejects(sendTogether(service.ctx, [send(2, []), send(2, [])]), /duplicate key/);
    assert.deepEqual(await rows(), []);
    await sendTogether(service.ctx, [send(3, []), send(4, [])]);
    assert.deepEqual((await rows()).length, 2);
    await service.pool.query('delete from sent');
  }
});

test('a statement that cannot be parsed is reported, and others still work', async () => {
  const wrong = { text: 'insert into nowhere values (1)', values: [] };
  await assert.rejects(sendTogether(service.ctx, [send(5, []), wrong]), /nowhere/);
  await Promise.all(Array.from({ length: 50 }, (_, number) => sendTogether(service.ctx, [send(number, ['x']), send(number + 100, [])])));
  assert.equal((await rows()).length, 100);
  await service.pool.query('delete from sent');
});

test('a value that PostgreSQL rejects fails only its own call', async () => {
  const values = [toArrayText([1, 2]), toArrayText(['{a}', '{'])];
  await assert.rejects(sendTogether(service.ctx, [{ text: insertRows, values }]), { code: '42804' });
  await assert.rejects(sendTogether(service.ctx, [{ text: insertRow, values: ['x', '{}'] }]), { code: '22P02' });
  assert.deepEqual(await rows(), []);
});

test('a connection that is lost is reported as unavailable', async () => {
  const pending = sendTogether(service.ctx, [{ text: 'select pg_sleep(4)', values: [] }]);
  // The server's message, the socket's error or that of the rollback, whichever comes first.
  const outcome = assert.rejects(pending, (error) => toApiError(error)?.status === 503);
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(4)'`;
  await until('the connection is terminated', async () => ((await service.pool.query(end)).rowCount ?? 0) > 0);
  await outcome;
  // The pool may still hold the connection for a moment.
  await until('another connection is used', () =>
    sendTogether(service.ctx, [send(6, [])]).then(
      () => true,
      () => false,
    ),
  );
  assert.equal((await rows()).length, 1);
});
