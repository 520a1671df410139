// Connecting external systems: secrets are never returned, and one payout provider is the default.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
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

  test('a secret is listed by name, and its value is never returned', async () => {
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
      configuredSecrets: ['apiKey', 'webhookSecret'],
      lastEventAt: null,
      lastError: null,
      generatedSecrets: {},
    });
    const shown = await service.request('GET', `${path()}/${id}`);
    const { generatedSecrets, ...same } = shop;
    assert.deepEqual([shown.body, generatedSecrets], [same, {}]);
    await assertNowhere(secret, 'sk_test_never_shown');
  });

  test('a generated secret is returned once; a repeated request returns the same, and no table contains it in plain text', async () => {
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

  test('invalid settings are 400, with a detail for each field', async () => {
    const invalid = await service.request('POST', path(), {
      body: { type: 'woocommerce', name: 'W', config: { url: 'ftp://x' }, secrets: { webhookSecret: 'short' } },
    });
    assert.equal(invalid.status, 400);
    assert.deepEqual(
      invalid.body.details.map(({ path: at }: { path: string[] }) => at),
      [
        ['config', 'url'],
        ['secrets', 'webhookSecret'],
      ],
    );
    assert.ok(!invalid.text.includes('short"'));
    const shop = await service.request('POST', path(), { body: { type: 'shopify', name: 'S', config: { shop: 'evil.example' } } });
    assert.deepEqual(shop.body.details[0].path, ['config', 'shop']);
    const both = await service.request('POST', path(), { body: { type: 'stripe', name: 'S', isDefault: true } });
    assert.deepEqual([both.status, both.body.details[0].path], [400, ['isDefault']]);
  });

  test('unknown config and secret names are 400, naming the field and the known names', async () => {
    const unknown = async (method: string, at: string, body: object) => {
      const { status, body: response } = await service.request(method, at, { body });
      return [status, response.details];
    };
    const shop = { type: 'stripe', name: 'Unknown', config: { apiurl: 'https://x.example' }, secrets: { webhook: 'whsec_not_a_name' } };
    const faults = [
      { path: ['config', 'apiurl'], message: 'is not a setting of this provider type; the settings are: apiUrl' },
      { path: ['secrets', 'webhook'], message: 'is not a secret of this provider type; the secrets are: webhookSecret, apiKey' },
    ];
    assert.deepEqual(await unknown('POST', path(), shop), [400, faults]);
    assert.deepEqual(await unknown('POST', path(), { type: 'manual', name: 'Unknown', config: { url: 'x' } }), [
      400,
      [{ path: ['config', 'url'], message: 'is not a setting of this provider type, which has none' }],
    ]);
    const { id } = await connect({ type: 'stripe', name: 'Known' });
    assert.deepEqual(await unknown('PATCH', `${path()}/${id}`, { config: { apiurl: null }, secrets: { webhook: null } }), [400, faults]);
  });

  test('single secrets and settings are replaced and removed, and the others stay', async () => {
    const { id } = await connect({
      type: 'stripe',
      name: 'Merged',
      secrets: { webhookSecret: 'whsec_first_one', apiKey: 'sk_test_first_one' },
    });
    const change = (body: object) => service.request('PATCH', `${path()}/${id}`, { body });
    assert.deepEqual((await change({ secrets: { apiKey: null } })).body.configuredSecrets, ['webhookSecret']);
    assert.deepEqual((await change({ config: { apiUrl: 'https://sandbox.example' } })).body.config, { apiUrl: 'https://sandbox.example' });
    const without = await change({ secrets: { webhookSecret: null }, config: { apiUrl: null } });
    assert.deepEqual([without.body.configuredSecrets, without.body.status], [[], 'needs_attention']);
    assert.deepEqual(without.body.config, { apiUrl: 'https://api.stripe.com' });
    assert.match(without.body.lastError, /secret that signs events is not set/);
    const again = await change({ secrets: { webhookSecret: 'whsec_another_one' } });
    assert.deepEqual([again.body.status, again.body.lastError], ['connected', null]);
    const { rows } = await service.pool.query(`select after from audit_log where subject_id = $1 order by created_at, id`, [id]);
    assert.deepEqual(rows[0].after.secrets, ['apiKey', 'webhookSecret']);
    await assertNowhere('whsec_first_one', 'whsec_another_one', 'sk_test_first_one');
  });

  test('the first payout provider is the default, another can replace it, and simultaneous changes leave one default', async () => {
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
    const responses = await Promise.all([
      ...[...ids, ...ids].map((id) => service.request('PATCH', `${path()}/${id}`, { body: { isDefault: true } })),
      ...['Fourth', 'Fifth'].map((name) => service.request('POST', path(), { body: { type: 'csv', name, isDefault: true } })),
    ]);
    for (const { status, text } of responses) assert.ok(status < 300, text);
    assert.equal((await defaults()).length, 1);
  });

  test('archiving erases the secrets and rejects further use, until the provider is restored with its secrets', async () => {
    const { id } = await connect({ type: 'stripe', name: 'Archived', secrets: { webhookSecret: 'whsec_archived', apiKey: 'sk_archived' } });
    const patch = (body: object) => service.request('PATCH', `${path()}/${id}`, { body });
    const { body: archived } = await patch({ status: 'archived' });
    assert.deepEqual([archived.status, archived.configuredSecrets], ['archived', []]);
    assert.deepEqual((await service.request('GET', `${path()}/${id}`)).body, archived);
    assert.deepEqual((await patch({ status: 'archived' })).body, archived);
    for (const rejected of [
      await patch({ name: 'Renamed' }),
      await service.request('POST', `${path()}/${id}/test`),
      await service.request('POST', `${path()}/${id}/sync`),
    ])
      assert.deepEqual([rejected.status, rejected.body.code], [400, 'provider_archived']);
    assert.equal((await service.request('POST', `/v1/providers/${id}/events`, { body: {}, key: null })).status, 404);
    const withoutSecret = (await patch({ status: 'connected' })).body;
    assert.deepEqual([withoutSecret.status, withoutSecret.lastError !== null], ['needs_attention', true]);
    await patch({ status: 'archived' });
    const { body: restored } = await patch({ status: 'connected', secrets: { webhookSecret: 'whsec_restored' } });
    assert.deepEqual([restored.status, restored.lastError, restored.configuredSecrets], ['connected', null, ['webhookSecret']]);
  });

  test('a payout provider is restored only with the secrets that its type requires, and not as the default', async () => {
    const secrets = { clientId: 'paypal-client', clientSecret: 'paypal-secret' };
    const { id } = await connect({ type: 'paypal', name: 'Restored', isDefault: true, secrets });
    const patch = (body: object) => service.request('PATCH', `${path()}/${id}`, { body });
    for (const body of [{ isDefault: true }, { secrets }, { config: {} }])
      assert.deepEqual((await patch({ status: 'archived', ...body })).body.details[0].path, Object.keys(body));
    assert.equal((await patch({ status: 'archived' })).body.isDefault, false);
    const incomplete = await patch({ status: 'connected', secrets: { clientId: 'paypal-client' } });
    assert.deepEqual([incomplete.status, incomplete.body.details[0].path], [400, ['secrets', 'clientSecret']]);
    const { body } = await patch({ status: 'connected', secrets });
    assert.deepEqual([body.status, body.isDefault], ['connected', false]);
  });

  test('a provider with open payouts cannot be archived', async () => {
    const { id } = await payout('Paying');
    const { programId } = service.program;
    const affiliate = await anAffiliate(service);
    const [batch, item] = [service.ctx.ids.uuid(), service.ctx.ids.uuid()];
    await service.pool.query(
      `insert into payout_batches (program_id, id, provider_id, provider_type, currency, total_cents, payout_count, cutoff_at, dispatched_by_kind, dispatched_by_id, needs_approval, created_at)
       values ($1, $2, $3, 'manual', 'USD', 5, 1, now(), 'api_key', 'k', false, now())`,
      [programId, batch, id],
    );
    await service.pool.query(
      `insert into payouts (program_id, id, batch_id, affiliate_id, amount_cents, currency, status, period_start_at, period_end_at, created_at, updated_at)
       values ($1, $2, $3, $4, 5, 'USD', 'unknown', now(), now(), now(), now())`,
      [programId, item, batch, affiliate.id],
    );
    const archive = () => service.request('PATCH', `${path()}/${id}`, { body: { status: 'archived' } });
    const rejected = await archive();
    assert.deepEqual([rejected.status, rejected.body.code, rejected.body.open], [400, 'payouts_open', 1]);
    await service.pool.query(`update payouts set status = 'paid' where id = $1`, [item]);
    assert.equal((await archive()).body.status, 'archived');
  });

  test('the list filters by kind, type, status, time and a part of the name, and sorts', async () => {
    const [first, second] = [await payout('Listed 50%'), await connect({ type: 'csv', name: 'listed 500' })];
    await connect({ type: 'generic', name: 'Listed shop' });
    await service.request('PATCH', `${path()}/${first.id}`, { body: { status: 'archived' } });
    const list = async (query: string) =>
      (await service.request('GET', `${path()}?${query}`)).body.providers.map(({ name }: { name: string }) => name);
    assert.deepEqual(await list('search=LISTED&sort=name&kind=payout'), ['Listed 50%', 'listed 500']);
    assert.deepEqual(await list('search=50%25'), ['Listed 50%']);
    assert.deepEqual(await list('search=listed&status=connected&status=needs_attention&kind=payout'), ['listed 500']);
    assert.deepEqual(await list('search=listed&status=archived'), ['Listed 50%']);
    assert.deepEqual(await list('search=listed&type=csv&type=generic'), ['Listed shop', 'listed 500']);
    const later = new Date(Date.parse(second.createdAt) + 3_600_000).toISOString();
    assert.deepEqual(await list(`search=listed&createdFrom=${later}`), []);
  });

  test('a test reports whether the settings work, and the provider records the outcome', async () => {
    const { id } = await connect({ type: 'stripe', name: 'Tried' });
    const run = async () => (await service.request('POST', `${path()}/${id}/test`)).body;
    const unset = await run();
    assert.deepEqual([unset.works, unset.code, unset.provider.status], [false, 'missing_secret', 'needs_attention']);
    await service.request('PATCH', `${path()}/${id}`, { body: { secrets: { webhookSecret: 'whsec_set_now' } } });
    assert.deepEqual([(await run()).code, (await run()).provider.status], ['events_only', 'connected']);
    const unreachable = { secrets: { apiKey: 'sk_test_unreachable' }, config: { apiUrl: 'http://127.0.0.1:1' } };
    await service.request('PATCH', `${path()}/${id}`, { body: unreachable });
    const lost = await run();
    assert.deepEqual([lost.works, lost.code, lost.provider.status], [false, 'no_response', 'needs_attention']);
    assert.match(lost.provider.lastError, /could not be reached/);
    await assertNowhere('sk_test_unreachable');
  });

  describe('a new address only receives secrets that were sent with it', () => {
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
        const fault = (name: string) => ({ path: ['secrets', name], message: 'must be sent again, because the address changes' });
        const none = await change({ config });
        assert.deepEqual([none.status, none.body.details], [400, [first, second].sort().map(fault)]);
        const one = await change({ config, secrets: { [first]: 'another_value' } });
        assert.deepEqual([one.status, one.body.details], [400, [fault(second)]]);
        assert.deepEqual((await service.request('GET', `${path()}/${id}`)).body.config, made.config);
        assert.equal((await change({ config: given.config, name: 'The same address' })).status, 200);
        assert.equal((await change({ config, secrets: given.secrets })).status, 200);
      });
    }

    test('a secret that only signs can stay', async () => {
      const rail = await payout('Rail', { type: 'external_webhook', config: { url: 'https://rail.example/pay' } });
      const moved = await service.request('PATCH', `${path()}/${rail.id}`, { body: { config: { url: 'https://rail.example.org/pay' } } });
      assert.equal(moved.status, 200, moved.text);
    });
  });

  /** Fails if a table or the log contains one of these texts. */
  async function assertNowhere(...texts: string[]): Promise<void> {
    const { rows } = await service.pool.query(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of rows) {
      const { rows: found } = await service.pool.query(
        `select 1 from ${name} as one where exists (select 1 from unnest($1::text[]) as secret where one::text like '%' || secret || '%')`,
        [texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])],
      );
      assert.equal(found.length, 0, `${name} contains a secret`);
    }
    for (const text of texts) assert.ok(!service.log.some((line) => line.includes(text)), 'the log contains a secret');
  }
});
