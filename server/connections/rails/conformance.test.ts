// The guarantees of every automatic rail: a payment is sent once, unclear responses are unknown, nothing private leaks.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Mode, shuffled } from '../../../test/support/rails/faults.ts';
import type { Simulator } from '../../../test/support/rails/simulator.ts';
import { type Subject, subjects } from '../../../test/support/rails/subjects.ts';
import { createOutgoingHttp } from '../../platform/http/outgoing/outgoing.ts';
import { fixedClock } from '../../platform/lib/clock.ts';
import { randomIds } from '../../platform/lib/ids.ts';
import { BadSignature, type Delivery, type Outcome, type Payment, type Rail, type RailPayment } from './rail.ts';

/** How long a provider that never responds is waited for, and every other, which a slow machine delays. */
const [hangMs, patientMs] = [400, 30_000];
const http = createOutgoingHttp({ allowPrivate: true });
after(() => http.close());

for (const subject of subjects) {
  describe(`the rail ${subject.name ?? subject.type.type}`, () => {
    const told: unknown[] = [];
    let timeoutMs = patientMs;
    let clock: ReturnType<typeof fixedClock>;
    let simulator: Simulator;
    let rail: Rail;

    const open = (settings = subject.settings(simulator.url)): Rail => {
      const config = subject.type.config.parse(settings.config);
      const secrets = subject.type.secrets.parse(settings.secrets);
      const timed = (request: Parameters<typeof http>[0]) => http({ ...request, timeoutMs });
      return noting(subject.type.open({ config, secrets, http: timed, clock, eventsUrl: 'https://api.test/events' }), told);
    };
    const sendUnder = async (mode: Mode, payment: Payment) => {
      simulator.setMode(mode);
      timeoutMs = mode === 'pay_then_hang' || mode === 'hang_then_pay' ? hangMs : patientMs;
      const answer = await rail.send(payment);
      timeoutMs = patientMs;
      simulator.setMode('pay');
      return answer;
    };
    const paidTimes = ({ id }: Payment) => simulator.payments().filter(({ paymentId }) => paymentId === id).length;

    before(() => {
      clock = fixedClock(new Date());
    });
    beforeEach(async () => {
      await simulator?.close();
      simulator = await subject.start(clock.now);
      rail = open();
    });
    after(() => simulator.close());

    test('pays once, however often it is called with one id', async () => {
      const payment = paymentOf(subject);
      const answers = await Promise.all([rail.send(payment), rail.send(payment), rail.send(payment)]);
      for (let n = 0; n < 3; n += 1) answers.push(await rail.send(payment));
      for (const { outcome } of answers) assert.ok(['paid', 'sent'].includes(outcome), outcome);
      assert.equal(paidTimes(payment), 1);
      assert.equal((await rail.lookUp(payment, null)).outcome, 'paid');
      const [first] = answers;
      assert.ok(first && 'reference' in first && first.reference);
      assert.equal((await rail.lookUp(payment, first.reference)).outcome, 'paid');
    });

    test('accepts a payment, and reports later that it was paid', async () => {
      const payment = paymentOf(subject);
      await sendUnder('take', payment);
      simulator.settle();
      assert.equal((await rail.lookUp(payment, null)).outcome, 'paid');
      assert.equal(paidTimes(payment), 1);
    });

    for (const mode of ['pay_then_hang', 'fail_after', 'reset_after', 'garbage', 'fail_before', 'reset_before', 'hang_then_pay'] as const) {
      test(`returns unknown after ${mode}, until it looks the payment up; sending again pays once in all`, async () => {
        const payment = paymentOf(subject);
        assert.equal((await sendUnder(mode, payment)).outcome, 'unknown');
        const wasPaid = paidTimes(payment) === 1;
        assert.equal((await rail.lookUp(payment, null)).outcome, wasPaid ? 'paid' : 'not_found');
        await rail.send(payment);
        simulator.settle();
        assert.equal((await rail.lookUp(payment, null)).outcome, 'paid');
        assert.equal(paidTimes(payment), 1);
      });
    }

    test('finds a payment after its idempotency key expired', async () => {
      const payment = paymentOf(subject);
      await sendUnder('pay_then_hang', payment);
      simulator.forgetKeys();
      assert.equal((await rail.lookUp(payment, null)).outcome, 'paid');
    });

    test('accepts slow responses', async () => {
      const payment = paymentOf(subject);
      assert.ok(['paid', 'sent'].includes((await sendUnder('slow', payment)).outcome));
      assert.equal(paidTimes(payment), 1);
    });

    test('returns a rejection with its code, and nothing is paid', async () => {
      const payment = paymentOf(subject);
      const answer = await sendUnder('reject', payment);
      assert.equal(answer.outcome, 'failed');
      assert.match('code' in answer ? answer.code : '', /^[a-z][a-z0-9_.-]+$/);
      assert.ok(['failed', 'not_found'].includes((await rail.lookUp(payment, null)).outcome));
      assert.equal(simulator.payments().length, 0);
    });

    test('waits as long as a rate limit requires', async () => {
      const answer = await sendUnder('rate_limit', paymentOf(subject));
      assert.deepEqual([answer.outcome, 'retryAfterSeconds' in answer && answer.retryAfterSeconds], ['retry_later', 7]);
      assert.equal(simulator.payments().length, 0);
    });

    test('waits if the provider is unreachable; a look-up is then unknown', async () => {
      const unreachable = open(subject.settings('http://127.0.0.1:1'));
      const payment = paymentOf(subject);
      const answer = await unreachable.send(payment);
      assert.deepEqual([answer.outcome, 'retryAfterSeconds' in answer && answer.retryAfterSeconds], ['retry_later', 30]);
      assert.equal((await unreachable.lookUp(payment, null)).outcome, 'unknown');
      assert.equal((await unreachable.lookUp(payment, 'reference')).outcome, 'unknown');
      await assert.rejects(() => listAllPayments(unreachable));
      assert.equal((await unreachable.test()).works, false);
    });

    test('waits if its credentials are rejected, and nothing is paid', async () => {
      const stranger = open({ ...subject.settings(simulator.url), secrets: subject.wrongSecrets });
      const answer = await stranger.send(paymentOf(subject));
      assert.deepEqual([answer.outcome, 'retryAfterSeconds' in answer && answer.retryAfterSeconds], ['retry_later', 300]);
      assert.equal((await stranger.lookUp(paymentOf(subject), null)).outcome, 'unknown');
      assert.equal((await stranger.test()).works, false);
      assert.equal((await rail.test()).works, true);
      assert.equal(simulator.payments().length, 0);
    });

    test('does not accept a different amount', async () => {
      const payment = paymentOf(subject);
      const answer = await sendUnder('wrong_amount', payment);
      assert.ok(['unknown', 'sent'].includes(answer.outcome), answer.outcome);
      assert.equal((await rail.lookUp(payment, null)).outcome, 'unknown');
      assert.equal((await rail.lookUp(payment, referenceIn(answer))).outcome, 'unknown');
    });

    test('does not accept a different payment', async () => {
      const [one, other] = [paymentOf(subject), paymentOf(subject)];
      const answer = await rail.send(one);
      const found = await rail.lookUp(other, referenceIn(answer));
      assert.ok(['unknown', 'not_found'].includes(found.outcome), found.outcome);
    });

    test('reports a returned payment', async () => {
      const payment = paymentOf(subject);
      await rail.send(payment);
      simulator.returnPayment(payment.id);
      assert.equal((await rail.lookUp(payment, null)).outcome, 'returned');
    });

    test('pays exact amounts in currencies with 0, 2 and 3 decimals', async () => {
      for (const [currency, amountCents] of [
        ['JPY', 1],
        ['JPY', 1_234_567],
        ['USD', 7],
        ['USD', 99_999_999_999],
        ['KWD', 10],
        ['KWD', 1_234_560],
      ] as const) {
        const payment = paymentOf(subject, { currency, amountCents });
        await rail.send(payment);
        const [row] = simulator.payments().filter(({ paymentId }) => paymentId === payment.id);
        assert.deepEqual([row?.amountCents, row?.currency], [amountCents, currency]);
        assert.equal((await rail.lookUp(payment, null)).outcome, 'paid', currency);
      }
    });

    test('lists all payments in a time span, and no others', async () => {
      const payments = Array.from({ length: 5 }, () => paymentOf(subject));
      const references: unknown[] = [];
      for (const payment of payments) references.push(referenceIn(await rail.send(payment)));
      const records = await listAllPayments(rail, clock.now());
      assert.ok(!references.includes(null));
      assert.equal(
        records.every(({ reference }) => references.includes(reference)),
        subject.type.listsByReference,
      );
      assert.deepEqual(records.map(({ paymentId }) => paymentId).sort(), payments.map(({ id }) => id).sort());
      for (const { paymentId, affiliateId, amountCents, currency, state } of records) {
        const payment = payments.find(({ id }) => id === paymentId);
        assert.equal(affiliateId, subject.keepsAffiliate ? payment?.affiliateId : null);
        assert.deepEqual([amountCents, currency, state], [payment?.amountCents, 'USD', 'paid']);
      }
      assert.deepEqual(await listAllPayments(rail, new Date(clock.now().getTime() - 10 * 86_400_000)), []);
    });

    test('reads its events, and identifies repeats by their id', async () => {
      const payment = paymentOf(subject);
      await rail.send(payment);
      simulator.returnPayment(payment.id);
      const ids = new Set<string>();
      const outcomes = new Set<string>();
      const deliveries = [...shuffled(await simulator.events(), { times: 3 }), ...(await simulator.events())];
      for (const delivery of deliveries) {
        const [event] = (await rail.readEvent?.(delivery)) ?? [];
        assert.ok(event?.about?.reference);
        ids.add(event.id);
        outcomes.add(event.about.outcome.outcome);
        const [row] = simulator.payments();
        assert.deepEqual([event.about.paymentId ?? payment.id, event.about.reference], [payment.id, row?.reference]);
        assert.equal(event.about.amountCents ?? payment.amountCents, payment.amountCents);
      }
      assert.equal(ids.size, deliveries.length / 4);
      assert.ok(outcomes.has('paid') && outcomes.has('returned'));
    });

    test('rejects modified, old and foreign events', async () => {
      await rail.send(paymentOf(subject));
      const [delivery] = await simulator.events();
      assert.ok(delivery);
      for (let at = 0; at < delivery.body.length; at += 7) await rejects(rail, { ...delivery, body: changed(delivery.body, at) });
      await rejects(rail, { ...delivery, headers: {} }, 'missing_signature');
      await rejects(open(subject.foreign(simulator.url)), delivery, 'wrong_signature');
      clock.advance({ seconds: subject.eventSeconds + 1 });
      await rejects(rail, delivery, 'old_timestamp');
      clock.advance({ seconds: -subject.eventSeconds - 1 - 301 });
      await rejects(rail, delivery, 'old_timestamp');
      clock.advance({ seconds: 301 });
      assert.equal((await rail.readEvent?.(delivery))?.length, 1);
    });

    test('reports what is wrong with its settings', () => {
      const { config, secrets } = subject.settings('http://127.0.0.1:9');
      const fields = [
        ...Object.keys(config).map((field) => ['config', field] as const),
        ...Object.keys(secrets).map((field) => ['secrets', field] as const),
      ];
      for (const [part, field] of fields) {
        const { error } = subject.type[part].safeParse({ ...(part === 'config' ? config : secrets), [field]: 'ftp://x y' });
        assert.deepEqual([error?.issues[0]?.path, /^must be /.test(error?.issues[0]?.message ?? '')], [[field], true], field);
        assert.ok(!JSON.stringify(error).includes('ftp://'));
      }
      for (const part of ['config', 'secrets'] as const)
        assert.ok(subject.type[part].safeParse({ ...(part === 'config' ? config : secrets), more: 1 }).error);
    });

    test('reveals no destination or secret', () => {
      const text = JSON.stringify(told);
      assert.ok(told.length > 40);
      const { secrets } = subject.settings('');
      for (const secret of [...subject.private, ...Object.values(secrets), ...Object.values(subject.wrongSecrets)])
        assert.ok(!text.includes(secret), secret);
    });
  });
}

