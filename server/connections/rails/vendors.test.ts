// Behaviour of single providers, from their documentation.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import Stripe from 'stripe';
import { externalSecret } from '../../../test/support/rails/external.ts';
import { type Opening, openRail as openRailWith, paymentTo } from '../../../test/support/rails/open-rail.ts';
import { payPalSecrets, payPalWebhookId, startPayPalSimulator } from '../../../test/support/rails/paypal.ts';
import type { Simulator } from '../../../test/support/rails/simulator.ts';
import { startStripeSimulator, stripeSecrets } from '../../../test/support/rails/stripe.ts';
import { startWiseSimulator, wiseProfile, wiseRecipient, wiseSecrets } from '../../../test/support/rails/wise.ts';
import { createOutgoingHttp } from '../../platform/http/outgoing/outgoing.ts';
import { fixedClock } from '../../platform/lib/clock.ts';
import { changeDecimals, fromDecimal, toDecimal } from '../../platform/lib/currency.ts';
import { HttpFailure } from '../../platform/lib/http.ts';
import { getRailType } from './index.ts';
import { buildSenderItemId, parseSenderItemId } from './paypal/item.ts';
import type { RailType } from './rail.ts';
import { signedHeaders, verifySignature } from './standard-webhooks.ts';

const http = createOutgoingHttp({ allowPrivate: true });
const simulators: Simulator[] = [];
after(() => Promise.all([http.close(), ...simulators.map((simulator) => simulator.close())]));

function closing<Started extends Simulator>(simulator: Started): Started {
  simulators.push(simulator);
  return simulator;
}

const clock = fixedClock(new Date());

const openRail = (type: RailType, config: Record<string, unknown>, secrets: Record<string, string>, way: Opening['http'] = http) =>
  openRailWith(type, { config, secrets, http: way, clock });

describe('amounts as decimal texts', () => {
  test('are parsed to the same amount, for every number of decimals', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }),
        fc.constantFrom('JPY', 'USD', 'KWD', 'CLF'),
        (cents, currency) => {
          assert.equal(fromDecimal(toDecimal(cents, currency), currency), cents);
          // Wise takes and gives JSON numbers.
          assert.equal(fromDecimal(JSON.parse(JSON.stringify(Number(toDecimal(cents, currency)))), currency), cents);
        },
      ),
    );
    assert.deepEqual(
      [toDecimal(1250, 'USD'), toDecimal(1250, 'JPY'), toDecimal(1250, 'KWD'), toDecimal(5, 'USD')],
      ['12.50', '1250', '1.250', '0.05'],
    );
  });

  test('are null for fractions of a unit, and for texts without a number', () => {
    for (const text of ['1.005', '1e3', '', ' 1', '1,00', '.5', '1.', 'NaN', '99999999999999999', null, {}])
      assert.equal(fromDecimal(text, 'USD'), null);
    assert.deepEqual([fromDecimal('12.500', 'USD'), fromDecimal('12.5', 'USD'), fromDecimal('12.00', 'JPY')], [1250, 1250, 12]);
    assert.deepEqual([changeDecimals(1250, 2, 0), changeDecimals(1200, 2, 0), changeDecimals(12, 0, 2)], [null, 12, 1200]);
  });
});

describe('Standard Webhooks', () => {
  test('creates the published signature of the published message', () => {
    const [id, body, at] = ['msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', new Date(1_614_265_330_000)];
    const headers = signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', id, at, body);
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    const several = { ...headers, 'webhook-signature': `v1a,x v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}` };
    assert.equal(
      verifySignature({ headers: several, body: Buffer.from(body) }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', fixedClock(at)).id,
      id,
    );
  });
});

describe('an external provider', () => {
  const to = { method: 'external', account: 'acct-99887766' } as const;
  const answerTo = async (status: number, body: unknown) => {
    const way = async () => ({ status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) });
    return openRail(getRailType('external_webhook'), { url: 'https://rail.test/pay' }, { signingSecret: externalSecret }, way).send(
      paymentTo(to),
    );
  };

  test('rejects only with a body, and pays only with a success status', async () => {
    const cases: [number, unknown, string][] = [
      [200, { status: 'failed' }, 'failed'],
      [409, { status: 'failed' }, 'failed'],
      [404, { status: 'failed' }, 'failed'],
      [503, { status: 'failed' }, 'unknown'],
      [404, '<html>no such page</html>', 'unknown'],
      [404, { status: 'not_found' }, 'unknown'],
      [409, { status: 'paid' }, 'unknown'],
      [302, '', 'unknown'],
      [200, { status: 'done' }, 'unknown'],
      [200, [], 'unknown'],
      [200, { status: 'paid', amountCents: '1250', currency: 'USD' }, 'unknown'],
      [200, { status: 'paid', amountCents: 1250, currency: 'EUR' }, 'unknown'],
      [202, { status: 'sent' }, 'sent'],
    ];
    for (const [status, body, outcome] of cases)
      assert.equal((await answerTo(status, body)).outcome, outcome, `${status} ${JSON.stringify(body)}`);
  });

  test('cannot make Tributary reveal an account', async () => {
    const account = 'acct-99887766';
    const texts = { code: `closed.${account}`, reason: `${account} is closed`, reference: `ref:${account.toUpperCase()}` };
    for (const status of ['failed', 'paid', 'sent', 'returned']) {
      assert.ok(!/99887766/.test(JSON.stringify(await answerTo(200, { status, ...texts }))), status);
    }
  });
});

