// Refunds and disputes through the real server, to the cent: commissions, ledger, balances, totals.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { matureAll } from '../commissions/mature.ts';

let service: TestService;
let ada: { id: string };
let una: { id: string };
let serial = 0;

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  await aRule(service, { rate: 2.5, level: 2 });
  una = await anAffiliate(service, { status: 'active' });
  ada = await anAffiliate(service, { status: 'active', parentAffiliateId: una.id });
});
after(() => service.close());

afterEach(async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});

const refund = (orderId: string, given: Record<string, unknown> = {}) => {
  serial += 1;
  return service.request('POST', '/v1/refunds', { body: { refundId: `re-${serial}`, orderId, ...given } });
};
const dispute = (disputeId: string, orderId: string, status: string, given: object = {}) =>
  service.request('POST', '/v1/disputes', { body: { disputeId, orderId, status, ...given } });
const order = (orderId: string, given: Record<string, unknown> = {}) => anOrder(service, { orderId, affiliateId: ada.id, ...given });
const owed = async (id: string) => {
  const { body } = await service.request('GET', `${service.program.path}/affiliates/${id}/balance`);
  return [body.pendingCents, body.availableCents];
};
const read = async (id: string) => (await service.request('GET', `${service.program.path}/conversions/${id}`)).body;

