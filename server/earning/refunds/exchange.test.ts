// Orders in six currencies and their refunds, compared with an independent calculation.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import {
  expectConverted,
  expectRefunded,
  foreign,
  type OracleCurrency,
  randomLines,
  randomRate,
} from '../../../test/support/oracle/exchange.ts';
import { type Chance, chanceOf } from '../../../test/support/oracle/random.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { allocate, sumOf } from '../../platform/lib/money.ts';
import { toItemFacts } from '../commission-rules/order-facts.ts';
import { buildLines, ReportedOrder } from '../conversions/order.ts';
import { convertOrder } from '../conversions/recording/convert-order.ts';
import { convertRefund, type RefundedAmount, toOrderCurrency, toProgramCurrency } from './convert.ts';
import { isFullyRefunded, refundLines } from './lines.ts';

const seed = Number(process.env.TEST_SEED ?? 1);

type Refund = Map<number, RefundedAmount>;

/** The sum of refunds by line, as it is read from the database. */
function addUp(refunds: readonly Refund[]): Map<number, RefundedAmount> {
  const sums = new Map<number, RefundedAmount>();
  for (const [position, { amountCents, originalCents }] of refunds.flatMap((refund) => [...refund])) {
    const before = sums.get(position) ?? { amountCents: 0, originalCents: 0 };
    sums.set(position, {
      amountCents: before.amountCents + amountCents,
      originalCents: (before.originalCents ?? 0) + (originalCents ?? 0),
    });
  }
  return sums;
}

function aConverted(chance: Chance, from: OracleCurrency, to: OracleCurrency) {
  const items = randomLines(chance).map((amountCents) => ({ amountCents, quantity: chance.whole(1, 4) }));
  const total = sumOf(items.map(({ amountCents }) => amountCents));
  const amountCents = total - (chance.is(0.3) ? chance.whole(0, total) : 0);
  const rate = randomRate(chance, from, to);
  const order = ReportedOrder.parse({ orderId: 'o', amountCents, currency: from, items });
  const dated = { rate, quotedOn: '2026-11-26', rateSource: 'uploaded' as const };
  const converted = convertOrder({ ...order, currency: from }, buildLines(order, []), { rate: dated, to });
  const facts = {
    ...toItemFacts({ productId: null, category: null, amountCents: 0 }, { id: 'a', groupId: null, override: null }, '2026-11-26'),
    amountCents: converted.order.amountCents,
    lines: converted.lines,
    exchange: converted.exchange,
  };
  // The discount of the order is split in its currency, before anything is converted.
  const weights = items.map((item) => item.amountCents);
  const discounts = allocate(total - amountCents, weights);
  return { facts, rate, lineCents: weights.map((cents, index) => cents - (discounts[index] ?? 0)) };
}

/** A refund of an amount, of some lines, of units, or of all that is left. */
function aRequest(chance: Chance, lines: readonly { position: number; amountCents: number }[], refunded: ReadonlyMap<number, number>) {
  const left = lines.map(({ position, amountCents }) => ({ position, left: amountCents - (refunded.get(position) ?? 0) }));
  const total = sumOf(left.map((line) => line.left));
  if (total === 0 || chance.is(0.1)) return {};
  if (chance.is(0.5)) return { amountCents: chance.whole(1, total) };
  const some = left.filter((line) => line.left > 0 && chance.is(0.6));
  if (some.length === 0) return {};
  return { items: some.map((line) => ({ position: line.position, amountCents: chance.whole(1, line.left) })) };
}

