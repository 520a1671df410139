import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../../../test/support/harness.ts';
import { buildApp } from '../../main.ts';
import { createUrlCheck, usualPorts } from '../../platform/http/outgoing/check-url.ts';

test('a URL that would be blocked when it is called is rejected when it is stored', async () => {
  const service = await openTestService();
  const { key, path } = service.program;
  const providers = `${path}/providers`;
  const addresses = (host: string) => [{ address: host === 'rail.example' ? '8.8.8.8' : '10.0.0.7', family: 4 }];
  const checkUrl = createUrlCheck({ allowPrivate: false, ports: usualPorts }, async (host) => addresses(host));
  const app = await buildApp({ ...service.ctx, checkUrl });
  after(() => Promise.all([app.close(), service.close()]));
  const send = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
    const headers = { host: 'api.test', authorization: `Bearer ${key}` };
    const response = await app.inject({ method, url, headers, payload });
    return { status: response.statusCode, body: response.json() };
  };
  const rail = (url: string) => ({ type: 'external_webhook', name: 'Rail', config: { url } });
  const created = await send('POST', providers, rail('https://rail.example/pay'));
  assert.equal(created.status, 201, JSON.stringify(created.body));
  for (const url of ['https://internal.example/pay', 'https://127.0.0.1/pay', 'http://localhost/pay', 'https://rail.example:6379/pay']) {
    for (const { status, body } of [
      await send('POST', providers, rail(url)),
      await send('PATCH', `${providers}/${created.body.id}`, { config: { url } }),
    ])
      assert.deepEqual([status, body.details?.[0].path], [400, ['config', 'url']], url);
  }
});