describe('PayPal', () => {
  const settings = (baseUrl: string) => [{ baseUrl, webhookId: payPalWebhookId }, payPalSecrets] as const;
  const to = { method: 'paypal', email: 'mia@mail.example' } as const;

  test('is called with one token, and with a new one when it was revoked', async () => {
    const simulator = closing(await startPayPalSimulator({ now: clock.now }));
    const rail = openRail(getRailType('paypal'), ...settings(simulator.url));
    await Promise.all([rail.send(paymentTo(to)), rail.send(paymentTo(to))]);
    assert.equal(simulator.tokens(), 1);
    simulator.revokeTokens();
    assert.equal((await rail.send(paymentTo(to))).outcome, 'sent');
    clock.advance({ seconds: 32_400 });
    assert.equal((await rail.send(paymentTo(to))).outcome, 'sent');
    assert.deepEqual([simulator.tokens(), simulator.payments().length], [3, 4]);
  });

  test('reports a repeat as a duplicate, with or without a link', async () => {
    for (const link of [true, false]) {
      const simulator = closing(await startPayPalSimulator({ now: clock.now, link }));
      const rail = openRail(getRailType('paypal'), ...settings(simulator.url));
      const payment = paymentTo(to);
      await rail.send(payment);
      assert.equal((await rail.send(payment)).outcome, link ? 'paid' : 'unknown');
      assert.equal(simulator.payments().length, 1);
    }
  });

  test('stores both ids in the 63 characters of an item id, and rejects fractions of a forint', async () => {
    const payment = paymentTo(to, { currency: 'HUF', amountCents: 125_050 });
    assert.deepEqual(parseSenderItemId(buildSenderItemId(payment)), { paymentId: payment.id, affiliateId: payment.affiliateId });
    assert.ok(buildSenderItemId(payment).length <= 63);
    const rail = openRail(getRailType('paypal'), ...settings('http://127.0.0.1:1'));
    const answer = await rail.send(payment);
    assert.deepEqual([answer.outcome, 'code' in answer && answer.code], ['failed', 'amount_not_payable']);
  });

  test('does not receive its token at an address from a link', async () => {
    const urls: string[] = [];
    const evil = {
      name: 'USER_BUSINESS_ERROR',
      details: [
        { field: 'SENDER_BATCH_ID', issue: 'already exists', link: [{ href: 'https://evil.example/v1/payments/payouts/ABCDEFG' }] },
      ],
    };
    const rail = openRail(getRailType('paypal'), ...settings('https://paypal.test'), async ({ url }) => {
      urls.push(new URL(url).host);
      const isToken = url.endsWith('/token');
      return { status: isToken ? 200 : 400, headers: {}, body: JSON.stringify(isToken ? { access_token: 'A', expires_in: 900 } : evil) };
    });
    assert.equal((await rail.send(paymentTo(to))).outcome, 'unknown');
    assert.deepEqual([...new Set(urls)], ['paypal.test']);
  });
});

