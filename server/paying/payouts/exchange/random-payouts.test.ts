// 1,000 random payouts in six currencies, compared with an independent calculation.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anOrder } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { randomRate } from '../../../../test/support/oracle/exchange.ts';
import { chanceOf } from '../../../../test/support/oracle/random.ts';
import { aPayee, aSender, closeSender, type Sender } from '../../../../test/support/payees.ts';
import { givenSeed, often } from '../../../../test/support/time/length.ts';

let service: TestService;
let sender: Sender;
before(async () => {
  service = await openTestService();
  sender = await aSender(service);
});
after(async () => {
  try {
    await closeSender(service, sender);
  } finally {
    await service.close();
  }
});

const must = async (method: string, path: string, body?: object) => {
  const { program } = sender;
  const url = path === '' ? program.path : `${program.path}/${path}`;
  const { status, body: answer, text } = await service.request(method, url, { key: program.key, body });
  assert.ok(status < 300, `${method} ${path}: ${text}`);
  return answer;
};
const today = (daysAgo: number) => new Date(service.clock.now().getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);

describe('1,000 random payouts', () => {
  const decimals = { EUR: 2, JPY: 0, KWD: 3, GBP: 2, KRW: 0, CHF: 2 } as const;
  /** Written without the conversion of the service: digits as text, and the remainder compared with half. */
  const expectCents = (cents: number, rate: string, places: number): number => {
    const [whole = '', fraction = ''] = rate.split('.');
    const divisor = BigInt(whole + fraction.padEnd(12, '0')) * 100n;
    const dividend = BigInt(`${cents}${'0'.repeat(12 + places)}`);
    const rest = dividend % divisor;
    return Number((dividend - rest) / divisor) + (rest * 2n >= divisor ? 1 : 0);
  };
  const seed = givenSeed ?? 1;
  const chance = chanceOf(seed);
  const codes = Object.keys(decimals) as (keyof typeof decimals)[];

  test('are what an independent calculation says, and the ledger stays balanced', async () => {
    const { program } = sender;
    await must('PATCH', '', { payoutCurrencies: codes, minimumPayoutCents: 0 });
    const { id: providerId } = await must('POST', 'providers', { type: 'csv', name: 'Bank', currencies: [] });
    const payees = await Promise.all(Array.from({ length: 50 }, () => aPayee(service, program)));
    let count = 0;
    while (count < often(1000)) {
      const rates = codes.map((currency) => ({ currency, rate: randomRate(chance, currency, 'USD') }));
      await Promise.all(
        payees.map(({ id }) => anOrder(service, { affiliateId: id, amountCents: chance.whole(1000, 100_000_000) }, program)),
      );
      service.clock.advance({ days: 31 });
      await must('POST', 'exchange-rates', { rates: rates.map((rate) => ({ ...rate, quotedOn: today(chance.whole(0, 7)) })) });
      const chosen = payees.map(({ id }) => ({ id, currency: chance.one([...codes, null]) }));
      await service.pool.query(
        `update payout_details set payout_currency = chosen.currency from json_to_recordset($1) as chosen (id uuid, currency text)
         where program_id = $2 and affiliate_id = chosen.id`,
        [JSON.stringify(chosen), program.programId],
      );
      const { batch, payouts, skipped } = await must('POST', 'payouts/dispatch', { providerId });
      assert.deepEqual([payouts.length, skipped.length], [payees.length, 0]);
      for (const { affiliateId, amountCents, exchange } of payouts) {
        const currency = chosen.find(({ id }) => id === affiliateId)?.currency ?? null;
        const rate = rates.find((one) => one.currency === currency)?.rate ?? '1';
        const expected = currency === null ? undefined : expectCents(amountCents, rate, decimals[currency]);
        assert.deepEqual(
          [exchange?.currency ?? null, exchange?.amountCents],
          [currency, expected],
          `seed ${seed}, ${amountCents} at ${rate}`,
        );
      }
      count += payouts.length;
      // What is cancelled is owed again, and converted again at another rate.
      await must('POST', `payouts/batches/${batch.id}/${chance.is(0.3) ? 'cancel' : 'mark-paid'}`, {});
    }
  });
});
