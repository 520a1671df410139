// The forecast of what becomes payable, and the ledger journal of the same program.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await service.request('PATCH', service.program.path, { body: { minimumPayoutCents: 0 } });
  await aRule(service, { rate: 10 });
  const { id } = await anAffiliate(service, { status: 'active' });
  const indebted = await anAffiliate(service, { status: 'active' });
  await anOrder(service, { affiliateId: indebted.id, amountCents: 5000, orderId: 'back' });
  service.clock.advance({ days: 31 });
  const { body } = await get('POST', 'payouts/dispatch', {});
  await get('POST', `payouts/${body.payouts[0].id}/mark-paid`, {});
  await service.request('POST', '/v1/refunds', { body: { refundId: 'r', orderId: 'back' } });
  await anOrder(service, { affiliateId: id, amountCents: 10_000, orderId: 'a' });
  service.clock.advance({ days: 1 });
  const held = await anOrder(service, { affiliateId: id, amountCents: 700, orderId: 'h' });
  await get('POST', `commissions/${held.commissions[0].id}/hold`, { note: 'look' });
  await anOrder(service, { affiliateId: id, amountCents: 20_000, orderId: 'b' });
});
after(() => service.close());

const get = (method: string, path: string, body?: object) =>
  service.request(method, `${service.program.path}/${path}`, body ? { body } : {});

test('the forecast contains what is owed per day, debts, and held amounts that belong to no day', async () => {
  const { status, body } = await get('GET', 'payouts/forecast?days=31');
  assert.equal(status, 200);
  assert.deepEqual([body.payableCents, body.debtCents, body.heldCents, body.laterCents], [0, 500, 70, 0]);
  assert.deepEqual(
    body.days.filter(({ maturingCents }: { maturingCents: number }) => maturingCents !== 0),
    [
      { maturesOn: '2026-05-01', maturingCents: 1000, owedCents: 1000 },
      { maturesOn: '2026-05-02', maturingCents: 2000, owedCents: 3000 },
    ],
  );
  const short = await get('GET', 'payouts/forecast?days=30');
  assert.deepEqual([short.body.laterCents, short.body.days.at(-1).owedCents], [2000, 1000]);
});

test('the journal contains every ledger entry once, and the same sums per day', async () => {
  const span = 'createdFrom=2026-01-01T00:00:00Z&createdTo=2027-01-01T00:00:00Z';
  const { body: ledger } = await get('GET', 'ledger/entries?limit=200');
  const { body: journal } = await get('GET', `ledger/journal?${span}&format=json`);
  assert.deepEqual(
    journal.lines.map(({ firstSeq, amountCents }: { firstSeq: number; amountCents: number }) => [firstSeq, amountCents]),
    ledger.entries.map(({ seq, amountCents }: { seq: number; amountCents: number }) => [seq, amountCents]).reverse(),
  );
  const accounts = journal.lines.map(({ debitAccount, creditAccount }: Record<string, string>) => `${debitAccount} → ${creditAccount}`);
  assert.deepEqual(accounts.slice(0, 4), [
    'Commission expense → Commissions payable, not matured',
    'Commissions payable, not matured → Commissions payable',
    'Commissions payable → Payouts in transit',
    'Payouts in transit → Bank',
  ]);
  const csv: Record<string, string>[] = parse((await get('GET', `ledger/journal?${span}&groupBy=day`)).text, { columns: true });
  const sum = (rows: { amountCents: number | string }[]) => rows.reduce((total, { amountCents }) => total + Number(amountCents), 0);
  assert.equal(sum(csv as { amountCents: string }[]), sum(journal.lines));
  assert.ok(csv.length < journal.lines.length);
});
