// Tokens that open the portal inside the application of a brand: what they open, for whom, how often and how long.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { api } from '../../../api.ts';
import { type AnyEndpoint, isForAffiliates, parseRoute } from '../../../platform/http/declaration/endpoint.ts';
import { expectChangedClocks } from '../../../platform/test-clocks/program-clock.ts';
import { deleteOldEmbeds } from './delete-old.ts';

const origin = 'https://app.example';
const own = { host: 'api.test', origin: 'http://api.test' };

describe('an embedded portal', () => {
  let service: TestService;
  let affiliate: { id: string };
  let ada: TestMember;
  before(async () => {
    service = await openTestService();
    affiliate = await anAffiliate(service, { email: 'ada@example.com', status: 'active' });
    ada = await service.asAffiliate({ id: affiliate.id, email: 'ada@example.com' });
  });
  beforeEach(async () => {
    await service.request('PATCH', service.program.path, { body: { embedOrigins: [origin] } });
    await service.request('PATCH', `${service.program.path}/affiliates/${affiliate.id}`, { body: { status: 'active' } });
  });
  after(() => service.close());

  const create = (body: object = {}, options: { key?: string; id?: string } = {}) =>
    service.request('POST', `${service.program.path}/affiliates/${options.id ?? affiliate.id}/embed-tokens`, {
      body: { kind: 'portal', origin, ...body },
      key: options.key ?? service.program.key,
    });
  const open = (token: string) => service.request('POST', '/app/embed-sessions', { key: null, headers: own, body: { token } });
  const openSession = async (options?: { key?: string }): Promise<string> => {
    const { body } = await open((await create({}, options)).body.token);
    return body.session;
  };
  const read = (session: string, path = `/app/portal/${service.program.programId}/home`, method = 'GET') =>
    service.request(method, path, { key: session, headers: own, body: method === 'GET' ? undefined : {} });
  const addressOf = ({ route }: AnyEndpoint) =>
    parseRoute(route)
      .path.replace(':programId', service.program.programId)
      .replace(/:\w+/g, () => service.ctx.ids.uuid());

  test('opens with a token, whose address has it in the fragment only', async () => {
    const { status, body } = await create({ locale: 'de', theme: { scheme: 'dark', accent: '#ffd400', radius: 4 } });
    assert.equal(status, 201);
    const url = new URL(body.url);
    assert.equal(url.pathname, `/embed/${service.program.programId}/portal`);
    assert.deepEqual([url.search, url.hash], ['?locale=de&scheme=dark', `#${body.token}`]);
    assert.equal(new Date(body.expiresAt).getTime() - service.clock.now().getTime(), 5 * 60_000);
    const opened = await open(body.token);
    assert.equal(opened.status, 201);
    assert.deepEqual([opened.body.origin, opened.body.locale, opened.body.account.affiliateId], [origin, 'de', affiliate.id]);
    // Yellow text on white can't be read: buttons keep the color, with dark text, and links get a darker one.
    assert.deepEqual(opened.body.look.accent.light, { background: '#FFD400', text: '#0B1513', ink: '#806A00' });
    assert.equal((await read(opened.body.session)).status, 200);
  });

  test('reads what the signed-in affiliate reads, and nothing else', async () => {
    const session = await openSession();
    const readable = api.filter(({ scope }) => scope === 'embed');
    assert.deepEqual(readable.map(({ id }) => id).sort(), [
      'portal.earning',
      'portal.earnings',
      'portal.home',
      'portal.payout',
      'portal.payouts',
      'portal.qr',
      'portal.rates',
      'portal.statement',
    ]);
    for (const endpoint of readable) {
      const address = addressOf(endpoint);
      const [signedIn, embedded] = [await ada.request('GET', address), await read(session, address)];
      for (const { body } of [signedIn, embedded]) delete body.requestId;
      assert.deepEqual([embedded.status, embedded.body], [signedIn.status, signedIn.body], endpoint.id);
    }
    for (const endpoint of api.filter((each) => each.scope !== 'embed' && each.scope !== 'open')) {
      const { status, body } = await read(session, addressOf(endpoint), parseRoute(endpoint.route).method);
      assert.deepEqual([status, body.code], [401, 'unauthenticated'], endpoint.id);
    }
    assert.ok(api.filter(isForAffiliates).length > 25);
  });

  test('has a token that opens it once, even if it is used several times at the same time', async () => {
    const { token } = (await create()).body;
    const answers = await Promise.all([open(token), open(token), open(token)]);
    assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).sort(), [201, 'embed_token_used', 'embed_token_used']);
  });

  test('has a token that expires after five minutes, and is open for an hour', async () => {
    const [late, inTime] = [(await create()).body.token, await openSession()];
    service.clock.advance({ minutes: 5 });
    assert.deepEqual([(await open(late)).status, (await open(late)).body.code], [400, 'embed_token_expired']);
    service.clock.advance({ minutes: 54, seconds: 59 });
    assert.equal((await read(inTime)).status, 200);
    service.clock.advance({ seconds: 1 });
    assert.equal((await read(inTime)).status, 401);
  });

  test('has a token that expires by the system clock, even if the clock of its program was advanced', async () => {
    const program = await service.newProgram('Test mode');
    await service.pool.query(`update programs set mode = 'test' where id = $1`, [program.programId]);
    await service.pool.query('insert into test_clocks (program_id, offset_ms) values ($1, $2)', [program.programId, 30 * 86_400_000]);
    expectChangedClocks(service.ctx);
    const theirs = await anAffiliate(service, { status: 'active' }, program);
    await service.request('PATCH', program.path, { key: program.key, body: { embedOrigins: [origin] } });
    const path = `${program.path}/affiliates/${theirs.id}/embed-tokens`;
    const { body } = await service.request('POST', path, { key: program.key, body: { kind: 'portal', origin } });
    assert.equal(new Date(body.expiresAt).getTime() - service.clock.now().getTime(), 5 * 60_000);
    const { body: opened } = await open(body.token);
    assert.equal((await read(opened.session, `/app/portal/${program.programId}/home`)).status, 200);
  });

  test('does not open with another token, nor with one of a widget', async () => {
    const { token } = (await create()).body;
    const widget = (await create({ kind: 'widget' })).body;
    assert.equal(new URL(widget.url).pathname, '/embed/widget.js');
    for (const wrong of [
      '',
      'trb_embed_x',
      `${token.slice(0, -1)}_`,
      token.replace('trb_embed_', 'trb_embedded_'),
      widget.token,
      service.program.key,
    ])
      assert.deepEqual([(await open(wrong)).status, (await open(wrong)).body.code], [400, 'embed_token_invalid'], wrong);
    assert.equal((await read(token)).status, 401);
  });

  test('ends when the affiliate is suspended, and so does an unused token', async () => {
    const [session, unused] = [await openSession(), (await create()).body.token];
    await service.request('PATCH', `${service.program.path}/affiliates/${affiliate.id}`, { body: { status: 'suspended' } });
    assert.equal((await read(session)).status, 401);
    assert.equal((await open(unused)).body.code, 'embed_token_invalid');
    const rejected = await create();
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'affiliate_not_active']);
  });

  test('ends when its API key is revoked', async () => {
    const owner = await service.asMember('owner');
    const keys = `/app/programs/${service.program.programId}/api-keys`;
    const { body: key } = await owner.request('POST', keys, { body: { name: 'App', scopes: ['write'] } });
    const session = await openSession({ key: key.key });
    assert.equal((await read(session)).status, 200);
    await owner.request('POST', `${keys}/${key.id}/revoke`);
    assert.equal((await read(session)).status, 401);
  });

  test('ends when its origin is no longer allowed, and opens in no other', async () => {
    const session = await openSession();
    const other = await create({ origin: 'https://other.example' });
    assert.deepEqual([other.status, other.body.details[0].path], [400, ['origin']]);
    await service.request('PATCH', service.program.path, { body: { embedOrigins: [] } });
    assert.equal((await read(session)).status, 401);
  });

  test('belongs to one affiliate of one program', async () => {
    const { foreign, program } = service;
    const session = await openSession();
    assert.equal((await read(session, `/app/portal/${foreign.programId}/home`)).status, 404);
    assert.equal((await create({}, { key: foreign.key })).status, 404);
    assert.equal((await create({}, { key: program.readKey })).status, 403);
    const theirs = await anAffiliate(service, { status: 'active' }, foreign);
    assert.equal((await create({}, { id: theirs.id })).status, 404);
  });

  test('accepts no look that it could not show safely', async () => {
    for (const theme of [
      { accent: 'red' },
      { accent: '#fff' },
      { radius: 1.5 },
      { radius: 25 },
      { scheme: 'blue' },
      { fontFamily: 'x;}' },
    ]) {
      const { status, body } = await create({ theme });
      assert.deepEqual([status, body.details[0].path], [400, ['theme', Object.keys(theme)[0]]], JSON.stringify(theme));
    }
    assert.equal((await create({ locale: 'fr' })).status, 400);
  });

  test('is allowed to origins only, which can be written into a policy', async () => {
    const set = (embedOrigins: string[]) => service.request('PATCH', service.program.path, { body: { embedOrigins } });
    for (const wrong of [
      'app.example',
      'http://app.example',
      'https://*.example',
      'https://a;b.example',
      'https://app.example/x',
      'null',
      '*',
    ])
      assert.equal((await set([wrong])).status, 400, wrong);
    const { body } = await set(['https://APP.example/', 'http://localhost:3000', 'https://app.example']);
    assert.deepEqual(body.embedOrigins, ['https://app.example', 'http://localhost:3000']);
  });

  test('stores and logs no secret, and is deleted after a week', async () => {
    const { token } = (await create()).body;
    const { session } = (await open(token)).body;
    await read(session);
    const { rows } = await service.pool.query('select row_to_json(embeds)::text as row from embeds');
    for (const secret of [token, session])
      assert.ok(!`${rows.map(({ row }) => row).join()}${service.log.join()}`.includes(secret.slice(-43)));
    service.clock.advance({ days: 7, seconds: 1 });
    await deleteOldEmbeds.run(service.ctx, {}, { isLast: true });
    assert.equal((await service.pool.query('select 1 from embeds')).rowCount, 0);
  });
});
