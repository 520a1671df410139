// The code of README.md, run against the service.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { anAffiliate, aRule } from '../test/support/builders.ts';
import { runCode } from '../test/support/documents/run-code.ts';
import { openTestService, type TestService } from '../test/support/harness.ts';
import { observeClient } from '../test/support/sdk/observe-client.ts';
import { webhooks } from './index.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => service?.close());

test('every block of code runs, and prints what it says', async () => {
  const { referralCode } = await anAffiliate(service, { email: 'ada@example.com', status: 'active' });
  await aRule(service, { rate: 10 });
  const printed: unknown[] = [];
  const secret = 'whsec_c2VjcmV0IG9mIHRoZSByZWFkbWU=';
  const given = {
    client: observeClient(service).client,
    webhooks,
    secret,
    request: signedRequest(secret, { id: 'e1', type: 'payout.paid', data: { amountCents: 4200 } }),
    signal: new AbortController().signal,
    console: { log: (value: unknown) => void printed.push(value) },
  };
  await runCode('sdk/README.md', given, (code) => code.replace('K7QM3XWP', referralCode));
  assert.deepEqual(printed, ['ada@example.com', 498, 4200]);
  assert.equal((await service.pool.query(`select count(*)::int as count from groups where name = 'Gold'`)).rows[0].count, 1);
});

function signedRequest(secret: string, event: { id: string; type: string; data: object }): Request {
  const body = JSON.stringify(event);
  const sentAt = new Date();
  const headers = {
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(event.id, sentAt, body),
  };
  return new Request('http://shop.example/webhooks', { method: 'POST', headers, body });
}
