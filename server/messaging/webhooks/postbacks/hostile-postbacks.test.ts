// No postback that an affiliate registers can make the service connect to itself or to a private network: neither by its
// host, nor by a name that is given another address later. A canary listens on loopback.
import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/time/wait.ts';
import { hostileHosts, hostileNames } from '../../../../test/support/webhooks/hostile-hosts.ts';
import type { Context } from '../../../context.ts';
import { buildApp } from '../../../main.ts';
import { createOutgoingHttp, type OutgoingHttp } from '../../../platform/http/outgoing/outgoing.ts';
import { deliverDue } from '../dispatch/dispatcher.ts';

let service: TestService;
let app: FastifyInstance;
let ctx: Context;
let http: OutgoingHttp;
let port: number;
let ada: { id: string; email: string };
let user: TestMember;
let connections = 0;
let isRebound = false;
const canary = createServer((socket) => {
  connections += 1;
  socket.destroy();
});

before(async () => {
  await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done));
  ({ port } = canary.address() as AddressInfo);
  service = await openTestService();
  const resolve = async (host: string) =>
    host === 'rebinding.example' ? [{ address: isRebound ? '127.0.0.1' : '93.184.216.34', family: 4 }] : (hostileNames[host] ?? []);
  // The canary's port counts as usual, so that only the address can be the reason.
  http = createOutgoingHttp({ allowPrivate: false, resolve, ports: [443, port] });
  ctx = { ...service.ctx, http, checkUrl: http.checkUrl };
  app = await buildApp(ctx);
  await aRule(service);
  ada = await anAffiliate(service, { status: 'active' });
  user = await service.asAffiliate(ada);
});
after(async () => {
  await app.close();
  await http.close();
  await service.close();
  canary.close();
});

const path = () => `/app/portal/${service.program.programId}/postbacks`;
async function send(method: 'POST' | 'PATCH', url: string, payload: object) {
  const headers = { host: 'api.test', origin: 'http://api.test', cookie: user.cookie, 'content-type': 'application/json' };
  const { statusCode, body } = await app.inject({ method, url, headers, payload: JSON.stringify(payload) });
  return { status: statusCode, body: JSON.parse(body) };
}
const register = (url: string) => send('POST', path(), { url, method: 'GET', eventTypes: ['commission.created', 'lead.created'] });

test(`${hostileHosts.length} hostile hosts are rejected when a postback is registered, and when it is changed`, async () => {
  const registered = await register(`https://rebinding.example:${port}/?e={event}`);
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  for (const host of hostileHosts) {
    const url = `https://${host}:${port}/{sub1}?e={event}`;
    for (const answer of [await register(url), await send('PATCH', `${path()}/${registered.body.id}`, { url })]) {
      assert.equal(answer.status, 400, `${host}: ${JSON.stringify(answer.body)}`);
      assert.deepEqual(answer.body.details[0].path, ['url'], host);
    }
  }
  assert.equal(connections, 0);
});

test('a name that is given a private address later is not called', async () => {
  isRebound = true;
  const customer = { externalId: 'c-1' };
  const lead = await service.request('POST', '/v1/leads', { body: { externalId: 's-1', affiliateId: ada.id, customer } });
  assert.equal(lead.status, 201, lead.text);
  await anOrder(service, { affiliateId: ada.id });
  const attempts = async (): Promise<string[]> =>
    (await service.pool.query('select outcome from webhook_attempts')).rows.map(({ outcome }) => outcome);
  await until('both events are attempted', async () => {
    await deliverDue(ctx);
    return (await attempts()).length >= 2;
  });
  assert.deepEqual(await attempts(), ['blocked', 'blocked']);
  assert.equal(connections, 0);
});
