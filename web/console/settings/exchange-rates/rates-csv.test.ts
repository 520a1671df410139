// Rates are read from the files that spreadsheets write, and faults are shown at the lines of the file.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRates, toLineFaults } from './rates-csv.ts';

const expected = { currency: 'EUR', quotedOn: '2026-11-26', rate: '1.0842' };

describe('a file of rates', () => {
  for (const [name, text, line] of [
    ['without a header', 'eur,2026-11-26,1.0842', 1],
    ['with a header in another order', '\uFEFFRate,Currency,Date\r\n1.0842,EUR,2026-11-26\r\n', 2],
    ['in German, with quotes', '"Währung";"Datum";"Kurs"\n\n"EUR";"26.11.2026";"1,0842"', 3],
    ['with tabs and a column more', 'currency\tname\tquoted_on\trate\nEUR\tEuro\t2026-11-26\t1.0842', 2],
  ] as const)
    test(`is read ${name}`, () => assert.deepEqual(parseRates(text), [{ line, ...expected }]));

  test('that is empty or has too few columns has no rates, or incomplete ones', () => {
    assert.deepEqual(parseRates(' \n'), []);
    assert.deepEqual(parseRates('EUR'), [{ line: 1, currency: 'EUR', quotedOn: '', rate: '' }]);
  });

  test('has the faults of the server at its lines', () => {
    const lines = parseRates('currency,date,rate\n\nEUR,2026-11-26,1\nEUR,2026-11-26,x');
    const details = [{ path: ['rates', '1', 'rate'] }, { path: ['rates', '1'] }, { path: ['rates'] }];
    assert.deepEqual(toLineFaults(lines, details), [
      { line: 4, field: 'rate' },
      { line: 4, field: 'line' },
    ]);
  });
});
