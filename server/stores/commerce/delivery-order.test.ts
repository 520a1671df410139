// The guarantee of the inbox: deliveries in any order, and repeated any number of times, lead to the same ledger.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { anAffiliate, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { type Scenario, scenarios } from '../../../test/support/stores/scenarios.ts';
import {
  aStore,
  getExternalId,
  type StoreMessage,
  type StoreName,
  storeNames,
  type TestStore,
} from '../../../test/support/stores/stores.ts';
import { often } from '../../../test/support/time/length.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

describe('late, repeated and reordered deliveries', () => {
  let service: TestService;
  let serial = 100;
  const stores = new Map<StoreName, TestStore>();
  before(async () => {
    service = await openTestService();
    await aRule(service, { rate: 12.5 });
    const product = await aProduct(service, { externalId: '788032119674292', sku: 'A' });
    await aRule(service, { productId: product, rate: 33.3 });
    for (const type of storeNames) stores.set(type, await aStore(service, type));
  });
  after(() => service.close());

  /** Delivers the messages of a scenario in this order, and returns the resulting ledger. */
  async function run(
    { type, events }: Scenario,
    order: (messages: StoreMessage[]) => { message: StoreMessage; drains: boolean }[],
  ): Promise<object> {
    serial += 1;
    const store = stores.get(type) ?? assert.fail();
    const ada = await anAffiliate(service, { status: 'active' });
    const messages = events(serial, ada.referralCode);
    for (const { message, drains } of order(messages)) {
      assert.equal((await store.send(message)).status, 200);
      if (drains) await service.drain();
    }
    await service.drain();
    const ids = messages.map((message) => getExternalId(type, message));
    const open = (await store.events()).filter(
      ({ externalId, status }) => ids.includes(externalId) && !['processed', 'ignored'].includes(status),
    );
    assert.deepEqual(open, []);
    return readLedger(ada.id);
  }

  async function readLedger(affiliateId: string): Promise<object> {
    const query = async (text: string) => (await service.pool.query(text, [affiliateId])).rows;
    return {
      balance: await query(
        `select pending_cents, available_cents, in_transit_cents, paid_cents from ledger_balances where affiliate_id = $1`,
      ),
      orders: await query(`select amount_cents, refunded_cents from conversions where affiliate_id = $1 order by created_at, order_id`),
      lines: await query(`select line.position, sum(line.amount_cents) as cents from refunds as refund
        join conversions as conversion on conversion.id = refund.conversion_id join refund_lines as line on line.refund_id = refund.id
        where conversion.affiliate_id = $1 and refund.undone_at is null group by line.position order by line.position`),
      disputes:
        await query(`select dispute.status from disputes as dispute join conversions as conversion on conversion.id = dispute.conversion_id
        where conversion.affiliate_id = $1`),
      commissions: await query(`select amount_cents, reversed_cents, status from commissions where affiliate_id = $1 order by positions`),
    };
  }

  for (const [name, scenario] of Object.entries(scenarios)) {
    test(name, async () => {
      const expected = await run(scenario, (messages) => messages.map((message) => ({ message, drains: true })));
      const { orders } = expected as { orders: { refunded_cents: string }[] };
      assert.deepEqual(
        orders.map((order) => Number(order.refunded_cents)),
        [scenario.refundedCents],
      );
      const places = scenario.events(0, 'CODE').map((_, index) => index);
      const anyOrder = fc
        .array(fc.constantFrom(...places), { maxLength: 4 })
        .chain((repeats) => fc.shuffledSubarray([...places, ...repeats], { minLength: places.length + repeats.length }));
      await fc.assert(
        fc.asyncProperty(anyOrder, fc.infiniteStream(fc.boolean()), async (order, drains) => {
          const ledger = await run(scenario, (messages) =>
            order.map((place) => ({ message: messages[place] ?? assert.fail(), drains: drains.next().value ?? false })),
          );
          assert.deepEqual(ledger, expected, `delivered in the order ${order}`);
        }),
        { numRuns: often(6) },
      );
    });
  }

  for (const [name, scenario] of Object.entries(scenarios)) {
    test(`${name}: fields that the store adds in the future change nothing`, async () => {
      const expected = await run(scenario, (messages) => messages.map((message) => ({ message, drains: true })));
      const later = { ...scenario, events: (n: number, code: string) => scenario.events(n, code).map(addUnknownFields) };
      assert.deepEqual(await run(later, (messages) => messages.map((message) => ({ message, drains: true }))), expected);
    });
  }

  test('every invariant holds', async () => {
    const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
    assert.deepEqual(broken, []);
  });
});

/** The message with further fields in each of its objects, as a newer version of the store's API may send them. */
function addUnknownFields(message: StoreMessage): StoreMessage {
  return { ...message, body: withUnknownFields(message.body) as Record<string, unknown> };
}

function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withUnknownFields(field)]));
  return { zz_first: null, ...known, zz_object: { enabled: true, values: [1, 'a', null] }, zz_list: [{ id: 7 }], zz_text: '' };
}