describe('10,000 random orders in six currencies', () => {
  test('are converted and refunded as an independent calculation says, and full refunds end at exactly 0', () => {
    const chance = chanceOf(seed);
    let [refunds, undone, full] = [0, 0, 0];
    for (let count = 0; count < 10_000; count += 1) {
      const from = chance.one(foreign);
      const to = chance.one((['USD', 'EUR', 'JPY', 'KWD'] as const).filter((currency) => currency !== from));
      const { facts, rate, lineCents } = aConverted(chance, from, to);
      const context = `order ${count} of seed ${seed}, ${from} to ${to} at ${rate}: ${lineCents}`;
      const expected = expectConverted(lineCents, { rate, from, to });
      assert.deepEqual([facts.exchange.lineCents, facts.exchange.amountCents], [lineCents, sumOf(lineCents)], context);
      assert.deepEqual([facts.amountCents, facts.lines.map((line) => line.amountCents)], [expected.amountCents, expected.lines], context);
      const lines = facts.lines.map((line, index) => ({ ...line, amountCents: lineCents[index] ?? 0 }));
      const applied: Refund[] = [];
      const hasUndone = chance.is(0.2);
      while (!isFullyRefunded(lines, toOrderCurrency(addUp(applied)))) {
        const before = addUp(applied);
        const isLast = applied.length === 6;
        const requested = refundLines(lines, toOrderCurrency(before), isLast ? {} : aRequest(chance, lines, toOrderCurrency(before)));
        applied.push(convertRefund(facts, before, requested));
        refunds += 1;
        const after = addUp(applied);
        for (const position of requested.keys()) {
          const { amountCents, originalCents } = after.get(position) ?? assert.fail(context);
          const [line = 0, converted = 0] = [lineCents[position], expected.lines[position]];
          const exact = expectRefunded(originalCents ?? 0, line, converted);
          const undoneCents = hasUndone ? Math.max(exact, before.get(position)?.amountCents ?? 0) : exact;
          assert.equal(amountCents, undoneCents, `${context}: line ${position} after ${applied.length} refunds`);
          assert.ok(amountCents <= converted, context);
        }
        if (!hasUndone || isLast || !chance.is(0.3)) continue;
        applied.splice(chance.whole(0, applied.length - 1), 1);
        undone += 1;
      }
      const left = facts.lines.map((line) => line.amountCents - (toProgramCurrency(facts, addUp(applied)).get(line.position) ?? 0));
      assert.ok(
        left.every((cents) => cents === 0),
        `${context}: ${left} are left`,
      );
      full += 1;
    }
    assert.deepEqual([full, refunds > 20_000, undone > 1000], [10_000, true, true]);
  });
});

describe('orders in other currencies through the API', () => {
  let service: TestService;
  let ada: { id: string };
  before(async () => {
    service = await openTestService();
    ada = await anAffiliate(service, { status: 'active' });
    await aRule(service, { rate: 12.5 });
    const changed = await service.request('PATCH', service.program.path, { body: { exchangeRateSource: 'uploaded' } });
    assert.equal(changed.status, 200, changed.text);
  });
  after(() => service.close());

  const call = async (method: string, path: string, body: object, status: number) => {
    const answer = await service.request(method, path, { body });
    assert.equal(answer.status, status, answer.text);
    return answer.body;
  };

  test('are recorded, refunded in parts and in full, and leave no cent and no finding of verify', async () => {
    const chance = chanceOf(seed + 1);
    const rates = foreign.map((currency) => ({ currency, quotedOn: '2026-02-08', rate: randomRate(chance, currency, 'USD') }));
    await call('POST', `${service.program.path}/exchange-rates`, { rates }, 200);
    const orders = Array.from({ length: 120 }, (_, index) => {
      const lineCents = randomLines(chance, 3);
      const { currency, rate } = chance.one(rates);
      const items = lineCents.map((amountCents) => ({ amountCents }));
      const report = { orderId: `x-${index}`, affiliateId: ada.id, currency, amountCents: sumOf(lineCents), items };
      return { report: { ...report, occurredAt: '2026-02-09T12:00:00Z' }, lineCents, currency, rate };
    });
    const { results } = await call('POST', '/v1/conversions/batch', { conversions: orders.map(({ report }) => report) }, 200);
    let differences = 0;
    for (const [index, { report, lineCents, currency, rate }] of orders.entries()) {
      const { conversion } = results[index];
      const expected = expectConverted(lineCents, { rate, from: currency, to: 'USD' });
      if (conversion.amountCents !== expected.amountCents) differences += 1;
      assert.deepEqual(
        conversion.exchange,
        { currency, amountCents: report.amountCents, rate, quotedOn: '2026-02-08', rateSource: 'uploaded' },
        conversion.orderId,
      );
      if (report.amountCents === 0) continue;
      const position = lineCents.indexOf(Math.max(...lineCents));
      const [line = 0, converted = 0] = [lineCents[position], expected.lines[position]];
      const part = chance.whole(1, line);
      const body = { orderId: report.orderId, currency, items: [{ position, amountCents: part }] };
      const refund = await call('POST', '/v1/refunds', { ...body, refundId: `part-${index}` }, 201);
      if (refund.amountCents !== expectRefunded(part, line, converted)) differences += 1;
      assert.deepEqual(refund.original, { currency, amountCents: part });
      if (part === report.amountCents) continue;
      const rest = await call('POST', '/v1/refunds', { orderId: report.orderId, refundId: `rest-${index}` }, 201);
      assert.deepEqual([rest.remainingCents, rest.refundedCents], [0, expected.amountCents]);
    }
    assert.equal(differences, 0);
    const { body: balance } = await service.request('GET', `${service.program.path}/affiliates/${ada.id}/balance`);
    assert.deepEqual([balance.pendingCents, balance.availableCents], [0, 0]);
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });
});
