// Which rate an order in another currency is converted at, what is rejected, and what the order keeps of it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

let service: TestService;
let ada: { id: string };
let serial = 0;

before(async () => {
  service = await openTestService();
  await aRule(service, { name: 'Standard', rate: 10 });
  ada = await anAffiliate(service, { status: 'active' });
});
after(() => service.close());

const set = async (body: object) => assert.equal((await service.request('PATCH', service.program.path, { body })).status, 200);
const upload = (rates: object[]) => service.request('POST', `${service.program.path}/exchange-rates`, { body: { rates } });
const report = (given: object) => {
  serial += 1;
  const order = { orderId: `r-${serial}`, affiliateId: ada.id, amountCents: 10_000, currency: 'EUR', occurredAt: '2026-02-05T12:00:00Z' };
  return service.request('POST', '/v1/conversions', { body: { ...order, ...given } });
};
const refund = (body: object) => service.request('POST', '/v1/refunds', { body });

describe('an order in another currency', () => {
  test('is rejected until the program has a source of rates, and afterwards until it has a rate', async () => {
    const off = await report({});
    assert.deepEqual([off.status, off.body.details[0].message], [400, 'must be USD, the currency of the program']);
    await set({ exchangeRateSource: 'uploaded' });
    const missing = await report({ orderId: 'waits' });
    assert.deepEqual(
      [missing.status, missing.body.code, missing.body.orderId, missing.body.currency, missing.body.occurredOn],
      [422, 'exchange_rate_missing', 'waits', 'EUR', '2026-02-05'],
    );
    assert.equal((await report({ currency: 'ABC' })).body.details[0].message, 'must be an active ISO 4217 code');
    const uploaded = await upload([
      { currency: 'EUR', quotedOn: '2026-02-04', rate: '1.0842' },
      { currency: 'EUR', quotedOn: '2026-01-20', rate: '0.90' },
    ]);
    assert.deepEqual([uploaded.status, uploaded.body], [200, { created: 2, updated: 0, unchanged: 0 }]);
    const { status, body } = await report({ orderId: 'waits' });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.amountCents, body.currency, body.commissionCents, body.exchange],
      [10_842, 'USD', 1084, { currency: 'EUR', amountCents: 10_000, rate: '1.0842', quotedOn: '2026-02-04', rateSource: 'uploaded' }],
    );
    const { body: explanation } = await service.request('GET', `${service.program.path}/conversions/${body.id}/explanation`);
    assert.equal(explanation.sentences[0], '€100.00 at 1.0842 (uploaded rate of 2026-02-04) = $108.42.');
    assert.equal(explanation.sentences[2], 'The order ($108.42): 10% by “Standard” (default rule) = $10.84.');
  });

  test('uses the latest rate of the 7 days before its day, in the time zone of the program', async () => {
    const quotedOn = async (occurredAt: string) => {
      const { status, body } = await report({ occurredAt });
      return status === 201 ? body.exchange.quotedOn : body.occurredOn;
    };
    await set({ timezone: 'America/New_York' });
    assert.equal(await quotedOn('2026-01-28T04:59:00Z'), '2026-01-20', 'the 27th in New York');
    assert.equal(await quotedOn('2026-01-28T05:00:00Z'), '2026-01-28', 'the 28th: 8 days after the rate, which is missing');
    assert.equal(await quotedOn('2026-02-04T04:59:00Z'), '2026-02-03', 'a later rate does not apply');
    assert.equal(await quotedOn('2026-02-04T05:00:00Z'), '2026-02-04');
    await set({ timezone: 'UTC' });
  });

  test('is increased and refunded at its own rate after another one was uploaded for its day', async () => {
    const order = { orderId: 'kept', items: [{ amountCents: 6000 }, { amountCents: 4000 }] };
    const { body } = await report(order);
    const corrected = await upload([
      { currency: 'EUR', quotedOn: '2026-02-04', rate: '2' },
      { currency: 'EUR', quotedOn: '2026-01-20', rate: '0.9' },
    ]);
    assert.deepEqual(corrected.body, { created: 0, updated: 1, unchanged: 1 });
    const again = await report(order);
    assert.deepEqual([again.status, again.body.matchesOriginal], [409, true]);
    const other = await report({ orderId: 'kept', amountCents: 9000 });
    assert.deepEqual([other.status, other.body.matchesOriginal], [409, false]);
    const { body: mismatches } = await service.request('GET', `${service.program.path}/order-mismatches?orderId=kept`);
    assert.deepEqual([mismatches.total, mismatches.orderMismatches[0].amountCents], [1, 9758]);
    const path = `${service.program.path}/conversions/${body.id}`;
    const increased = await service.request('POST', `${path}/increase`, { body: { increaseId: 'i-1', amountCents: 1001 } });
    assert.equal(increased.status, 200, increased.text);
    assert.deepEqual([increased.body.conversion.amountCents, increased.body.conversion.exchange.amountCents], [11_927, 11_001]);
    const wrong = await refund({ refundId: 'kept-0', orderId: 'kept', currency: 'USD', amountCents: 100 });
    assert.deepEqual(wrong.body.details, [{ path: ['currency'], message: 'must be EUR, the currency of the order' }]);
    const part = await refund({ refundId: 'kept-1', orderId: 'kept', items: [{ position: 2, amountCents: 1000 }] });
    assert.deepEqual([part.body.amountCents, part.body.original], [1084, { amountCents: 1000, currency: 'EUR' }]);
    const over = await refund({ refundId: 'kept-2', orderId: 'kept', amountCents: 10_002 });
    assert.equal(over.body.details[0].message, 'must not exceed the amount that is not refunded yet (10001)');
    const dispute = await service.request('POST', '/v1/disputes', {
      body: { disputeId: 'kept-d', orderId: 'kept', status: 'opened', amountCents: 10_001 },
    });
    assert.deepEqual([dispute.body.amountCents, dispute.body.original], [10_843, { amountCents: 10_001, currency: 'EUR' }]);
    const lost = await service.request('POST', '/v1/disputes', { body: { disputeId: 'kept-d', orderId: 'kept', status: 'lost' } });
    assert.equal(lost.status, 200, lost.text);
    const { body: after } = await service.request('GET', path);
    assert.deepEqual([after.refundedCents, after.reversedCents, after.status], [11_927, after.commissionCents, 'reversed']);
    assert.equal((await refund({ refundId: 'kept-3', orderId: 'kept' })).body.code, 'nothing_to_refund');
    const won = await service.request('POST', '/v1/disputes', { body: { disputeId: 'kept-d', orderId: 'kept', status: 'won' } });
    assert.equal(won.status, 200, won.text);
    const cancelled = await service.request('POST', `${path}/cancel`, { body: {} });
    assert.deepEqual([cancelled.body.conversion.refundedCents, cancelled.body.conversion.status], [11_927, 'reversed']);
  });

  test('without an affiliate keeps its report, and is credited later at the rate of its day', async () => {
    const lost = await report({ orderId: 'lost', affiliateId: undefined });
    assert.deepEqual([lost.status, lost.body.code], [422, 'no_affiliate_to_credit']);
    const { body } = await service.request('GET', `${service.program.path}/unattributed-orders?orderId=lost`);
    const [stored] = body.unattributedOrders;
    assert.deepEqual([stored.amountCents, stored.currency], [20_000, 'USD']);
    const path = `/app/programs/${service.program.programId}/unattributed-orders/${stored.id}/credit`;
    const credited = await (await service.asMember('admin')).request('POST', path, { body: { affiliateId: ada.id } });
    assert.equal(credited.status, 200, credited.text);
    const { body: orders } = await service.request('GET', `${service.program.path}/conversions?orderId=lost`);
    assert.deepEqual([orders.conversions[0].amountCents, orders.conversions[0].exchange.rate], [20_000, '2']);
  });

  test('has no effect on the order when it is only previewed or tested', async () => {
    const order = { affiliateId: ada.id, amountCents: 500, currency: 'JPY', occurredAt: '2026-02-05T12:00:00Z' };
    await upload([{ currency: 'JPY', quotedOn: '2026-02-05', rate: '0.0065' }]);
    const preview = await service.request('POST', `${service.program.path}/commission-rules/preview`, { body: order });
    assert.equal(preview.status, 200, preview.text);
    assert.deepEqual(
      [preview.body.commissionCents, preview.body.exchange.amountCents, preview.body.sentences[0]],
      [33, 500, '¥500 at 0.0065 (uploaded rate of 2026-02-05) = $3.25.'],
    );
    const tested = await service.request('POST', `${service.program.path}/conversions/test`, { body: order });
    const whole = { reportedCents: 500, convertedCents: 325 };
    assert.deepEqual([tested.status, tested.body.exchange], [200, { ...preview.body.exchange, ...whole }]);
  });

  test('that would be too large in the currency of the program is rejected', async () => {
    await upload([{ currency: 'KWD', quotedOn: '2026-02-05', rate: '999999999' }]);
    const { status, body } = await report({ currency: 'KWD', amountCents: 99_999_999_999 });
    assert.deepEqual([status, body.code], [400, 'amount_too_large']);
  });
});

