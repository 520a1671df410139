// Batches are found by date and amount, and the journal of one contains the entries of its payouts and no others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

type Batch = { batch: { id: string; totalCents: number }; payouts: { id: string }[] };

describe('payout batches', () => {
  let service: TestService;
  const batches: Batch[] = [];

  before(async () => {
    service = await openTestService();
    await service.request('PATCH', service.program.path, { body: { minimumPayoutCents: 0 } });
    for (const amountCents of [5000, 7000]) {
      for (let index = 0; index < 2; index += 1) {
        const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
        await send('POST', 'commissions', { affiliateId, amountCents, note: 'Bonus' });
      }
      batches.push(await send('POST', 'payouts/dispatch', {}));
      service.clock.advance({ days: 40 });
    }
    const [paid, cancelled] = batches[0]?.payouts ?? [];
    await send('POST', `payouts/${paid?.id}/mark-paid`, {});
    await send('POST', `payouts/${cancelled?.id}/cancel`, {});
    service.clock.advance({ days: 40 });
  });
  after(() => service.close());

  const send = async (method: string, path: string, body?: object) => {
    const response = await service.request(method, `${service.program.path}/${path}`, body ? { body } : {});
    assert.ok(response.status < 300, response.text);
    return response.body;
  };
  const amounts = async (query: string): Promise<number[]> =>
    (await send('GET', `payouts/batches?${query}`)).batches.map((batch: { totalCents: number }) => batch.totalCents);

  test('are found by amount, both ends included, and by date', async () => {
    assert.deepEqual(await amounts('amountMinCents=10000&amountMaxCents=13999'), [10_000]);
    assert.deepEqual(await amounts('amountMinCents=14000'), [14_000]);
    assert.deepEqual(await amounts('amountMaxCents=9999'), []);
    const day = new Date(service.clock.now().getTime() - 100 * 86_400_000).toISOString();
    assert.deepEqual([await amounts(`createdFrom=${day}`), await amounts(`createdTo=${day}`)], [[14_000], [10_000]]);
  });

  test('have a journal of the entries of their payouts, whenever these were created', async () => {
    const [first, second] = batches.map(({ batch }) => batch.id);
    const { lines } = await send('GET', `ledger/journal?batchId=${first}&format=json`);
    assert.deepEqual(
      lines.map(({ debitAccount, creditAccount, amountCents }: Record<string, unknown>) => [debitAccount, creditAccount, amountCents]),
      [
        ['Commissions payable', 'Payouts in transit', 5000],
        ['Commissions payable', 'Payouts in transit', 5000],
        ['Payouts in transit', 'Bank', 5000],
        ['Payouts in transit', 'Commissions payable', 5000],
      ],
    );
    const csv = await service.request('GET', `${service.program.path}/ledger/journal?batchId=${second}`);
    const rows: Record<string, string>[] = parse(csv.text, { columns: true });
    assert.deepEqual(
      rows.map(({ amountCents }) => amountCents),
      ['7000', '7000'],
    );
    const grouped = await service.request('GET', `${service.program.path}/ledger/journal?batchId=${second}&groupBy=day`);
    assert.deepEqual([grouped.status, grouped.body.details[0].message], [400, 'must be `entry` with `batchId`']);
  });
});
