// The referral widget: the size of its script, who can exchange a token, and that its figures are those of the API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { widgetScript } from './serve.ts';

const origin = 'https://app.example';
const maxBytes = 15_000;

describe('the referral widget', () => {
  let service: TestService;
  let affiliate: { id: string };
  before(async () => {
    service = await openTestService();
    await service.request('PATCH', service.program.path, { body: { embedOrigins: [origin, 'https://other.example'] } });
    await aRule(service, { rate: 10 });
    affiliate = await anAffiliate(service, { status: 'active' });
    await anOrder(service, { orderId: 'W-1', affiliateId: affiliate.id, amountCents: 84_210 });
  });
  after(() => service.close());

  const createToken = async (body: object = {}): Promise<string> => {
    const path = `${service.program.path}/affiliates/${affiliate.id}/embed-tokens`;
    const created = await service.request('POST', path, { body: { kind: 'widget', origin, ...body } });
    assert.equal(created.status, 201, created.text);
    return created.body.token;
  };
  const address = (programId = service.program.programId) => `/embed/${programId}/widget`;
  const exchange = (body: object, { from = origin, path = address() } = {}) =>
    service.request('POST', path, { key: null, headers: { origin: from }, body });

  test(`is a script of at most ${maxBytes / 1000} kB, which browsers revalidate`, async () => {
    assert.ok(Buffer.byteLength(widgetScript) <= maxBytes, `${Buffer.byteLength(widgetScript)} bytes`);
    const { status, headers, text } = await service.request('GET', '/embed/widget.js', { key: null });
    assert.deepEqual([status, text], [200, widgetScript]);
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    const again = await service.request('GET', '/embed/widget.js', { key: null, headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.status, 304);
  });

  test('gets the link and the earnings that the API returns, once', async () => {
    const token = await createToken({ locale: 'de', theme: { radius: 4 } });
    const { status, headers, body } = await exchange({ token, theme: { scheme: 'dark' } });
    assert.equal(status, 200);
    assert.deepEqual([headers['access-control-allow-origin'], headers['access-control-allow-credentials']], [origin, undefined]);
    const affiliatePath = `${service.program.path}/affiliates/${affiliate.id}`;
    const [{ body: details }, { body: balance }] = [
      await service.request('GET', affiliatePath),
      await service.request('GET', `${affiliatePath}/balance`),
    ];
    assert.deepEqual([body.linkUrl, body.clicks, body.currency], [details.linkUrl, details.clicks, 'USD']);
    assert.equal(body.unpaidCents, 8421);
    assert.deepEqual(
      [body.unpaidCents, body.paidCents],
      [balance.pendingCents + balance.availableCents + balance.inTransitCents, balance.paidCents],
    );
    assert.deepEqual([body.locale, body.look.radius, body.look.scheme], ['de', 4, 'dark']);
    assert.deepEqual([(await exchange({ token })).status, (await exchange({ token })).body.code], [400, 'embed_token_used']);
  });

  test('is for pages of its origin only, and a page of another one uses up no token', async () => {
    const token = await createToken();
    const foreign = await exchange({ token }, { from: 'https://evil.example' });
    assert.deepEqual(
      [foreign.status, foreign.body.code, foreign.headers['access-control-allow-origin']],
      [403, 'origin_not_allowed', undefined],
    );
    const other = await exchange({ token }, { from: 'https://other.example' });
    assert.deepEqual([other.status, other.body.code], [400, 'embed_token_invalid']);
    const inOtherProgram = await exchange({ token }, { path: address(service.foreign.programId) });
    assert.equal(inOtherProgram.status, 403);
    await service.request('PATCH', service.foreign.path, { key: service.foreign.key, body: { embedOrigins: [origin] } });
    const allowedThere = await exchange({ token }, { path: address(service.foreign.programId) });
    assert.deepEqual([allowedThere.status, allowedThere.body.code], [400, 'embed_token_invalid']);
    assert.equal((await service.request('POST', address(), { key: null, body: { token } })).status, 403);
    assert.equal((await exchange({ token })).status, 200);
  });

  test('has preflight requests answered for allowed origins only', async () => {
    const ask = (from: string) => service.app.inject({ method: 'OPTIONS', url: address(), headers: { origin: from } });
    const allowed = await ask(origin);
    assert.deepEqual([allowed.statusCode, allowed.headers['access-control-allow-origin']], [204, origin]);
    const rejected = await ask('https://evil.example');
    assert.deepEqual([rejected.statusCode, rejected.headers['access-control-allow-origin']], [403, undefined]);
  });

  test('does not accept a look that it could not show safely, and keeps the token', async () => {
    const token = await createToken();
    for (const theme of [{ accent: 'red' }, { radius: 99 }, { scheme: 'x' }, { fontFamily: 'a}b' }]) {
      const { status, body } = await exchange({ token, theme });
      assert.deepEqual([status, body.details[0].path], [400, ['theme', Object.keys(theme)[0]]]);
    }
    assert.equal((await exchange({ token, locale: 'fr' })).status, 400);
    assert.equal((await exchange({ token })).status, 200);
  });

  test('does not open with the token of a portal', async () => {
    assert.equal((await exchange({ token: await createToken({ kind: 'portal' }) })).body.code, 'embed_token_invalid');
  });
});
