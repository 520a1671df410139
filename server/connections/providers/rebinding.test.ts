// The name of a store or a payout provider can be given a private address after it was stored. The service then connects to
// nothing: not to test the provider, not to read products, not to pay. A canary listens on loopback.
import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import type { Context } from '../../context.ts';
import { buildApp } from '../../main.ts';
import { sendQueued } from '../../paying/payouts/send/send.ts';
import { createOutgoingHttp, type OutgoingHttp } from '../../platform/http/outgoing/outgoing.ts';

let service: TestService;
let ctx: Context;
let http: OutgoingHttp;
let app: Awaited<ReturnType<typeof buildApp>>;
let origin: string;
let connections = 0;
let isRebound = false;
const canary = createServer((socket) => {
  connections += 1;
  socket.destroy();
});

before(async () => {
  await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done));
  const { port } = canary.address() as AddressInfo;
  origin = `https://rebinding.example:${port}`;
  service = await openTestService();
  const resolve = async () => [{ address: isRebound ? '127.0.0.1' : '93.184.216.34', family: 4 }];
  // The canary's port counts as usual, so that only the address can be the reason.
  http = createOutgoingHttp({ allowPrivate: false, resolve, ports: [443, port] });
  ctx = { ...service.ctx, http, checkUrl: http.checkUrl };
  app = await buildApp(ctx);
});
after(async () => {
  await app.close();
  await http.close();
  await service.close();
  canary.close();
});

async function send(path: string, payload: object = {}) {
  const headers = { host: 'api.test', authorization: `Bearer ${service.program.key}` };
  const response = await app.inject({ method: 'POST', url: `${service.program.path}/${path}`, headers, payload });
  return { status: response.statusCode, body: response.json() };
}

/** A provider that is stored while its name has a public address. */
async function connect(provider: object): Promise<string> {
  isRebound = false;
  const { status, body } = await send('providers', provider);
  assert.equal(status, 201, JSON.stringify(body));
  isRebound = true;
  return body.id;
}

test('a store is neither tested nor are its products read', async () => {
  const secrets = { webhookSecret: 'woo-webhook-secret', consumerKey: 'ck_1234567890', consumerSecret: 'cs_1234567890' };
  const id = await connect({ type: 'woocommerce', name: 'Store', config: { url: origin }, secrets });
  const tested = await send(`providers/${id}/test`);
  assert.deepEqual([tested.status, tested.body.works], [200, false], JSON.stringify(tested.body));
  const synced = await send(`providers/${id}/sync`);
  assert.equal(synced.status, 503, JSON.stringify(synced.body));
  assert.equal(connections, 0);
});

test('a payout provider is neither tested nor sent a payout', async () => {
  const id = await connect({ type: 'external_webhook', name: 'Treasury', config: { url: `${origin}/pay` } });
  const tested = await send(`providers/${id}/test`);
  assert.deepEqual([tested.status, tested.body.works], [200, false], JSON.stringify(tested.body));
  await aRule(service);
  const ada = await anAffiliate(service, { status: 'active' });
  const details = { method: 'external', account: 'ada' };
  assert.ok((await send(`affiliates/${ada.id}/payout-details`, details)).status < 300);
  await anOrder(service, { affiliateId: ada.id, amountCents: 100_000 });
  service.clock.advance({ days: 31 });
  const dispatched = await send('payouts/dispatch');
  assert.equal(dispatched.status, 201, JSON.stringify(dispatched.body));
  await sendQueued(ctx, service.program.programId);
  const { rows } = await service.pool.query('select status from payouts');
  assert.deepEqual([rows, connections], [[{ status: 'queued' }], 0]);
});
