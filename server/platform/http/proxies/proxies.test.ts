// A proxy that TRUSTED_PROXIES doesn't name is noticed at its first request.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../test/support/embedded/harness.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { watchAlerts } from '../../../operations/alerts/watch.ts';
import { createRangeCheck } from '../../lib/network/ip-address.ts';
import { findUntrustedProxy } from './find-untrusted.ts';
import { listUntrustedProxies } from './untrusted-proxies.ts';
import { watchProxies } from './watch-proxies.ts';

describe('an untrusted proxy is', () => {
  const find = (peer: string, forwardedFor: string | undefined, trusted: string[] = []) =>
    findUntrustedProxy({ peer, headers: { 'x-forwarded-for': forwardedFor } }, createRangeCheck(trusted))?.address ?? null;

  test('the address of a connection that sends forwarded headers without being trusted', () => {
    assert.equal(find('172.18.0.5', '203.0.113.9'), '172.18.0.5');
    assert.equal(find('::ffff:172.18.0.5', '203.0.113.9'), '172.18.0.5');
    assert.equal(find('172.18.0.5', undefined), null);
    assert.equal(find('172.18.0.5', '203.0.113.9', ['172.16.0.0/12']), null);
    for (const name of ['x-real-ip', 'forwarded'])
      assert.equal(findUntrustedProxy({ peer: '10.0.0.2', headers: { [name]: '203.0.113.9' } }, () => false)?.address, '10.0.0.2', name);
  });

  test('a second, private proxy behind a trusted one, but not a visitor who sent the header', () => {
    assert.equal(find('10.0.0.2', '203.0.113.9, 10.0.0.1', ['10.0.0.2']), '10.0.0.1');
    assert.equal(find('10.0.0.2', '203.0.113.9, 10.0.0.1', ['10.0.0.0/24']), null);
    assert.equal(find('10.0.0.2', '198.51.100.7, 203.0.113.9', ['10.0.0.2']), null);
    assert.equal(find('10.0.0.2', '192.168.1.4', ['10.0.0.2']), null, 'a visitor of the local network');
    assert.equal(find('10.0.0.2', 'unknown, 203.0.113.9', ['10.0.0.2']), null);
  });
});

test('a public address counts once most requests come through it', async (t) => {
  const service = await openTestService();
  t.after(() => service.close());
  const server = createServer();
  const settle = watchProxies(server, service.ctx);
  const send = (remoteAddress: string, headers: object) => server.emit('request', { headers, socket: { remoteAddress } });
  const forwarded = { 'x-forwarded-for': '198.51.100.1' };
  for (let count = 0; count < 60; count += 1) send('203.0.113.50', {});
  for (let count = 0; count < 50; count += 1) send('203.0.113.7', forwarded);
  const found = () => service.log.filter((line) => line.includes('"address":"203.0.113.7"')).length;
  assert.equal(found(), 0, 'a client that sends the header among others');
  for (let count = 0; count < 50; count += 1) send('203.0.113.7', forwarded);
  assert.equal(found(), 1);
  await settle();
  assert.deepEqual(await listUntrustedProxies(service.ctx), ['203.0.113.7']);
});

describe('a service behind a proxy that it does not trust', () => {
  let service: TestService;
  let url: string;
  before(async () => {
    service = await openTestService({ environment: { TRUSTED_PROXIES: '10.1.1.1', ALERT_EMAIL: 'operators@example.com' } });
    url = await service.app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => service.close());

  const warnings = () => service.log.filter((line) => line.includes('TRUSTED_PROXIES'));
  const visit = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers, redirect: 'manual' });
  const watch = () => watchAlerts.run(service.ctx, {}, { isLast: true });
  const list = async (status: string) =>
    (await service.request('GET', `${service.program.path}/alerts?kind=proxy_untrusted&status=${status}`)).body.alerts;

  test('reports nothing while no request is forwarded', async () => {
    await visit('/health/live');
    assert.deepEqual([warnings(), await listUntrustedProxies(service.ctx)], [[], []]);
  });

  test('warns once with the address to add, on links as well, and opens an alert', async () => {
    for (const client of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) await visit('/r/UNKNOWN', { 'x-forwarded-for': client });
    await visit('/v1/me', { 'x-forwarded-for': '198.51.100.4' });
    assert.equal(warnings().length, 1);
    assert.match(warnings()[0] ?? '', /from 127\.0\.0\.1, .* set TRUSTED_PROXIES=10\.1\.1\.1,127\.0\.0\.1 /);
    await until(async () => (await listUntrustedProxies(service.ctx)).length > 0);
    await watch();
    const [alert, ...others] = await list('open');
    assert.deepEqual(others, []);
    assert.match(alert.reason, /set TRUSTED_PROXIES=10\.1\.1\.1,127\.0\.0\.1 /);
    const { rows } = await service.pool.query(`select to_address, text_body from emails where kind = 'alert'`);
    assert.deepEqual(
      rows.map((row) => row.to_address),
      ['operators@example.com'],
      'one email for the installation',
    );
    assert.match(rows[0].text_body, /TRUSTED_PROXIES=10\.1\.1\.1,127\.0\.0\.1/);
  });

  test('resolves the alert once the address is trusted', async () => {
    const trusting = { ...service.ctx, config: { ...service.ctx.config, trustedProxies: ['127.0.0.0/8'] } };
    await watchAlerts.run(trusting, {}, { isLast: true });
    assert.deepEqual([await list('open'), (await list('resolved')).length], [[], 1]);
  });

  test('resolves the alert a day after the last forwarded request', async () => {
    await watch();
    assert.equal((await list('open')).length, 1);
    service.clock.advance({ days: 1, seconds: 1 });
    await watch();
    assert.deepEqual(await list('open'), []);
  });
});
