// Payouts in another currency than the program's: which rate they are converted at, that the amount is frozen, and that it is
// the same everywhere. The ledger stays in the currency of the program.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { anOrder } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { readPdfText } from '../../../../test/support/money/pdf-text.ts';
import { aSender, closeSender, type Sender } from '../../../../test/support/payees.ts';
import { getUsableProvider } from '../../../connections/providers/provider.ts';
import type { RailEvent } from '../../../connections/rails/rail.ts';
import { recordValues } from '../../../platform/db/recorded-values.ts';
import { transact } from '../../../platform/db/transact.ts';
import { chooseProvider } from '../choose-provider.ts';
import { sumDue } from '../due/find-due.ts';
import { applyProviderEvents } from '../send/apply-provider-events.ts';
import { followUp } from '../send/follow-up.ts';

let service: TestService;
let sender: Sender;
let program: TestProgram;
let send: Sender['send'];
let ada: { id: string };

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  sender = await aSender(service);
  ({ program, send, ada } = sender);
  await must('PATCH', '', { payoutCurrencies: ['EUR', 'JPY'] });
  await must('PATCH', `providers/${sender.providerId}`, { currencies: ['USD', 'EUR'] });
});
afterEach(() => closeSender(service, sender));

const must = async (method: string, path: string, body?: object) => {
  const url = path === '' ? program.path : `${program.path}/${path}`;
  const { status, body: answer, text } = await service.request(method, url, { key: program.key, body });
  assert.ok(status < 300, `${method} ${path}: ${text}`);
  return answer;
};
const today = (daysAgo = 0) => new Date(service.clock.now().getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const upload = (rate: string, { currency = 'EUR', daysAgo = 0 } = {}) =>
  must('POST', 'exchange-rates', { rates: [{ currency, quotedOn: today(daysAgo), rate }] });
const choose = (payoutCurrency: string | null) => send('PATCH', `affiliates/${ada.id}/payout-details`, { payoutCurrency });
/** Ada earns $100.00, which is payable. */
const earn = async () => {
  await anOrder(service, { affiliateId: ada.id, amountCents: 100_000 }, program);
  service.clock.advance({ days: 31 });
};
const dispatch = async () => (await must('POST', 'payouts/dispatch', {})).payouts[0];
const balance = async () => {
  const text = `select available_cents, in_transit_cents, paid_cents from ledger_balances where program_id = $1 and affiliate_id = $2`;
  const { rows } = await service.pool.query(text, [program.programId, ada.id]);
  return Object.values(rows[0]).map(Number);
};

const applyEvents = async (...events: RailEvent[]) => {
  const provider = await getUsableProvider(service.ctx, program.programId, sender.providerId);
  await applyProviderEvents(service.ctx, provider, events);
};

const exchange = { currency: 'EUR', amountCents: 9223, rate: '1.0842', rateSource: 'uploaded' };

describe('an affiliate', () => {
  test('can choose a currency that the program allows, which is audited and changes nothing else', async () => {
    assert.equal((await choose('EUR')).body.payoutCurrency, 'EUR');
    const rejected = await choose('GBP');
    assert.deepEqual(
      [rejected.status, rejected.body.details],
      [400, [{ path: ['payoutCurrency'], message: 'must be null or one of: EUR, JPY' }]],
    );
    assert.equal((await send('GET', `affiliates/${ada.id}/payout-details`)).body.payoutCurrency, 'EUR');
    const { auditEvents: entries } = await must('GET', 'audit-events?action=payout_details.currency_changed');
    assert.deepEqual([entries.length, entries[0].before, entries[0].after], [1, { payoutCurrency: null }, { payoutCurrency: 'EUR' }]);
  });

  test('with a bank account can only choose its currency, and has to choose again after an account in another one', async () => {
    const bank = { method: 'bank', holder: 'Ada', country: 'DE', currency: 'EUR', iban: 'DE89370400440532013000' };
    const set = (body: object) => must('POST', `affiliates/${ada.id}/payout-details`, body);
    await set(bank);
    const rejected = await choose('JPY');
    assert.equal(rejected.body.details[0].message, 'must be null or EUR, the currency of the bank account');
    await choose('EUR');
    assert.equal((await set({ ...bank, holder: 'Ada L' })).payoutCurrency, 'EUR');
    assert.equal((await set({ ...bank, currency: 'USD' })).payoutCurrency, null);
    assert.equal((await set({ method: 'external', account: `acct-${ada.id}` })).payoutCurrency, null);
  });

  test('can choose one only after payout details are set', async () => {
    await must('DELETE', `affiliates/${ada.id}/payout-details`);
    const rejected = await choose('EUR');
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'payout_details_missing']);
  });
});

