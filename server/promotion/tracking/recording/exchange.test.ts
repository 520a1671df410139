// Limits hold across processes and restarts: each exchange here is that of a process with separate memory.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/time/wait.ts';
import { createExchange, type Exchange } from './exchange.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

let networks = 0;
function newNetwork(): string {
  networks += 1;
  return networks.toString(16).padStart(32, '0');
}

async function startProcess(): Promise<Exchange> {
  const exchange = createExchange(service.ctx);
  await exchange.load(service.program.programId);
  assert.equal(exchange.load(service.program.programId), undefined);
  return exchange;
}

/** How many of `clicks` are admitted. */
function visit({ windows }: Exchange, clicks: number, { hash, limit }: { hash: string; limit: number }): number {
  const window = { programId: service.program.programId, hash, seconds: 3600, limit };
  return Array.from({ length: clicks }, () => windows.admit([window], service.clock.now())).filter(Boolean).length;
}

async function stored(hash: string): Promise<number> {
  const { rows } = await service.pool.query(`select sum(clicks)::int as clicks from click_windows where ip_hash = decode($1, 'hex')`, [
    hash,
  ]);
  return rows[0].clicks ?? 0;
}

const untilExchanged = (isReached: () => Promise<boolean>) => until('the processes have exchanged', isReached);

test('after an exchange, a process knows how many clicks the others accepted', async () => {
  const visitor = { hash: newNetwork(), limit: 160 };
  const [one, other] = [await startProcess(), await startProcess()];
  assert.equal(visit(one, 100, visitor), 100);
  one.schedule();
  await untilExchanged(async () => (await stored(visitor.hash)) === 100);
  assert.equal(visit(other, 20, visitor), 20, 'it does not know the address yet');
  other.schedule();
  await untilExchanged(async () => (await stored(visitor.hash)) === 120);
  await untilExchanged(async () => visit(other, 1, { ...visitor, limit: 120 }) === 0);
  assert.equal(visit(other, 100, visitor), 40);
  await other.flush();
  assert.equal(visit(one, 100, visitor), 60, 'the clicks beyond the limit are what the other let through in the meantime');
  await one.flush();
  assert.equal(visit(one, 1, visitor) + visit(other, 1, visitor), 0);
});

test('counts below a sixteenth of the limit stay in their process', async () => {
  const visitor = { hash: newNetwork(), limit: 160 };
  const one = await startProcess();
  visit(one, 9, visitor);
  assert.equal(one.windows.hasUnsent(), false);
  visit(one, 1, visitor);
  assert.equal(one.windows.hasUnsent(), true);
  await one.flush();
  assert.equal(await stored(visitor.hash), 10);
  visit(one, 1, visitor);
  assert.equal(one.windows.hasUnsent(), true, 'from then on each click is exchanged');
});

test('a process that ends leaves its counts to the next one, even small ones', async () => {
  const visitor = { hash: newNetwork(), limit: 160 };
  const first = await startProcess();
  visit(first, 3, visitor);
  await first.flush();
  const second = await startProcess();
  assert.equal(visit(second, 200, visitor), 157);
});

test('a click that was not recorded is taken back, even after its count was sent', async () => {
  const visitor = { hash: newNetwork(), limit: 10 };
  const one = await startProcess();
  const window = { ...visitor, programId: service.program.programId, seconds: 3600 };
  visit(one, 10, visitor);
  await one.flush();
  one.windows.takeBack([window], service.clock.now());
  assert.equal(visit(one, 5, visitor), 1);
  one.windows.takeBack([window], service.clock.now());
  await one.flush();
  assert.equal(await stored(visitor.hash), 9);
});

test('counts that could not be sent are sent later; nothing is lost or counted twice', async () => {
  const visitor = { hash: newNetwork(), limit: 100 };
  const one = await startProcess();
  visit(one, 50, visitor);
  await service.pool.query('alter table click_windows rename to click_windows_away');
  await one.flush();
  await service.pool.query('alter table click_windows_away rename to click_windows');
  assert.equal(visit(one, 10, visitor), 10);
  await one.flush();
  await one.flush();
  assert.equal(await stored(visitor.hash), 60);
  assert.equal(visit(one, 100, visitor), 40);
});

test('past windows are neither kept nor sent', async () => {
  const visitor = { hash: newNetwork(), limit: 20 };
  const one = await startProcess();
  visit(one, 20, visitor);
  service.clock.advance({ seconds: 3700 });
  await one.flush();
  assert.equal(await stored(visitor.hash), 0);
  assert.equal(visit(one, 30, visitor), 20);
});