function paymentOf({ destination }: Subject, { currency = 'USD', amountCents = 12_345 } = {}): Payment {
  const ids = { id: randomIds.uuid(), programId: randomIds.uuid(), affiliateId: randomIds.uuid() };
  return { ...ids, amountCents, currency, destination: destination(currency), memo: 'Fern & Field: March 2026' };
}

function referenceIn(answer: Outcome): string | null {
  return 'reference' in answer ? (answer.reference ?? null) : null;
}

async function listAllPayments(rail: Rail, around = new Date()): Promise<RailPayment[]> {
  assert.ok(rail.list);
  const span = { from: new Date(around.getTime() - 86_400_000), to: new Date(around.getTime() + 86_400_000) };
  return Array.fromAsync(rail.list(span));
}

function changed(body: Buffer, at: number): Buffer {
  const copy = Buffer.from(body);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

async function rejects(rail: Rail, delivery: Delivery, reason?: BadSignature['reason']): Promise<void> {
  assert.ok(rail.readEvent);
  await assert.rejects(rail.readEvent(delivery), (error) => error instanceof BadSignature && (!reason || error.reason === reason));
}

/** Keeps everything that a rail says, to look for what it must not say. */
function noting(rail: Rail, told: unknown[]): Rail {
  const note = async <Value>(asked: Promise<Value>): Promise<Value> => {
    const value = await asked.catch((error: Error) => {
      told.push(error.message);
      throw error;
    });
    told.push(value);
    return value;
  };
  const { readEvent } = rail;
  return {
    ...rail,
    send: (payment) => note(rail.send(payment)),
    lookUp: (payment, reference) => note(rail.lookUp(payment, reference)),
    readEvent: readEvent && ((delivery) => note(readEvent(delivery))),
    test: () => note(rail.test()),
  };
}
