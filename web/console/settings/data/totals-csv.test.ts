import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TaxTotal, toTotalsCsv } from './totals-csv.ts';

const quarter = (amountCents: number) => ({ amountCents, payoutCount: 1 });

test('annual totals have a line per affiliate with the quarters and the VAT, and a name is never a formula', () => {
  const total: TaxTotal = {
    affiliateId: 'a1',
    affiliate: { id: 'a1', name: '=SUM(A1)', email: 'ada@example.com', referralCode: 'ADA', linkUrl: 'https://example.com' },
    netCents: 968,
    vatCents: 32,
    amountCents: 1000,
    currency: 'USD',
    payoutCount: 4,
    quarters: [quarter(100), quarter(200), quarter(300), quarter(400)],
    vatTotals: [
      { vatCase: 'domestic', netCents: 168, vatCents: 32, vatExchange: { currency: 'EUR', amountCents: 30 }, amountCents: 200 },
      { vatCase: null, netCents: 800, vatCents: 0, vatExchange: null, amountCents: 800 },
    ],
    hasTaxForm: false,
  };
  assert.deepEqual(toTotalsCsv([total]).split('\r\n'), [
    'affiliateId,name,email,netCents,vatCents,amountCents,currency,payoutCount,q1AmountCents,q2AmountCents,q3AmountCents,q4AmountCents,' +
      'domesticCents,smallBusinessCents,reverseChargeCents,outsideEuCents,withoutInvoiceCents,vatExchangeCents,vatExchangeCurrency,hasTaxForm',
    "a1,'=SUM(A1),ada@example.com,968,32,1000,USD,4,100,200,300,400,200,0,0,0,800,30,EUR,false",
    '',
  ]);
});