describe('a refund', () => {
  test('in seven parts ends at exactly 0 on both levels', async () => {
    const before = [await owed(ada.id), await owed(una.id)];
    // 999: level 1 99.9 → 100, level 2 24.975 → 25.
    await order('seven', { amountCents: 999 });
    // Level 1 after 143, 286, … as in the examples of money: 14 29 43 57 72 86 100.
    // Level 2, 25 × sum / 999: 3.58→4 7.16→7 10.7→11 14.3→14 17.9→18 21.5→21 (21.47) 25.
    const expected = [
      [-14, -4],
      [-15, -3],
      [-14, -4],
      [-14, -3],
      [-15, -4],
      [-14, -3],
      [-14, -4],
    ];
    for (const [index, amountCents] of [143, 143, 143, 143, 143, 143, 141].entries()) {
      const { status, body } = await refund('seven', { amountCents });
      assert.equal(status, 201);
      assert.deepEqual(
        body.adjustments.map(({ amountCents: cents }: { amountCents: number }) => cents),
        expected[index],
        `part ${index + 1}`,
      );
      assert.equal(body.remainingCents, [856, 713, 570, 427, 284, 141, 0][index]);
    }
    assert.deepEqual([await owed(ada.id), await owed(una.id)], before);
    assert.equal((await refund('seven')).status, 422);
  });

  test('of a line reverses what that line earned, and nothing of the others', async () => {
    const tea = await aProduct(service, { name: 'Tea' });
    await aRule(service, { rate: 40, productId: tea });
    const { id } = await order('lines', {
      amountCents: 3000,
      items: [
        { productId: tea, quantity: 3, amountCents: 1000 },
        { name: 'Mug', amountCents: 2000 },
      ],
    });
    // Tea: 400 and the upline's 25; the mug: 200 and 50.
    const unit = await refund('lines', { items: [{ productId: tea, quantity: 1 }] });
    // One of three: 333.33 → 333; 400 × 333 / 1000 = 133.2 → 133; 25 × 0.333 = 8.3 → 8.
    assert.deepEqual(
      [unit.body.amountCents, unit.body.adjustments.map(({ amountCents }: { amountCents: number }) => amountCents)],
      [333, [-133, -8]],
    );
    const mug = await refund('lines', { items: [{ position: 1 }] });
    assert.deepEqual(
      mug.body.adjustments.map(({ amountCents }: { amountCents: number }) => amountCents),
      [-200, -50],
    );
    const rest = await refund('lines');
    assert.deepEqual([rest.body.amountCents, rest.body.remainingCents], [667, 0]);
    assert.equal((await read(id)).status, 'reversed');
  });

  test('by quantity counts the units that are already refunded', async () => {
    const items = [{ quantity: 3, amountCents: 1000 }, { amountCents: 2000 }];
    const { id } = await order('units', { amountCents: 3000, items });
    const remaining = async () => (await service.request('GET', `${service.program.path}/conversions/${id}/explanation`)).body.items[0];
    assert.equal((await remaining()).remainingQuantity, 3);
    const units = (...quantities: number[]) => ({ items: quantities.map((quantity) => ({ position: 0, quantity })) });
    assert.equal((await refund('units', units(2))).body.amountCents, 667);
    assert.equal((await remaining()).remainingQuantity, 1);
    const before = await owed(ada.id);
    for (const [given, item] of [
      [units(2), 0],
      [units(1, 1), 1],
    ] as const) {
      const { status, body } = await refund('units', given);
      assert.deepEqual(
        [status, body.details],
        [
          400,
          [
            {
              path: ['items', String(item), 'quantity'],
              message: `must not exceed the quantity of this line that is not refunded yet (${1 - item})`,
            },
          ],
        ],
      );
    }
    assert.deepEqual(await owed(ada.id), before);
    assert.equal((await refund('units', units(1))).body.amountCents, 333);
    assert.equal((await remaining()).remainingQuantity, 0);
  });

  test('without items is split over the remaining amounts of the lines', async () => {
    await order('split', { amountCents: 300, items: [{ amountCents: 100 }, { amountCents: 200 }] });
    await refund('split', { items: [{ position: 0, amountCents: 100 }] });
    const { body } = await refund('split', { amountCents: 150 });
    const { rows } = await service.pool.query('select position, amount_cents from refund_lines where refund_id = $1', [body.id]);
    assert.deepEqual(rows, [{ position: 1, amount_cents: 150 }]);
  });

  test('of more than the remaining amount is 400 and changes nothing', async () => {
    await order('over', { amountCents: 1000, items: [{ amountCents: 400 }, { amountCents: 600 }] });
    const before = await owed(ada.id);
    for (const [given, path] of [
      [{ amountCents: 1001 }, ['amountCents']],
      [{ items: [{ position: 0, amountCents: 401 }] }, ['items', '0', 'amountCents']],
      [{ items: [{ position: 5 }] }, ['items', '0']],
      [{ items: [{ position: 0, quantity: 2 }] }, ['items', '0', 'quantity']],
      [{ items: [{ position: 0, amountCents: 100 }], amountCents: 200 }, ['amountCents']],
      [{ amountCents: 0 }, ['amountCents']],
      [{ reason: 'because' }, ['reason']],
    ] as const) {
      const { status, body } = await refund('over', given);
      assert.deepEqual([status, body.details?.[0].path], [400, path], JSON.stringify(given));
    }
    assert.deepEqual(await owed(ada.id), before);
  });

  test('reported again is 409, even after a full refund; of an unknown order 404', async () => {
    await order('twice');
    const body = { refundId: 'same', orderId: 'twice' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.request('POST', '/v1/refunds', { body })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
    assert.equal((await service.request('POST', '/v1/refunds', { body: { ...body, orderId: 'nowhere' } })).status, 404);
  });

  test('of a flat commission is pro rata, or keeps it until the full refund, as the program is set', async () => {
    const person = await anAffiliate(service, { status: 'active' });
    const override = { commissionOverrideType: 'flat', commissionOverrideRate: 500 };
    await service.request('PATCH', `${service.program.path}/affiliates/${person.id}`, { body: override });
    await order('flat 1', { affiliateId: person.id, amountCents: 3000 });
    await refund('flat 1', { amountCents: 1000 });
    assert.deepEqual(await owed(person.id), [333, 0]); // 500 × 1000 / 3000 = 166.7 → 167
    await refund('flat 1');
    await service.request('PATCH', service.program.path, { body: { flatRefunds: 'keep' } });
    await order('flat 2', { affiliateId: person.id, amountCents: 3000 });
    await refund('flat 2', { amountCents: 2999 });
    assert.deepEqual(await owed(person.id), [500, 0]);
    await refund('flat 2');
    assert.deepEqual(await owed(person.id), [0, 0]);
    await service.request('PATCH', service.program.path, { body: { flatRefunds: 'pro_rata' } });
  });

  test('after maturing reduces the available balance; of a held commission the pending balance', async () => {
    await order('matured', { amountCents: 10_000 });
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    const [pending, available] = await owed(ada.id);
    const { body } = await refund('matured', { amountCents: 5000 });
    assert.equal(body.adjustments[0].effect, 'reduced_available');
    assert.deepEqual(await owed(ada.id), [pending, available - 500]);
    const held = await order('held', { amountCents: 10_000 });
    await service.request('POST', `${service.program.path}/commissions/${held.commissions[0].id}/hold`, { body: { note: 'x' } });
    await refund('held', { amountCents: 5000 });
    const after = await read(held.id);
    assert.deepEqual([after.status, after.commissions[0].status, after.commissions[0].reversedCents], ['held', 'held', 500]);
  });

  test('is listed with its adjustments, filtered, expanded and read by id', async () => {
    const { body } = await service.request('GET', `${service.program.path}/refunds?orderId=seven`);
    assert.equal(body.total, 7);
    assert.equal(body.refunds.flatMap(({ adjustments }: { adjustments: object[] }) => adjustments).length, 14);
    const [last] = body.refunds;
    const { body: one } = await service.request('GET', `${service.program.path}/refunds/${last.id}?expand=conversion`);
    const { conversion, ...refund } = one;
    assert.deepEqual([refund, conversion.id, conversion.orderId], [last, last.conversionId, 'seven']);
    const list = async (query: string) => (await service.request('GET', `${service.program.path}/refunds?${query}`)).body;
    assert.equal((await list(`conversionId=${last.conversionId}&reason=refund&reason=fraud`)).total, 7);
    assert.equal((await list(`refundId=${last.refundId}`)).total, 1);
    assert.equal((await list(`conversionId=${last.conversionId}&occurredTo=2020-01-01T00:00:00Z`)).total, 0);
  });
});

describe('a dispute', () => {
  test('opened holds, won releases', async () => {
    const { id } = await order('won');
    assert.equal((await dispute('d1', 'won', 'opened')).status, 201);
    assert.equal((await read(id)).status, 'held');
    assert.equal((await dispute('d1', 'won', 'won')).status, 200);
    assert.equal((await read(id)).status, 'pending');
    assert.equal((await dispute('d1', 'won', 'opened')).body.status, 'won');
    assert.equal((await read(id)).status, 'pending');
  });

  test('lost reverses, and won later restores to the cent', async () => {
    const before = [await owed(ada.id), await owed(una.id)];
    const { id } = await order('lost', { amountCents: 999 });
    const earned = [await owed(ada.id), await owed(una.id)];
    await dispute('d2', 'lost', 'opened');
    const { body } = await dispute('d2', 'lost', 'lost');
    assert.deepEqual(
      body.adjustments.map(({ amountCents }: { amountCents: number }) => amountCents),
      [-100, -25],
    );
    assert.equal((await read(id)).status, 'reversed');
    assert.deepEqual([await owed(ada.id), await owed(una.id)], before);
    assert.equal((await dispute('d2', 'lost', 'lost')).status, 200);
    assert.equal((await dispute('d2', 'lost', 'opened')).body.status, 'lost');
    const won = await dispute('d2', 'lost', 'won');
    assert.deepEqual(
      won.body.adjustments.map(({ amountCents }: { amountCents: number }) => amountCents),
      [100, 25],
    );
    assert.deepEqual([await owed(ada.id), await owed(una.id)], earned);
    const again = await read(id);
    assert.deepEqual([again.status, again.refundedCents], ['pending', 0]);
  });

  test('of a part reverses that part and leaves the rest', async () => {
    const { id } = await order('part', { amountCents: 1000 });
    await dispute('d3', 'part', 'lost', { amountCents: 400 });
    const { refundedCents, commissions, status } = await read(id);
    assert.deepEqual([refundedCents, commissions[0].reversedCents, status], [400, 40, 'pending']);
  });

  test('of a fully refunded order reverses nothing more', async () => {
    await order('gone');
    await refund('gone');
    const { status, body } = await dispute('d4', 'gone', 'lost');
    assert.deepEqual([status, body.adjustments], [201, []]);
  });

  test('of another order under the same id is 400, of an unknown order 404', async () => {
    await order('other');
    assert.equal((await dispute('d4', 'other', 'won')).status, 400);
    assert.equal((await dispute('d9', 'nowhere', 'opened')).status, 404);
  });
});
