// Webhooks as the service signs and sends them, verified by the client.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deliverDue } from '../server/messaging/webhooks/dispatch/dispatcher.ts';
import { anAffiliate } from '../test/support/builders.ts';
import { openTestService, type TestService } from '../test/support/harness.ts';
import { until } from '../test/support/time/wait.ts';
import { openWebhookReceiver, type Received, type WebhookReceiver } from '../test/support/webhooks/receiver.ts';
import { WebhookVerificationError, webhooks } from './index.ts';

let service: TestService;
let receiver: WebhookReceiver;
let secret: string;
let webhookPath: string;
let delivery: Received;
before(async () => {
  [service, receiver] = await Promise.all([openTestService(), openWebhookReceiver()]);
  const body = { url: receiver.url('/hook'), eventTypes: ['*'] };
  const created = await service.request('POST', `${service.program.path}/webhooks`, { body });
  secret = created.body.secret;
  webhookPath = `${service.program.path}/webhooks/${created.body.id}`;
  delivery = await deliver('Zoë');
});
after(async () => {
  receiver?.close();
  await service?.close();
});

/** The delivery about a new affiliate. */
async function deliver(firstName: string): Promise<Received> {
  const known = receiver.received.length;
  await anAffiliate(service, { firstName });
  await until('a delivery has arrived', async () => {
    if (receiver.received.length === known) await deliverDue(service.ctx);
    return receiver.received.length > known;
  });
  const received = receiver.received.at(-1);
  assert.ok(received);
  return received;
}

const at = (seconds: number) => ({ now: () => new Date(service.clock.now().getTime() + seconds * 1000) });
const rejected = { name: 'WebhookVerificationError' };

describe('a delivery', () => {
  test('is returned as an event whose type decides the type of its data', async () => {
    const event = await webhooks.verify(delivery.body, delivery.headers, secret, at(0));
    assert.ok(event.type === 'affiliate.created');
    const { firstName }: { firstName: string } = event.data;
    assert.deepEqual([firstName, event.objectType, event.id], ['Zoë', 'affiliate', delivery.headers['webhook-id']]);
  });

  test('is verified from bytes and from the headers of a Request', async () => {
    const bytes = new TextEncoder().encode(delivery.body);
    const event = await webhooks.verify(bytes, new Headers(delivery.headers), secret, at(0));
    assert.equal(event.type, 'affiliate.created');
    const upperCase = Object.fromEntries(Object.entries(delivery.headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    assert.equal((await webhooks.verify(delivery.body, upperCase, secret, at(0))).id, event.id);
  });

  test('is rejected if its body, id, time or secret is another one', async () => {
    const altered = delivery.body.replace('Zoë', 'Zoe');
    assert.notEqual(altered, delivery.body);
    await assert.rejects(webhooks.verify(altered, delivery.headers, secret, at(0)), rejected);
    for (const name of ['webhook-id', 'webhook-timestamp']) {
      const headers = { ...delivery.headers, [name]: `${delivery.headers[name]}`.replace(/.$/, (last) => (last === '1' ? '2' : '1')) };
      await assert.rejects(webhooks.verify(delivery.body, headers, secret, at(0)), rejected);
    }
    const other = `whsec_${btoa('another secret of 32 characters.')}`;
    await assert.rejects(webhooks.verify(delivery.body, delivery.headers, other, at(0)), rejected);
  });

  test('is rejected if it is older or newer than five minutes', async () => {
    for (const seconds of [-299, 299]) await webhooks.verify(delivery.body, delivery.headers, secret, at(seconds));
    for (const seconds of [-301, 301])
      await assert.rejects(webhooks.verify(delivery.body, delivery.headers, secret, at(seconds)), rejected);
  });

  test('is rejected without its headers, or with malformed signatures', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await assert.rejects(
        webhooks.verify(delivery.body, { ...delivery.headers, [name]: undefined }, secret, at(0)),
        WebhookVerificationError,
      );
    }
    for (const signature of ['v1', 'v1,', 'v1,***', 'v2,AAAA', String(delivery.headers['webhook-signature']).slice(0, -5)]) {
      const headers = { ...delivery.headers, 'webhook-signature': signature };
      await assert.rejects(webhooks.verify(delivery.body, headers, secret, at(0)), rejected);
    }
    await assert.rejects(webhooks.verify(delivery.body, delivery.headers, '', at(0)), TypeError);
  });

  test('is accepted with both secrets while the secret is rotated', async () => {
    const rotated = await service.request('POST', `${webhookPath}/rotate-secret`, { body: { overlapHours: 1 } });
    const during = await deliver('Ada');
    for (const each of [secret, rotated.body.secret]) {
      assert.equal((await webhooks.verify(during.body, during.headers, each, at(0))).type, 'affiliate.created');
    }
  });
});
