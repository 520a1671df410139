// Transfers that an earlier attempt left at Wise, and statuses that are not final.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openRail, paymentTo, type Said, scripted } from '../../../test/support/rails/open-rail.ts';
import { wiseProfile, wiseSecrets } from '../../../test/support/rails/wise.ts';
import { fixedClock } from '../../platform/lib/clock.ts';
import { getRailType } from './index.ts';
import type { Payment } from './rail.ts';
import { toRailPayment, toStatusOutcome } from './wise/transfer.ts';

const clock = fixedClock(new Date());

function opened(answers: Record<string, Said>) {
  const { http, asked } = scripted(answers);
  const rail = openRail(getRailType('wise'), { config: { profileId: wiseProfile }, secrets: wiseSecrets, http, clock });
  return { rail, asked };
}

const transferOf = ({ id }: Payment, number: number, status: string) => ({
  id: number,
  status,
  customerTransactionId: id,
  created: '2026-03-01 12:00:00',
  sourceCurrency: 'USD',
  targetCurrency: 'USD',
  targetValue: 12.5,
});

describe('a status of Wise', () => {
  test('is final only if the money was refunded: a bounced transfer is sent again', () => {
    const outcomeOf = (state: string) => toStatusOutcome(state, '1').outcome;
    assert.deepEqual(['bounced_back', 'funds_refunded', 'charged_back', 'processing'].map(outcomeOf), [
      'sent',
      'returned',
      'returned',
      'sent',
    ]);
    const payment = paymentTo({ method: 'wise', recipientId: '1' });
    assert.equal(toRailPayment(transferOf(payment, 1, 'bounced_back'))?.state, 'sent');
  });
});

describe('a transfer from an earlier attempt', () => {
  const payment = paymentTo({ method: 'wise', recipientId: '41' });
  const waiting = transferOf(payment, 7, 'incoming_payment_waiting');
  const account = { 'GET /v1/accounts/41': { status: 200, body: { id: 41, currency: 'USD' } } };
  const quotes = `POST /v3/profiles/${wiseProfile}/quotes`;
  const quote = { [quotes]: { status: 200, body: { id: 'q' } } };
  const rejection = { status: 422, body: { errors: [{ code: 'not.today' }] } };
  const rejections: Record<string, Record<string, Said>> = {
    recipient: { 'GET /v1/accounts/41': { status: 404, body: { errors: [{ code: 'not.today' }] } } },
    quote: { ...account, [quotes]: rejection },
    transfer: { ...account, ...quote, 'POST /v1/transfers': rejection },
  };
  const cancel = 'PUT /v1/transfers/7/cancel';
  const cancelled = { [cancel]: { status: 200, body: { ...waiting, status: 'cancelled' } } };
  const records = (...transfers: object[]) => ({ 'GET /v1/transfers': { status: 200, body: transfers } });

  for (const [step, rejected] of Object.entries(rejections)) {
    test(`is cancelled before a rejected ${step} counts: its funding may be in progress`, async () => {
      const { rail, asked } = opened({ ...rejected, ...records(waiting), ...cancelled });
      assert.deepEqual(await rail.send(payment), {
        outcome: 'failed',
        code: 'not.today',
        reason: 'Wise rejected the payment: not.today.',
        reference: '7',
      });
      assert.equal(asked.at(-1)?.what, cancel);
    });
  }

  test('makes the rejection unknown if it cannot be cancelled, or may be another', async () => {
    const outcomeOf = async (answers: Record<string, Said>) =>
      (await opened({ ...rejections.quote, ...answers }).rail.send(payment)).outcome;
    assert.equal(await outcomeOf({ ...records(waiting), [cancel]: rejection }), 'unknown');
    assert.equal(
      await outcomeOf({ ...records(waiting), [cancel]: { status: 200, body: { ...waiting, status: 'processing' } } }),
      'unknown',
    );
    assert.equal(await outcomeOf({ ...records(waiting), [cancel]: { status: 429, body: {} } }), 'unknown');
    assert.equal(await outcomeOf({ ...records({ ...waiting, targetValue: 99 }), ...cancelled }), 'unknown');
    assert.equal(await outcomeOf({ ...records(waiting, { ...waiting, id: 8 }), ...cancelled }), 'unknown');
    assert.equal(await outcomeOf({ 'GET /v1/transfers': { status: 500, body: {} }, ...cancelled }), 'unknown');
    assert.equal(await outcomeOf(records(waiting, transferOf(payment, 8, 'processing'))), 'sent');
    assert.equal(await outcomeOf(records()), 'failed');
  });

  test('is preferred to a cancelled one', async () => {
    const found = async (...states: string[]) =>
      (await opened(records(...states.map((state, n) => transferOf(payment, n + 1, state)))).rail.lookUp(payment, null)).outcome;
    assert.equal(await found('cancelled', 'outgoing_payment_sent'), 'paid');
    assert.equal(await found('cancelled', 'incoming_payment_waiting'), 'not_found');
    assert.equal(await found('incoming_payment_waiting', 'cancelled', 'processing'), 'sent');
    assert.equal(await found('cancelled'), 'failed');
  });
});

describe('a recipient in the US', () => {
  test('is created with the field names of Wise and the address of the holder', async () => {
    const { rail, asked } = opened({ 'GET /v1/transfers': { status: 200, body: [] } });
    const numbers = { routingNumber: '021000021', accountNumber: '12345678', accountType: 'checking' };
    const where = { addressFirstLine: '12 Elm St', addressCity: 'Salem', addressState: 'MA', addressPostCode: '01970' };
    const bank = { method: 'bank', holder: 'Mia', country: 'US', currency: 'USD' } as const;
    await rail.send(paymentTo({ ...bank, fields: { ...numbers, ...where } }));
    await rail.send(paymentTo({ ...bank, fields: { ...numbers, ...where, addressCountry: 'CA' } }));
    const address = { country: 'US', firstLine: '12 Elm St', city: 'Salem', state: 'MA', postCode: '01970' };
    const details = { legalType: 'PRIVATE', abartn: '021000021', accountNumber: '12345678', accountType: 'CHECKING' };
    const account = { currency: 'USD', type: 'aba', profile: Number(wiseProfile), accountHolderName: 'Mia' };
    assert.deepEqual(
      asked.filter(({ what }) => what === 'POST /v1/accounts').map(({ body }) => JSON.parse(body)),
      ['US', 'CA'].map((country) => ({ ...account, details: { ...details, address: { ...address, country } } })),
    );
  });
});
