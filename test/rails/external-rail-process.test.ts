import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { externalWebhook } from '../../server/connections/rails/external-webhook.ts';
import { createOutgoingHttp } from '../../server/platform/http/outgoing/outgoing.ts';
import { systemClock } from '../../server/platform/lib/clock.ts';
import { externalSecret } from '../support/rails/external.ts';
import type { ProcessOptions } from '../support/rails/external-rail-process.ts';

test('the external provider runs as a process, fails according to its seed, and stores its own payments', async () => {
  const options: ProcessOptions = { seed: 5, modes: { pay: 2, fail_after: 1, reject: 1 } };
  const child = spawn(process.execPath, ['test/support/rails/external-rail-process.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const http = createOutgoingHttp({ allowPrivate: true });
  try {
    const [line] = await createInterface({ input: child.stdout })
      [Symbol.asyncIterator]()
      .next()
      .then(({ value }) => [String(value)]);
    const { url, controlUrl } = JSON.parse(line ?? '') as { url: string; controlUrl: string };
    const rail = externalWebhook.open({
      config: { url },
      secrets: { signingSecret: externalSecret },
      http,
      clock: systemClock,
      eventsUrl: '',
    });
    const outcomes: Record<string, number> = {};
    for (let n = 0; n < 40; n += 1) {
      const payment = {
        id: `p${n}`,
        programId: 'x',
        affiliateId: 'y',
        amountCents: 100,
        currency: 'USD',
        destination: { method: 'external', account: 'acct' },
        memo: '',
      } as const;
      const { outcome } = await rail.send(payment);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    assert.ok((outcomes.paid ?? 0) > 10 && (outcomes.unknown ?? 0) > 2 && (outcomes.failed ?? 0) > 2, JSON.stringify(outcomes));
    const ask = async (method: 'GET' | 'POST', path: string, body = '{}') =>
      JSON.parse(
        (await http(method === 'GET' ? { method, url: `${controlUrl}${path}` } : { method, url: `${controlUrl}${path}`, body })).body,
      );
    const { payments } = await ask('GET', '/payments');
    assert.equal(payments.length, (outcomes.paid ?? 0) + (outcomes.unknown ?? 0));
    assert.deepEqual((await ask('GET', '/repeats')).repeated, []);
    const inbox = createServer((request, response) => void request.resume().on('end', () => response.end()));
    await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', resolve));
    const { port } = inbox.address() as AddressInfo;
    const { statuses } = await ask('POST', '/deliver', JSON.stringify({ url: `http://127.0.0.1:${port}`, times: 2 }));
    assert.deepEqual(statuses, { 200: 2 * payments.length });
    inbox.closeAllConnections();
    inbox.close();
    await ask('POST', '/mode', '{"mode":"pay"}');
  } finally {
    child.kill('SIGKILL');
    await http.close();
  }
});