test('the currency of the program is no other currency', async () => {
  const { status, body } = await service.request('PATCH', program.path, { key: program.key, body: { payoutCurrencies: ['EUR', 'USD'] } });
  assert.deepEqual(
    [status, body.details],
    [400, [{ path: ['payoutCurrencies', '1'], message: 'must not be USD, the currency of the program' }]],
  );
});

describe('a payout in another currency', () => {
  test('is converted once at the latest rate, and every attempt pays that amount', async () => {
    await choose('EUR');
    await earn();
    await upload('1.0842', { daysAgo: 2 });
    sender.rail.setMode((n) => (n === 0 ? 'fail_before' : 'pay'));
    const plan = await must('POST', 'payouts/dispatch', { dryRun: true });
    assert.deepEqual(plan.payouts[0].exchange, { ...exchange, quotedOn: today(2) });
    const payout = await dispatch();
    assert.deepEqual([payout.amountCents, payout.currency, payout.exchange], [10_000, 'USD', { ...exchange, quotedOn: today(2) }]);
    await service.drain();
    assert.equal((await send('GET', `payouts/${payout.id}`)).body.status, 'reconcile_required');
    await upload('2');
    service.clock.advance({ seconds: 3600 });
    await followUp(service.ctx, program.programId);
    assert.deepEqual(
      sender.rail.payments().map(({ paymentId, amountCents, currency }) => [paymentId, amountCents, currency]),
      [[payout.id, 9223, 'EUR']],
    );
    assert.deepEqual((await send('GET', `payouts/${payout.id}`)).body.exchange, { ...exchange, quotedOn: today(2) });
    assert.deepEqual(await balance(), [0, 0, 10_000]);
    assert.equal((await must('POST', 'payouts/reconcile', {})).isUnlocked, true);
    assert.equal((await must('GET', 'payouts/discrepancies')).total, 0);
  });

  test('that is returned is owed again in full, whatever the rate is by then', async () => {
    await choose('EUR');
    await earn();
    await upload('1.0842');
    const payout = await dispatch();
    await service.drain();
    await upload('1.5');
    sender.rail.returnPayment(payout.id);
    const returned = { outcome: 'returned' as const, reference: 'ret_1', reason: 'returned' };
    const about = { paymentId: payout.id, reference: null, outcome: returned, amountCents: 9223, currency: 'EUR' };
    await applyEvents({ id: 'ret', topic: 'returned', at: null, about });
    assert.equal((await send('GET', `payouts/${payout.id}`)).body.status, 'returned');
    assert.deepEqual(await balance(), [10_000, 0, 0]);
    service.clock.advance({ days: 1 });
    const next = await dispatch();
    assert.deepEqual([next.amountCents, next.exchange.amountCents], [10_000, 6667]);
  });

  test('locks payouts if the provider reports the amount of the program as paid', async () => {
    await choose('EUR');
    await earn();
    await upload('1.0842');
    sender.rail.setMode('take');
    const { id: paymentId } = await dispatch();
    const about = { paymentId, reference: 'ref', outcome: { outcome: 'paid' as const, reference: 'ref' } };
    const event = { id: 'e', topic: 'paid', at: null };
    await applyEvents({ ...event, about: { ...about, amountCents: 10_000, currency: 'USD' } });
    assert.equal((await must('GET', 'payouts/reconciliation')).lockReason, 'provider_amount_mismatch');
    await applyEvents({ ...event, about: { ...about, amountCents: 9223, currency: 'EUR' } });
    assert.equal((await send('GET', `payouts/${paymentId}`)).body.status, 'paid');
  });

  test('that a restored database does not know is recorded at the latest rate', async () => {
    await earn();
    await upload('1.0842');
    const [id, payoutId] = [service.ctx.ids.uuid(), service.ctx.ids.uuid()];
    await service.pool.query(
      `insert into payout_discrepancies (program_id, id, provider_id, kind, reference, payout_id, affiliate_id, amount_cents, currency, created_at)
       values ($1, $2, $3, 'unknown_payment', 'ext_1', $4, $5, 9223, 'EUR', $6)`,
      [program.programId, id, sender.providerId, payoutId, ada.id, service.clock.now()],
    );
    await transact(service.ctx, (tx) => recordValues(tx, 'payout_discrepancies', program.programId, [id]));
    service.clock.advance({ seconds: 60 });
    await must('POST', `payouts/discrepancies/${id}/resolve`, { note: 'Restored', affiliateId: ada.id });
    const payout = await must('GET', `payouts/${payoutId}`);
    assert.deepEqual([payout.amountCents, payout.exchange, payout.status], [10_000, { ...exchange, quotedOn: today() }, 'paid']);
  });
});

