import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVat, sumByCase } from './vat-totals.ts';

const ada = 'ada';
const invoiced = (vatCase: 'domestic' | 'small_business' | 'reverse_charge', amountCents: number, vatCents = 0) => ({
  affiliateId: ada,
  vatCase,
  amountCents,
  vatCents,
  vatExchange: vatCents === 0 ? null : { currency: 'EUR', amountCents: vatCents / 2 },
});

test('what an affiliate was paid is split by VAT treatment, and what has no invoice is separate', () => {
  const [total] = addVat(
    [{ affiliateId: ada, amountCents: 20_000 }],
    [invoiced('small_business', 5000), invoiced('domestic', 11_900, 1900)],
  );
  assert.deepEqual(total, {
    affiliateId: ada,
    netCents: 18_100,
    vatCents: 1900,
    amountCents: 20_000,
    vatTotals: [
      { vatCase: 'domestic', netCents: 10_000, vatCents: 1900, vatExchange: { currency: 'EUR', amountCents: 950 }, amountCents: 11_900 },
      { vatCase: 'small_business', netCents: 5000, vatCents: 0, vatExchange: null, amountCents: 5000 },
      { vatCase: null, netCents: 3100, vatCents: 0, vatExchange: null, amountCents: 3100 },
    ],
  });
});

test('a year with only a cancellation has negative VAT, and invoices of other affiliates count for no one else', () => {
  const [returned, other] = addVat(
    [
      { affiliateId: ada, amountCents: -11_900 },
      { affiliateId: 'ben', amountCents: 700 },
    ],
    [invoiced('domestic', -11_900, -1900)],
  );
  assert.deepEqual(returned?.vatTotals, [
    { vatCase: 'domestic', netCents: -10_000, vatCents: -1900, vatExchange: { currency: 'EUR', amountCents: -950 }, amountCents: -11_900 },
  ]);
  assert.deepEqual(other?.vatTotals, [{ vatCase: null, netCents: 700, vatCents: 0, vatExchange: null, amountCents: 700 }]);
});

test('the sums of a year have each treatment once, in one order', () => {
  const totals = [
    { vatCase: null, vatCents: 0, vatExchange: null, amountCents: 5 },
    invoiced('reverse_charge', 10),
    invoiced('reverse_charge', 20),
  ];
  assert.deepEqual(sumByCase(totals), [
    { vatCase: 'reverse_charge', netCents: 30, vatCents: 0, vatExchange: null, amountCents: 30 },
    { vatCase: null, netCents: 5, vatCents: 0, vatExchange: null, amountCents: 5 },
  ]);
});
