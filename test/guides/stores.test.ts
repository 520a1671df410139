// The guides of stores: the code that they show passes the click of a visitor to the checkout, and what the store then sends
// credits the affiliate.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createClient } from '../../sdk/index.ts';
import { lemonSqueezyEvent, order } from '../../server/connections/stores/examples/lemon-squeezy.ts';
import { adjustment, paddleEvent, transaction } from '../../server/connections/stores/examples/paddle.ts';
import { shopifyOrder, shopifyRefund } from '../../server/connections/stores/examples/shopify.ts';
import { charge, invoice, session, stripeEvent } from '../../server/connections/stores/examples/stripe.ts';
import { wooOrder } from '../../server/connections/stores/examples/woocommerce.ts';
import { aClick, anAffiliate, aRule } from '../support/builders.ts';
import { runCode } from '../support/documents/run-code.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { aStore, type TestStore } from '../support/stores/stores.ts';

/** The stores that the console connects. Loaded at run time: its types belong to the browser. */
type Connectable = { type: string; kind: string; topics: readonly string[] };
const catalogue = new URL('../../web/console/settings/connections/catalogue.ts', import.meta.url).href;
const { listConnectable, getGuide } = (await import(catalogue)) as {
  listConnectable(kind: 'commerce' | 'payout'): readonly Connectable[];
  getGuide(connectable: Connectable): string;
};

let service: TestService;
let click: string;
let referralCode: string;
before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  const affiliate = await anAffiliate(service, { status: 'active' });
  click = await aClick(service, affiliate.id);
  referralCode = affiliate.referralCode;
});
after(() => service?.close());

type Run = (...args: unknown[]) => Promise<Record<string, unknown>>;
const runGuide = async (name: string, given: Record<string, unknown>) =>
  (await runCode(`docs/guides/${name}.md`, given)) as Record<string, Run>;
const withScript = { window: { tributary: { clickId: () => click } } };

/** Sends events of a store, one after the other; returns the outcome of each. */
async function deliver(store: TestStore, events: readonly { topic: string; body: Record<string, unknown> }[]): Promise<unknown[]> {
  const before = (await store.events()).length;
  for (const [index, event] of events.entries()) {
    assert.equal((await store.send({ id: `${store.id}-${before + index}`, ...event })).status, 200);
    await service.drain();
  }
  return (await store.events())
    .slice(0, events.length)
    .map(({ status, outcome, error }) => outcome?.status ?? error ?? status)
    .reverse();
}

const orderedAt = () => service.clock.now().toISOString();
const seconds = () => Math.floor(service.clock.now().getTime() / 1000);

