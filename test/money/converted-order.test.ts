// What the console says of an order in another currency is what the API says of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { exportedLists } from '../../server/views/exports/lists.ts';
import { anAffiliate, aRule } from '../support/builders.ts';
import { openTestService, type TestService } from '../support/harness.ts';

const root = join(import.meta.dirname, '..', '..');
/** Files of the console; their types need a browser's, which tests don't have. */
const load = (file: string) => import(join(root, 'web', file));
type Instance = {
  init(options: object): Promise<unknown>;
  addResourceBundle(language: string, namespace: string, texts: object): void;
  t(key: string, values: Record<string, unknown>): string;
};
const { default: i18next } = (await import('i18next' as string)) as { default: { createInstance(): Instance } };
type ToText = (value: number | string, ...others: unknown[]) => string;
type Refund = { amountCents: number; original: { amountCents: number; currency: string } | null };
type Explanation = { sentences: string[]; refunds: Refund[] };
type Say = Record<string, unknown>;
const { toSentences }: { toSentences: (explanation: Explanation, say: Say) => string[] } = await load(
  'console/conversions/order/sentences.ts',
);
const { formatDate, formatDay }: Record<'formatDate' | 'formatDay', ToText> = await load('ui/figures/dates.ts');
const { formatDecimal, formatMoney, formatPercent }: Record<'formatDecimal' | 'formatMoney' | 'formatPercent', ToText> =
  await load('ui/figures/format.ts');

let service: TestService;
let order: { id: string; amountCents: number };

before(async () => {
  service = await openTestService();
  await aRule(service, { name: 'Standard', rate: 10 });
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  await send('PATCH', '', { exchangeRateSource: 'uploaded' });
  await send('POST', '/exchange-rates', { rates: [{ currency: 'EUR', quotedOn: '2026-02-04', rate: '1.084213' }] });
  const report = { orderId: 'eur', affiliateId, amountCents: 123_456, currency: 'EUR', occurredAt: '2026-02-05T12:00:00Z' };
  const { status, body } = await service.request('POST', '/v1/conversions', { body: report });
  assert.equal(status, 201);
  order = body;
});
after(() => service.close());

const send = async (method: string, path: string, body: object) => {
  const answer = await service.request(method, `${service.program.path}${path}`, { body });
  assert.equal(answer.status, 200, answer.text);
};
const explain = async (): Promise<Explanation> => {
  const { body } = await service.request('GET', `${service.program.path}/conversions/${order.id}/explanation`);
  return body;
};

/** The texts and formats of the console. */
async function createSay(language: 'en' | 'de'): Promise<Say> {
  const instance = i18next.createInstance();
  await instance.init({ lng: language, ns: ['conversions'], defaultNS: 'conversions', interpolation: { escapeValue: false } });
  const catalogue = join(root, 'web', 'locales', language, 'conversions.json');
  instance.addResourceBundle(language, 'conversions', JSON.parse(readFileSync(catalogue, 'utf8')));
  return {
    t: (key: string, values: Record<string, unknown>) => instance.t(key, values),
    money: (cents: number, currency = 'USD') => formatMoney(cents, currency, language),
    percent: (rate: number) => formatPercent(rate, language),
    date: (instant: string) => formatDate(instant, { language, timezone: 'UTC' }),
    day: (dayOn: string) => formatDay(dayOn, language),
    decimal: (decimal: string) => formatDecimal(decimal, language),
  };
}

const [english, german] = [await createSay('en'), await createSay('de')];
const plain = (text: string | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('the explanation of a converted order', () => {
  test('begins with the same conversion in the console and in the API, in both languages', async () => {
    const explanation = await explain();
    const [first] = explanation.sentences;
    assert.equal(first, '€1,234.56 at 1.084213 (uploaded rate of 2026-02-04) = $1,338.53.');
    assert.equal(
      toSentences(explanation, { ...english, day: (dayOn: string) => dayOn })[0],
      first,
      'word for word but for the form of the day',
    );
    assert.equal(toSentences(explanation, english)[0], first.replace('2026-02-04', '4 Feb 2026'));
    assert.equal(
      plain(toSentences(explanation, german)[0]),
      '1.234,56 € zum Kurs 1,084213 (hochgeladener Kurs vom 4. Feb. 2026) = 1.338,53 $.',
    );
  });

  test('has its currency, amount and rate in the table of orders, and so in its export', async () => {
    const member = await service.asMember('viewer');
    const { body } = await member.request('GET', `/app/programs/${service.program.programId}/conversions`);
    const exchange = { currency: 'EUR', amountCents: 123_456, rate: '1.084213', quotedOn: '2026-02-04', rateSource: 'uploaded' };
    assert.deepEqual([body.orders[0].amountCents, body.orders[0].exchange], [133_853, exchange]);
    const names = exportedLists.conversions.columns.map(({ name }) => name).filter((name) => name.startsWith('exchange'));
    assert.deepEqual(names, ['exchangeCurrency', 'exchangeAmountCents', 'exchangeRate', 'exchangeQuotedOn', 'exchangeRateSource']);
  });

  test('has each refund in the currency of the order, with what it is in that of the program', async () => {
    const body = { refundId: 'r-1', orderId: 'eur', amountCents: 10_000, currency: 'EUR' };
    const refund = await service.request('POST', '/v1/refunds', { body });
    assert.equal(refund.status, 201, refund.text);
    const { refunds } = await explain();
    const shown = refunds.map(({ amountCents, original }) => ({ amountCents, original }));
    assert.deepEqual(shown, [{ amountCents: 10_842, original: { amountCents: 10_000, currency: 'EUR' } }]);
  });

  test('still begins with what was converted then after the order was increased', async () => {
    await send('POST', `/conversions/${order.id}/increase`, { increaseId: 'i-1', amountCents: 1001 });
    const explanation = await explain();
    const [first] = explanation.sentences;
    assert.match(first ?? '', /^€1,234\.56 at .* = \$1,338\.53\. What was added later is converted at the same rate\.$/);
    assert.equal(toSentences(explanation, { ...english, day: (dayOn: string) => dayOn })[0], first);
    assert.match(toSentences(explanation, german)[0] ?? '', /1\.338,53\s\$\. Was später hinzukam, ist zum selben Kurs umgerechnet\.$/);
  });
});
