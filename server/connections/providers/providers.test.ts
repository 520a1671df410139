// Connecting outside systems: what is shown, what is never shown, and that one way to pay is the default.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('providers', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const path = () => `${service.program.path}/providers`;
  const connect = async (body: Record<string, unknown>, headers = {}) => {
    const created = await service.request('POST', path(), { body, headers });
    assert.equal(created.status, 201, created.text);
    return created.body;
  };
  const payout = (name: string, given = {}) => connect({ type: 'manual', name, ...given });

  test('a shop is connected with its secret, which is named and never shown', async () => {
    const secret = 'whsec_never_shown_1234';
    const shop = await connect({ type: 'stripe', name: 'Shop', secrets: { webhookSecret: secret, apiKey: 'sk_test_never_shown' } });
    const { id, createdAt, updatedAt, eventsUrl, ...rest } = shop;
    assert.match(eventsUrl, new RegExp(`/v1/providers/${id}/events$`));
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(rest, {
      kind: 'commerce',
      type: 'stripe',
      name: 'Shop',
      status: 'connected',
      isDefault: false,
      mode: 'live',
      capabilities: ['orders', 'refunds', 'disputes', 'subscriptions', 'products', 'coupons'],
      currencies: ['USD'],
      config: { apiUrl: 'https://api.stripe.com' },
      hasSecrets: ['apiKey', 'webhookSecret'],
      lastEventAt: null,
      lastError: null,
      generatedSecrets: {},
    });
    const shown = await service.request('GET', `${path()}/${id}`);
    const { generatedSecrets, ...same } = shop;
    assert.deepEqual([shown.body, generatedSecrets], [same, {}]);
    await assertNowhere(secret, 'sk_test_never_shown');
  });

  test('a secret that we make is shown once; a repeat of the request shows the same, and no table holds it', async () => {
    const headers = { 'idempotency-key': 'made-once' };
    const body = { type: 'generic', name: 'Own shop' };
    const first = await connect(body, headers);
    const again = await connect(body, headers);
    assert.deepEqual(again, first);
    assert.match(first.generatedSecrets.webhookSecret, /^whsec_[A-Za-z0-9+/]{32}$/);
    assert.equal((await service.request('GET', `${path()}/${first.id}`)).body.generatedSecrets, undefined);
    await assertNowhere(first.generatedSecrets.webhookSecret);
    const given = await connect({ ...body, secrets: { webhookSecret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` } });
    assert.deepEqual(given.generatedSecrets, {});
  });

  test('settings that the type does not take are 400, each named', async () => {
    const tried = await service.request('POST', path(), {
      body: { type: 'woocommerce', name: 'W', config: { url: 'ftp://x' }, secrets: { webhookSecret: 'short' } },
    });
    assert.equal(tried.status, 400);
    assert.deepEqual(
      tried.body.details.map(({ path: at }: { path: string[] }) => at),
      [
        ['config', 'url'],
        ['secrets', 'webhookSecret'],
      ],
    );
    assert.ok(!tried.text.includes('short"'));
    const shop = await service.request('POST', path(), { body: { type: 'shopify', name: 'S', config: { shop: 'evil.example' } } });
    assert.deepEqual(shop.body.details[0].path, ['config', 'shop']);
    const both = await service.request('POST', path(), { body: { type: 'stripe', name: 'S', isDefault: true } });
    assert.deepEqual([both.status, both.body.details[0].path], [400, ['isDefault']]);
  });

  test('single secrets and settings are replaced and removed, and the others stay', async () => {
    const { id } = await connect({
      type: 'stripe',
      name: 'Merged',
      secrets: { webhookSecret: 'whsec_first_one', apiKey: 'sk_test_first_one' },
    });
    const change = (body: object) => service.request('PATCH', `${path()}/${id}`, { body });
    assert.deepEqual((await change({ secrets: { apiKey: null } })).body.hasSecrets, ['webhookSecret']);
    assert.deepEqual((await change({ config: { apiUrl: 'https://sandbox.example' } })).body.config, { apiUrl: 'https://sandbox.example' });
    const without = await change({ secrets: { webhookSecret: null }, config: { apiUrl: null } });
    assert.deepEqual([without.body.hasSecrets, without.body.status], [[], 'needs_attention']);
    assert.deepEqual(without.body.config, { apiUrl: 'https://api.stripe.com' });
    assert.match(without.body.lastError, /webhookSecret is not set/);
    const again = await change({ secrets: { webhookSecret: 'whsec_another_one' } });
    assert.deepEqual([again.body.status, again.body.lastError], ['connected', null]);
    const { rows } = await service.pool.query(`select after from audit_log where subject_id = $1 order by created_at, id`, [id]);
    assert.deepEqual(rows[0].after.secrets, ['apiKey', 'webhookSecret']);
    await assertNowhere('whsec_first_one', 'whsec_another_one', 'sk_test_first_one');
  });

  test('the first way to pay is the default, and another takes its place; of many at once one does', async () => {
    const first = await payout('First');
    const second = await payout('Second');
    assert.deepEqual([first.isDefault, second.isDefault], [true, false]);
    const defaults = async () => {
      const { body } = await service.request('GET', `${path()}?kind=payout`);
      return body.providers.filter(({ isDefault }: { isDefault: boolean }) => isDefault).map(({ name }: { name: string }) => name);
    };
    await service.request('PATCH', `${path()}/${second.id}`, { body: { isDefault: true } });
    assert.deepEqual(await defaults(), ['Second']);
    const ids = [first.id, second.id, (await payout('Third')).id];
    const answers = await Promise.all([
      ...[...ids, ...ids].map((id) => service.request('PATCH', `${path()}/${id}`, { body: { isDefault: true } })),
      ...['Fourth', 'Fifth'].map((name) => service.request('POST', path(), { body: { type: 'csv', name, isDefault: true } })),
    ]);
    for (const { status, text } of answers) assert.ok(status < 300, text);
    assert.equal((await defaults()).length, 1);
  });

  test('an archived provider is gone, its secrets are forgotten; with payouts open it stays', async () => {
    const { id } = await payout('Going');
    const { programId } = service.program;
    const affiliate = await service.request('POST', `${service.program.path}/affiliates`, {
      body: { email: 'paid@example.com', firstName: 'A', lastName: 'B', sendInvite: false },
    });
    const [batch, item] = [service.ctx.ids.uuid(), service.ctx.ids.uuid()];
    await service.pool.query(
      `insert into payout_batches (program_id, id, provider_id, provider_type, currency, total_cents, payout_count, cutoff_at, dispatched_by_kind, dispatched_by_id, needs_approval, created_at)
       values ($1, $2, $3, 'manual', 'USD', 5, 1, now(), 'api_key', 'k', false, now())`,
      [programId, batch, id],
    );
    await service.pool.query(
      `insert into payouts (program_id, id, batch_id, affiliate_id, amount_cents, currency, status, period_start_at, period_end_at, created_at, updated_at)
       values ($1, $2, $3, $4, 5, 'USD', 'unknown', now(), now(), now(), now())`,
      [programId, item, batch, affiliate.body.id],
    );
    const refused = await service.request('DELETE', `${path()}/${id}`);
    assert.deepEqual([refused.status, refused.body.code], [400, 'payouts_open']);
    await service.pool.query(`update payouts set status = 'paid' where id = $1`, [item]);
    const archived = await service.request('DELETE', `${path()}/${id}`);
    assert.deepEqual([archived.status, archived.body.status, archived.body.isDefault], [200, 'disabled', false]);
    assert.equal((await service.request('GET', `${path()}/${id}`)).status, 404);
    assert.equal((await service.request('DELETE', `${path()}/${id}`)).status, 404);
    const { rows } = await service.pool.query(`select secrets, archived_at from providers where id = $1`, [id]);
    assert.ok(rows[0].archived_at && rows[0].secrets === null);
  });

  test('a test says whether the settings work, and the provider keeps it', async () => {
    const { id } = await connect({ type: 'stripe', name: 'Tried' });
    const run = async () => (await service.request('POST', `${path()}/${id}/test`)).body;
    const unset = await run();
    assert.deepEqual([unset.works, unset.provider.status], [false, 'needs_attention']);
    await service.request('PATCH', `${path()}/${id}`, { body: { secrets: { webhookSecret: 'whsec_set_now' } } });
    assert.deepEqual([(await run()).works, (await run()).provider.status], [true, 'connected']);
    const unreachable = { secrets: { apiKey: 'sk_test_unreachable' }, config: { apiUrl: 'http://127.0.0.1:1' } };
    await service.request('PATCH', `${path()}/${id}`, { body: unreachable });
    const lost = await run();
    assert.deepEqual([lost.works, lost.provider.status], [false, 'needs_attention']);
    assert.match(lost.provider.lastError, /could not be reached/);
    await assertNowhere('sk_test_unreachable');
  });

  describe('to another address go only secrets that come with it', () => {
    const paypal = {
      type: 'paypal',
      config: { baseUrl: 'https://api-m.sandbox.paypal.com' },
      secrets: { clientId: 'paypal-client', clientSecret: 'paypal-secret' },
    };
    const shopify = {
      type: 'shopify',
      config: { shop: 'fern.myshopify.com' },
      secrets: { webhookSecret: 'shpss_fern_one', accessToken: 'shpat_fern_one' },
    };
    for (const [given, config] of [
      [paypal, { baseUrl: 'https://evil.example' }],
      [paypal, { baseUrl: null }],
      [shopify, { shop: 'evil.myshopify.com' }],
      [shopify, { apiUrl: 'https://evil.example' }],
    ] as const) {
      test(`${given.type}: ${JSON.stringify(config)}`, async () => {
        const { id, ...made } = await connect({ ...given, name: 'Moved' });
        const change = (body: object) => service.request('PATCH', `${path()}/${id}`, { body });
        const [first = '', second = ''] = Object.keys(given.secrets);
        const fault = (name: string) => ({ path: ['secrets', name], message: 'must be sent again: the address changes' });
        const none = await change({ config });
        assert.deepEqual([none.status, none.body.details], [400, [first, second].sort().map(fault)]);
        const one = await change({ config, secrets: { [first]: 'another_value' } });
        assert.deepEqual([one.status, one.body.details], [400, [fault(second)]]);
        assert.deepEqual((await service.request('GET', `${path()}/${id}`)).body.config, made.config);
        assert.equal((await change({ config: given.config, name: 'The same address' })).status, 200);
        assert.equal((await change({ config, secrets: given.secrets })).status, 200);
      });
    }

    test('a secret that only signs goes nowhere', async () => {
      const rail = await payout('Rail', { type: 'external_webhook', config: { url: 'https://rail.example/pay' } });
      const moved = await service.request('PATCH', `${path()}/${rail.id}`, { body: { config: { url: 'https://rail.example.org/pay' } } });
      assert.equal(moved.status, 200, moved.text);
    });
  });

  /** Texts that stand in no table, no line of the log. */
  async function assertNowhere(...texts: string[]): Promise<void> {
    const { rows } = await service.pool.query(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of rows) {
      const { rows: found } = await service.pool.query(
        `select 1 from ${name} as one where exists (select 1 from unnest($1::text[]) as secret where one::text like '%' || secret || '%')`,
        [texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])],
      );
      assert.equal(found.length, 0, `${name} holds a secret`);
    }
    for (const text of texts) assert.ok(!service.log.some((line) => line.includes(text)), 'the log holds a secret');
  }
});