describe('the guide of a store', () => {
  for (const { type, topics } of listConnectable('commerce').filter((each) => each.type !== 'generic')) {
    test(`${type}: names every event that the console asks for`, () => {
      const text = readFileSync(`docs/guides/${type.replace('_', '-')}.md`, 'utf8');
      for (const topic of topics) assert.ok(text.includes(`\`${topic}\``), topic);
      assert.ok(text.includes(`--type ${type} `), type);
    });
  }

  test('is where the console leads to, and so is that of payout providers', async () => {
    for (const connectable of [...listConnectable('commerce'), ...listConnectable('payout')]) {
      const { status, text } = await service.request('GET', getGuide(connectable), { key: null });
      assert.deepEqual([status, /<h1[ >]/.test(text)], [200, true], connectable.type);
    }
  });

  test('overview: connects a store with the client, and a custom store sends events', async () => {
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const printed: string[] = [];
    const send = (address: string, options: RequestInit) => fetch(new URL(new URL(address).pathname, url), options);
    await runGuide('stores', {
      client: createClient({ url, apiKey: service.program.key }),
      process: { env: { WEBHOOK_SECRET: 'whsec_of_the_guide' } },
      console: { log: (text: string) => void printed.push(text) },
      Webhook,
      fetch: send,
      Date: class extends Date {
        constructor() {
          super(service.clock.now());
        }
      },
      referralCode,
    });
    assert.match(printed[0] ?? '', /\/v1\/providers\/[\w-]+\/events$/);
    assert.match(printed[1] ?? '', /^Events are accepted/);
    await service.drain();
    const { providerEvents } = (await service.request('GET', `${service.program.path}/provider-events`)).body;
    const outcomes = providerEvents.map(({ outcome }: { outcome: { status: string } }) => outcome.status).sort();
    assert.deepEqual(outcomes, ['credited', 'refunded']);
  });

  test('Stripe: a checkout, its refund, a subscription and a payment link', async () => {
    const created: Record<string, unknown>[] = [];
    const stripe = { checkout: { sessions: { create: async (given: Record<string, unknown>) => created.push(given) } } };
    const link = { href: 'https://buy.stripe.com/test_1' };
    const document = { querySelectorAll: () => [link] };
    const { createCheckout, prepareLinks } = await runGuide('stripe', { stripe, document, ...withScript });
    const cookies = `a=b; trb_click=${click}; c=d`;
    for (const mode of ['payment', 'subscription']) await createCheckout?.({ priceId: 'price_1', mode, cookies });
    await createCheckout?.({ priceId: 'price_1', mode: 'payment', cookies: undefined });
    await prepareLinks?.();
    assert.equal(link.href, `https://buy.stripe.com/test_1?client_reference_id=${click}`);
    const [once, monthly, without] = created.map(({ mode, client_reference_id: id }) => ({
      mode,
      client_reference_id: id,
      created: seconds(),
    }));
    assert.deepEqual([once?.client_reference_id, without?.client_reference_id], [click, undefined]);

    const paid = { payment_status: 'paid', customer: null, customer_details: null };
    const event = (topic: string, object: Record<string, unknown>) => ({ topic, body: stripeEvent(`evt_${Math.random()}`, topic, object) });
    const parent = { subscription_details: { metadata: {}, subscription: 'sub_1' } };
    const renewal = { parent, customer: 'cus_2', customer_email: null, status_transitions: { paid_at: seconds() } };
    const outcomes = await deliver(await aStore(service, 'stripe'), [
      event('checkout.session.completed', session({ ...paid, ...once, id: 'cs_1', payment_intent: 'pi_1' })),
      event('charge.refunded', charge({ id: 'ch_1', payment_intent: 'pi_1', amount_refunded: 1000 })),
      event('checkout.session.completed', session({ ...paid, ...monthly, customer: 'cus_2', subscription: 'sub_1', payment_intent: null })),
      event('invoice.paid', invoice({ id: 'in_1', ...renewal })),
      event('invoice.paid', invoice({ id: 'in_2', ...renewal })),
      event('checkout.session.completed', session({ ...paid, ...without, id: 'cs_3', payment_intent: 'pi_3' })),
      event('charge.refunded', charge({ id: 'ch_9', payment_intent: 'pi_9', amount_refunded: 1000 })),
      event('checkout.session.completed', session({ ...paid, ...once, id: 'cs_4', payment_intent: 'pi_4', currency: 'eur' })),
    ]);
    assert.deepEqual(outcomes, [
      'credited',
      'refunded',
      'stored',
      'credited',
      'credited',
      'unattributed',
      'The order of this event has not arrived yet.',
      'Order cs_4 was rejected: currency must be USD, the currency of the program.',
    ]);
  });

  test('Shopify: the click becomes an attribute of the cart, once', async () => {
    const attributes: Record<string, string> = {};
    let updates = 0;
    const fetch = async (path: string, options?: { body: string }) => {
      if (path === '/cart.js') return Response.json({ attributes });
      assert.equal(path, '/cart/update.js');
      updates += 1;
      return Response.json(Object.assign(attributes, JSON.parse(options?.body ?? '').attributes));
    };
    const loaded: (() => Promise<void>)[] = [];
    const addEventListener = (_type: string, run: () => Promise<void>) => void loaded.push(run);
    await runGuide('shopify', { fetch, addEventListener, ...withScript });
    for (const load of [...loaded, ...loaded]) await load();
    assert.deepEqual([attributes, updates], [{ trb_click: click }, 1]);

    const noted = Object.entries(attributes).map(([name, value]) => ({ name, value }));
    const anonymous = { email: null, customer: null, processed_at: orderedAt() };
    const bought = (id: number, given: object) => ({ topic: 'orders/paid', body: shopifyOrder({ id, ...anonymous, ...given }) });
    const outcomes = await deliver(await aStore(service, 'shopify'), [
      bought(1, { note_attributes: noted, customer: { id: 7 } }),
      { topic: 'refunds/create', body: shopifyRefund({ order_id: 1 }) },
      bought(2, { landing_site: `/products/tea?trb_click=${click}&ref=x` }),
      bought(3, { customer: { id: 7 } }),
      bought(4, {}),
    ]);
    assert.deepEqual(outcomes, ['credited', 'refunded', 'credited', 'credited', 'unattributed']);
  });

  test('WooCommerce: the click becomes metadata of the order', async () => {
    const own = { customer_id: 0, billing: {}, date_created_gmt: orderedAt().slice(0, 19) };
    const bought = (id: number, given: object) => ({ topic: 'order.updated', body: wooOrder({ id, ...own, ...given }) });
    const meta = [{ key: 'trb_click', value: click }];
    const visit = [{ key: '_wc_order_attribution_session_entry', value: `https://woo.example/?trb_click=${click}` }];
    const outcomes = await deliver(await aStore(service, 'woocommerce'), [
      bought(701, { meta_data: meta, status: 'pending' }),
      bought(701, { meta_data: meta }),
      bought(701, { meta_data: meta, refunds: [{ id: 1, total: '-7.77' }] }),
      bought(702, { meta_data: visit }),
      bought(703, {}),
    ]);
    assert.deepEqual(outcomes, ['ignored', 'credited', 'refunded', 'credited', 'unattributed']);
  });

  test('WooCommerce: the PHP saves the click in both checkouts', { skip: spawnSync('php', ['-v']).status !== 0 }, () => {
    const [, code = ''] = /```php\n([\s\S]*?)```/.exec(readFileSync('docs/guides/woocommerce.md', 'utf8')) ?? [];
    const wordpress = `<?php $hooks = [];
      function add_action( $hook, $run ) { global $hooks; $hooks[ $hook ] = $run; }
      function wp_unslash( $text ) { return stripslashes( $text ); }
      function sanitize_text_field( $text ) { return trim( strip_tags( $text ) ); }
      class Order { public $meta = []; function update_meta_data( $key, $value ) { $this->meta[ $key ] = $value; } }
      ${code}
      foreach ( [ '${click}', null ] as $cookie ) foreach ( $hooks as $hook => $run ) {
        $_COOKIE = $cookie ? [ 'trb_click' => $cookie ] : [];
        $order = new Order();
        if ( $hook === 'wp_head' ) continue;
        $run( $order );
        echo $hook, ' ', json_encode( $order->meta ), "\\n";
      }
      $hooks['wp_head']();`;
    const { stdout, stderr } = spawnSync('php', { input: wordpress, encoding: 'utf8' });
    const hooks = ['woocommerce_checkout_create_order', 'woocommerce_store_api_checkout_update_order_meta'];
    const saved = [`{"trb_click":"${click}"}`, '[]'].flatMap((meta) => hooks.map((hook) => `${hook} ${meta}`));
    const script = '<script src="https://affiliates.example.com/t.js" data-program="PROGRAM_ID" defer></script>';
    assert.deepEqual([stdout.split('\n'), stderr], [[...saved, script], '']);
  });

  test('Paddle: the click becomes custom data of the transaction, and covers renewals', async () => {
    const opened: { customData?: Record<string, unknown> }[] = [];
    const Paddle = { Checkout: { open: (given: object) => void opened.push(given) } };
    const { buy } = await runGuide('paddle', { Paddle, ...withScript });
    await buy?.('pri_1');
    const sold = (id: string, given: object) => ({
      topic: 'transaction.completed',
      body: paddleEvent(
        `evt_${id}`,
        'transaction.completed',
        transaction({ id, customer_id: `ctm_${id}`, billed_at: orderedAt(), ...given }),
      ),
    });
    const adjusted = (topic: string, status: string) => ({
      topic,
      body: paddleEvent(`evt_${status}`, topic, adjustment({ transaction_id: 'txn_1', status })),
    });
    const outcomes = await deliver(await aStore(service, 'paddle'), [
      sold('txn_1', { custom_data: opened[0]?.customData, subscription_id: 'sub_1' }),
      sold('txn_2', { subscription_id: 'sub_1' }),
      adjusted('adjustment.created', 'pending_approval'),
      adjusted('adjustment.updated', 'approved'),
      sold('txn_3', {}),
    ]);
    assert.deepEqual(outcomes, ['credited', 'credited', 'ignored', 'refunded', 'unattributed']);
  });

  test('Lemon Squeezy: the click is a parameter of the checkout', async () => {
    const link = { href: 'https://fern.lemonsqueezy.com/buy/1?discount=0' };
    const { prepareLinks } = await runGuide('lemon-squeezy', { document: { querySelectorAll: () => [link] }, ...withScript });
    await prepareLinks?.();
    const custom = Object.fromEntries(
      [...new URL(link.href).searchParams].flatMap(([name, value]) => {
        const field = /^checkout\[custom\]\[(\w+)\]$/.exec(name)?.[1];
        return field ? [[field, value]] : [];
      }),
    );
    const own = { customer_id: 99, user_email: null, created_at: orderedAt() };
    const sent = (topic: string, id: number, given: object, data?: object) => ({
      topic,
      body: lemonSqueezyEvent(topic, order(id, { ...own, ...given }), data),
    });
    const outcomes = await deliver(await aStore(service, 'lemon_squeezy'), [
      sent('order_created', 901, {}, custom),
      sent('order_refunded', 901, { status: 'partial_refund', refunded_amount: 330 }, custom),
      sent('order_created', 902, { customer_id: 98 }),
    ]);
    assert.deepEqual(outcomes, ['credited', 'refunded', 'unattributed']);
  });
});
