// Which of PayPal's rejections and events are conclusive.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openRail, paymentTo, type Said, scripted } from '../../../test/support/rails/open-rail.ts';
import { payPalSecrets, payPalWebhookId } from '../../../test/support/rails/paypal.ts';
import { fixedClock } from '../../platform/lib/clock.ts';
import { getRailType } from './index.ts';
import { buildSenderItemId } from './paypal/item.ts';
import { BadSignature } from './rail.ts';

const clock = fixedClock(new Date());
const token = { 'POST /v1/oauth2/token': { status: 200, body: { access_token: 'A', expires_in: 900 } } };

function opened(answers: Record<string, Said>) {
  const { http, asked } = scripted({ ...token, ...answers });
  const config = { baseUrl: 'https://paypal.test', webhookId: payPalWebhookId };
  return { rail: openRail(getRailType('paypal'), { config, secrets: payPalSecrets, http, clock }), asked };
}

describe('a rail type', () => {
  test('declares what is conclusive: at PayPal, neither a rejected repeat nor a payment missing since yesterday', () => {
    const factsOf = (type: string) => {
      const { isRepeatedRejectionFinal, listDelayHours } = getRailType(type);
      return [isRepeatedRejectionFinal, listDelayHours];
    };
    assert.deepEqual(factsOf('paypal'), [false, 48]);
    for (const type of ['wise', 'stripe_connect', 'external_webhook', 'manual', 'csv']) assert.deepEqual(factsOf(type), [true, 1]);
  });
});

describe('a rejection by PayPal', () => {
  const payment = paymentTo({ method: 'paypal', email: 'mia@mail.example' });
  const posting = 'POST /v1/payments/payouts';
  const link = [{ href: 'https://api.paypal.com/v1/payments/payouts/FIRSTBATCH1', rel: 'self' }];
  const first = {
    batch_header: { payout_batch_id: 'FIRSTBATCH1', batch_status: 'PENDING', sender_batch_header: { sender_batch_id: payment.id } },
    items: [],
  };
  const answerTo = (status: number, body: object) =>
    opened({ [posting]: { status, body }, 'GET /v1/payments/payouts/FIRSTBATCH1': { status: 200, body: first } }).rail.send(payment);

  test('about our batch id, in any wording, shows that the batch exists', async () => {
    const details = [
      { field: 'SENDER_BATCH_ID', issue: 'Batch with given sender_batch_id already exists' },
      { field: 'sender_batch_header.sender_batch_id', issue: 'This value was used in the last 30 days.' },
      { issue: 'The Sender Batch ID is not unique' },
    ];
    for (const detail of details)
      for (const [status, name] of [
        [400, 'VALIDATION_ERROR'],
        [409, 'RESOURCE_CONFLICT'],
        [422, 'UNPROCESSABLE_ENTITY'],
      ] as const) {
        const sent = await answerTo(status, { name, details: [{ ...detail, link }] });
        assert.deepEqual(sent, { outcome: 'sent', reference: 'FIRSTBATCH1' }, `${status} ${JSON.stringify(detail)}`);
        assert.equal((await answerTo(status, { name, details: [detail] })).outcome, 'unknown');
      }
  });

  test('is not conclusive for USER_BUSINESS_ERROR', async () => {
    assert.equal((await answerTo(400, { name: 'USER_BUSINESS_ERROR', details: [] })).outcome, 'unknown');
    assert.equal((await answerTo(422, { name: 'INSUFFICIENT_FUNDS', details: [{ issue: 'not enough' }] })).outcome, 'failed');
  });
});

describe('an event from PayPal', () => {
  const payment = paymentTo({ method: 'paypal', email: 'mia@mail.example' });
  const read = async (secondsAgo: number, senderItem: string | null = buildSenderItemId(payment)) => {
    const { rail } = opened({
      'POST /v1/notifications/verify-webhook-signature': { status: 200, body: { verification_status: 'SUCCESS' } },
    });
    const item = { amount: { value: '12.50', currency: 'USD' }, sender_item_id: senderItem ?? undefined };
    const resource = {
      payout_batch_id: 'BATCH1',
      sender_batch_id: payment.id,
      transaction_status: 'SUCCESS',
      payout_item: item,
    };
    const headers = {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/c',
      'paypal-transmission-id': 'T-1',
      'paypal-transmission-sig': 's',
      'paypal-transmission-time': new Date(clock.now().getTime() - secondsAgo * 1000).toISOString(),
    };
    const body = Buffer.from(JSON.stringify({ id: 'WH-1', event_type: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED', resource }));
    const [event] = (await rail.readEvent?.({ headers, body })) ?? [];
    return event;
  };
  const isOld = (error: unknown) => error instanceof BadSignature && error.reason === 'old_timestamp';

  test('is accepted as long as PayPal repeats it, and never from the future', async () => {
    for (const seconds of [0, -300, 301, 3 * 86_400, 4 * 86_400]) assert.equal((await read(seconds))?.id, 'WH-1', String(seconds));
    await assert.rejects(read(4 * 86_400 + 1), isOld);
    await assert.rejects(read(-301), isOld);
  });

  test('identifies our payment only by an item id in our format', async () => {
    assert.equal((await read(0))?.about?.paymentId, payment.id);
    for (const other of [null, 'item-1', payment.id, `${buildSenderItemId(payment)}x`]) {
      const event = await read(0, other);
      assert.deepEqual([event?.about?.paymentId, event?.about?.reference], [null, 'BATCH1'], String(other));
    }
  });
});