describe('an affiliate is skipped with a reason', () => {
  const reasonOf = async () => {
    const { body } = await send('GET', 'payouts/due');
    const sums = await sumDue(service.ctx, program.programId, await chooseProvider(service.ctx, program.programId, undefined));
    assert.equal(sums.affiliates, body.due.length, 'the schedule expects the same');
    return body.skipped[0]?.reason ?? null;
  };

  test('without a rate of the last 7 days, and paid once one is stored', async () => {
    await choose('EUR');
    await earn();
    await upload('1.0842', { daysAgo: 8 });
    assert.equal(await reasonOf(), 'exchange_rate_missing');
    assert.equal((await send('POST', 'payouts/dispatch', {})).body.code, 'nothing_due');
    await upload('1.09', { daysAgo: 7 });
    assert.equal(await reasonOf(), null);
    assert.equal((await dispatch()).exchange.rate, '1.09');
  });

  test('while the program or the provider does not pay in the currency', async () => {
    await choose('JPY');
    await earn();
    await upload('0.0065', { currency: 'JPY' });
    assert.equal(await reasonOf(), 'currency_unavailable', 'the provider is not used for JPY');
    await must('PATCH', `providers/${sender.providerId}`, { currencies: ['USD', 'JPY'] });
    assert.equal(await reasonOf(), null);
    await must('PATCH', '', { payoutCurrencies: [] });
    assert.equal(await reasonOf(), 'currency_unavailable', 'the program allows none');
    await choose(null);
    assert.equal((await dispatch()).exchange, null);
  });

  test('while the amount is worth less than half of the smallest unit, or too large', async () => {
    await choose('EUR');
    await must('PATCH', '', { minimumPayoutCents: 0 });
    await earn();
    await upload('100000');
    assert.equal(await reasonOf(), 'below_minimum');
    await upload('0.000000000001');
    assert.equal(await reasonOf(), 'amount_too_large');
    await upload('20000');
    assert.equal((await dispatch()).exchange.amountCents, 1, 'half a cent is rounded up');
  });
});

describe('documents about a payout in another currency', () => {
  test('show both amounts and the rate: the receipt in both languages, the email and the file for the bank', async () => {
    const body = { type: 'csv', name: 'Bank', currencies: ['USD', 'EUR'], config: { payerIban: 'DE89370400440532013000' } };
    const provider = await must('POST', 'providers', body);
    const bank = { method: 'bank', holder: 'Ada', country: 'DE', currency: 'EUR', iban: 'DE89370400440532013000' };
    await must('POST', `affiliates/${ada.id}/payout-details`, bank);
    assert.equal((await choose('EUR')).status, 200);
    await earn();
    await upload('1.0842');
    const { batch, payouts } = await must('POST', 'payouts/dispatch', { providerId: provider.id });
    const file = async (format: string) =>
      (await service.request('POST', `${program.path}/payouts/batches/${batch.id}/export`, { key: program.key, body: { format } })).text;
    assert.match(await file('sepa'), /<InstdAmt Ccy="EUR">92\.23<\/InstdAmt>/);
    assert.match(await file('generic_csv'), /,92\.23,EUR,bank,DE89370400440532013000/);
    assert.match(await file('wise_csv'), /,target,92\.23,EUR,EUR,DE89/);
    const { id } = payouts[0];
    await must('POST', `payouts/${id}/mark-paid`, {});
    const receipt = await must('GET', `payout-receipts/${id}`);
    assert.deepEqual([receipt.amountCents, receipt.exchange.amountCents, receipt.exchange.currency], [10_000, 9223, 'EUR']);
    for (const [language, parts] of [
      ['en', ['€92.23', 'Converted from', `$100.00, 1 EUR = 1.0842 USD, ${today()}`]],
      ['de', ['92,23 €', 'Umgerechnet aus', `100,00 $, 1 EUR = 1,0842 USD, ${today()}`]],
    ] as const) {
      const text = await readReceiptPdf(id, language);
      for (const part of parts) assert.ok(text.includes(part), `${part} in ${text}`);
    }
    while ((await service.drain()) > 0);
    const isOurs = (mail: { subject: string; text: string }) => mail.subject.includes('€92.23') && mail.text.includes(program.programId);
    const mail = service.mails.find(isOurs) ?? assert.fail('no email');
    assert.match(mail.text, new RegExp(`€92\\.23 \\(\\$100\\.00, 1 EUR = 1\\.0842 USD, ${today()}\\)`));
  });

  const readReceiptPdf = async (id: string, language: string) => {
    const headers = { authorization: `Bearer ${program.key}` };
    const url = `${program.path}/payout-receipts/${id}?format=pdf&language=${language}`;
    const { rawPayload } = await service.app.inject({ url, headers });
    return readPdfText(rawPayload).join(' ').replaceAll('\u00a0', ' ');
  };
});