describe('exchange rates', () => {
  test('are validated with a message for each fault, and stored by none of them', async () => {
    const faults = await upload([
      { currency: 'USD', quotedOn: '2026-02-01', rate: '1' },
      { currency: 'GBP', quotedOn: '2026-02-01', rate: '1.27' },
    ]);
    assert.deepEqual(faults.body.details, [{ path: ['rates', '0', 'currency'], message: 'must not be USD, the currency of the program' }]);
    for (const [rate, message] of [
      ['0.000', 'must be a decimal above 0'],
      ['1e3', 'must be a decimal above 0'],
      ['1.1234567890123', 'must be a decimal above 0'],
    ]) {
      const { status, body } = await upload([{ currency: 'GBP', quotedOn: '2026-02-01', rate }]);
      assert.deepEqual([status, body.details[0].message.startsWith(message)], [400, true], rate);
    }
    const twice = { currency: 'GBP', quotedOn: '2026-02-01', rate: '1.27' };
    assert.deepEqual((await upload([twice, twice])).body.details, [
      { path: ['rates', '1'], message: 'must not repeat the rate of GBP for 2026-02-01' },
    ]);
    const { body } = await service.request('GET', `${service.program.path}/exchange-rates?currency=GBP`);
    assert.equal(body.total, 0);
  });

  test('of an upload are only counted in a dry run', async () => {
    const rates = [
      { currency: 'GBP', quotedOn: '2026-02-01', rate: '1.27' },
      { currency: 'EUR', quotedOn: '2026-02-04', rate: '3' },
    ];
    const { body } = await service.request('POST', `${service.program.path}/exchange-rates`, { body: { rates, dryRun: true } });
    assert.deepEqual(body, { created: 1, updated: 1, unchanged: 0 });
    const { rows } = await service.pool.query(`select rate::text from exchange_rates where currency = 'GBP' or rate = 3`);
    assert.deepEqual(rows, []);
  });

  test('are listed by currency and days, the latest first, and every upload is audited', async () => {
    const { body } = await service.request('GET', `${service.program.path}/exchange-rates?currency=EUR&from=2026-01-01&to=2026-02-28`);
    assert.deepEqual(
      body.exchangeRates.map(({ quotedOn, rate }: { quotedOn: string; rate: string }) => [quotedOn, rate]),
      [
        ['2026-02-04', '2'],
        ['2026-01-20', '0.9'],
      ],
    );
    const { body: audit } = await service.request('GET', `${service.program.path}/audit-events?action=exchange_rates.uploaded`);
    assert.deepEqual(audit.auditEvents.at(-1).after, { created: 2, updated: 0, from: '2026-01-20', to: '2026-02-04', currencies: ['EUR'] });
  });

  test('and everything that was converted leave no finding of verify', async () => {
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });
});