describe('Stripe', () => {
  const to = { method: 'stripe', accountId: 'acct_1032D82eZvKYlo2C' } as const;
  const secrets = stripeSecrets;

  test('returns unknown for a known key with different details', async () => {
    const simulator = closing(await startStripeSimulator({ now: clock.now }));
    const rail = openRail(getRailType('stripe_connect'), { baseUrl: simulator.url }, secrets);
    const payment = paymentTo(to);
    await rail.send(payment);
    assert.equal((await rail.send({ ...payment, amountCents: 1 })).outcome, 'unknown');
  });

  test('has different smallest units in some currencies', async () => {
    const amounts: unknown[] = [];
    const rail = openRail(getRailType('stripe_connect'), {}, secrets, async ({ body }) => {
      amounts.push(new URLSearchParams(body).get('amount'));
      throw new HttpFailure('x', { mayHaveArrived: true });
    });
    for (const [currency, amountCents] of [
      ['UGX', 5],
      ['ISK', 7],
      ['JPY', 5],
      ['MGA', 500],
      ['KWD', 5120],
    ] as const)
      await rail.send(paymentTo(to, { currency, amountCents }));
    assert.deepEqual(amounts, ['500', '700', '5', '5', '5120']);
    const odd = await rail.send(paymentTo(to, { currency: 'KWD', amountCents: 5124 }));
    assert.equal(odd.outcome, 'failed');
  });

  test('has the documented errors', async () => {
    const errors = [
      [400, 'invalid_request_error', 'account_invalid', 'failed'],
      [402, 'card_error', 'card_declined', 'failed'],
      [409, 'invalid_request_error', 'idempotency_key_in_use', 'unknown'],
      [429, 'invalid_request_error', 'lock_timeout', 'retry_later'],
      [403, 'invalid_request_error', 'platform_account_required', 'retry_later'],
      [403, 'invalid_request_error', 'account_invalid', 'failed'],
      [500, 'api_error', null, 'unknown'],
      [408, 'api_error', null, 'unknown'],
    ] as const;
    for (const [status, type, code, outcome] of errors) {
      const body = JSON.stringify({ error: { type, code, message: `about ${to.accountId}` } });
      const rail = openRail(getRailType('stripe_connect'), {}, secrets, async () => ({ status, headers: {}, body }));
      const answer = await rail.send(paymentTo(to));
      assert.equal(answer.outcome, outcome, `${status} ${code}`);
      assert.ok(!JSON.stringify(answer).includes(to.accountId));
    }
  });

  test('has events that its own library signs', async () => {
    const rail = openRail(getRailType('stripe_connect'), {}, secrets);
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'account.updated', created: 1, data: { object: {} } });
    const timestamp = Math.floor(clock.now().getTime() / 1000);
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: secrets.webhookSecret, timestamp });
    const read = await rail.readEvent?.({ headers: { 'stripe-signature': header }, body: Buffer.from(payload) });
    assert.deepEqual(
      read?.map(({ id, about }) => [id, about]),
      [['evt_1', null]],
    );
  });
});

describe('Wise', () => {
  const config = (baseUrl: string) => ({ baseUrl, profileId: wiseProfile });

  test('pays an existing recipient in the recipient’s currency only', async () => {
    const simulator = closing(await startWiseSimulator({ now: clock.now }));
    const rail = openRail(getRailType('wise'), config(simulator.url), wiseSecrets);
    const to = { method: 'wise', recipientId: String(wiseRecipient.id) } as const;
    assert.equal((await rail.send(paymentTo(to))).outcome, 'sent');
    const other = await rail.send(paymentTo(to, { currency: 'EUR' }));
    assert.deepEqual([other.outcome, 'code' in other && other.code], ['failed', 'other_currency']);
    const gone = await rail.send(paymentTo({ ...to, recipientId: '1' }));
    assert.deepEqual([gone.outcome, simulator.payments().length], ['failed', 1]);
  });

  test('does not report a rejection if an earlier call may have paid', async () => {
    const simulator = closing(await startWiseSimulator({ now: clock.now }));
    const rail = openRail(getRailType('wise'), config(simulator.url), wiseSecrets);
    const payment = paymentTo({ method: 'wise', recipientId: String(wiseRecipient.id) });
    simulator.setMode('fail_after');
    assert.equal((await rail.send(payment)).outcome, 'unknown');
    const vanished = { ...payment, destination: { method: 'wise', recipientId: '1' } as const };
    assert.equal((await rail.send(vanished)).outcome, 'paid');
  });

  test('accepts only a public key to verify events', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const webhookPublicKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    assert.ok(getRailType('wise').config.safeParse({ profileId: '1', webhookPublicKey }).error);
    assert.equal(openRail(getRailType('wise'), { profileId: '1' }, wiseSecrets).readEvent, null);
  });
});

test('manual payouts are never sent', async () => {
  for (const type of [getRailType('manual'), getRailType('csv')]) {
    const rail = openRail(type, {}, {});
    await assert.rejects(rail.send(paymentTo({ method: 'paypal', email: 'mia@mail.example' })));
    assert.deepEqual(
      [type.isAutomatic, type.keyWindowHours, rail.list, rail.readEvent, (await rail.test()).works],
      [false, null, null, null, true],
    );
  }
});
