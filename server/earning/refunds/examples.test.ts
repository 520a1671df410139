// Worked examples of refunds through the real server. Every step checks each commission, each ledger entry, balances and
// lifetime totals to the cent, that all accounts add up to 0, and that the hash chain is intact.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { matureAll } from '../commissions/mature.ts';
import { verifyChain } from '../ledger/verify-chain.ts';

let service: TestService;
let tea: string;
/** Ada is credited at 10 %, and Una, her upline, earns 2.5 %. New for each example, so that their totals start at 0. */
let ada: { id: string; email: string };
let una: { id: string; email: string };
let seen = 0;
let serial = 0;

before(async () => {
  service = await openTestService();
  tea = await aProduct(service, { name: 'Tea' });
  await aRule(service, { rate: 10 });
  await aRule(service, { rate: 40, productId: tea });
  await aRule(service, { rate: 2.5, level: 2 });
});
after(() => service.close());
beforeEach(async () => {
  una = await anAffiliate(service, { status: 'active' });
  ada = await anAffiliate(service, { status: 'active', parentAffiliateId: una.id });
  seen = (await verifyChain(service.ctx.db, service.program.programId, { isFull: true })).entryCount;
});
afterEach(async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});

const post = (path: string, body: object) => service.request('POST', path, { body });
const refund = (given: object = {}, orderId = `order of ${ada.id}`) => {
  serial += 1;
  return post('/v1/refunds', { refundId: `re-${serial}`, orderId, ...given });
};
const order = (amountCents: number, given: object = {}) =>
  anOrder(service, { orderId: `order of ${ada.id}`, affiliateId: ada.id, amountCents, ...given });
const ofFirst = async (action: string, body: object) => {
  const { rows } = await service.pool.query("select id from commissions where affiliate_id = $1 and kind = 'order' order by id", [ada.id]);
  return post(`${service.program.path}/commissions/${rows[0].id}/${action}`, body);
};
const mature = async () => {
  service.clock.advance({ days: 31 });
  await matureAll(service.ctx);
};

type Cents = [pending: number, available: number, lifetime: number];

/** `commissions`: "level status amount−reversed". `moved`: the entries since the last look. */
async function sees(commissions: string[], people: { ada: Cents; una: Cents }, moved: string[]): Promise<void> {
  const ask = async (text: string, values: unknown[] = [[ada.id, una.id]]) => (await service.pool.query(text, values)).rows;
  const name = (id: string) => (id === ada.id ? 'ada' : 'una');
  const rows = await ask(`select * from commissions where affiliate_id = any($1) order by level, created_at, id`);
  assert.deepEqual(
    rows.map((row) => `${row.level} ${row.status} ${row.amount_cents}−${row.reversed_cents}`),
    commissions,
  );
  const entries = await ask('select * from ledger_entries where affiliate_id = any($1) and seq > $2 order by seq', [
    [ada.id, una.id],
    seen,
  ]);
  const written = entries.map(
    ({ kind, affiliate_id, debit, credit, cents }) => `${kind} ${name(affiliate_id)} ${debit}→${credit} ${cents}`,
  );
  assert.deepEqual(written.sort(), [...moved].sort());
  const sums = await ask(`select person.id, coalesce(pending_cents, 0) as pending, coalesce(available_cents, 0) as available,
      coalesce(in_transit_cents + paid_cents, 0) as gone, commission_cents
    from affiliates as person left join ledger_balances as balance on balance.affiliate_id = person.id where person.id = any($1)`);
  const got = sums.map(({ id, pending, available, commission_cents }) => [name(id), [pending, available, commission_cents]]);
  assert.deepEqual(Object.fromEntries(got), people);
  assert.ok(sums.every(({ gone }) => gone === 0));
  const [all] = await ask(
    `select commissions_cents + (select sum(pending_cents + available_cents + in_transit_cents + paid_cents)
      from ledger_balances where program_id = $1)::bigint as cents from ledger_heads where program_id = $1`,
    [service.program.programId],
  );
  assert.equal(all?.cents, 0);
  const chain = await verifyChain(service.ctx.db, service.program.programId, { isFull: true });
  assert.deepEqual(chain.faults, []);
  seen = chain.entryCount;
}

const earned = ['accrue ada commissions→pending 100', 'accrue una commissions→pending 25'];
/** The entries of a refund before the commission is payable; none for 0. */
const back = (ofAda: number, ofUna: number, from = 'pending') => [
  ...(ofAda > 0 ? [`reverse ada ${from}→commissions ${ofAda}`] : []),
  ...(ofUna > 0 ? [`reverse una ${from}→commissions ${ofUna}`] : []),
];
const nothing = { ada: [0, 0, 0] as Cents, una: [0, 0, 0] as Cents };
const whole = { ada: [100, 0, 100] as Cents, una: [25, 0, 25] as Cents };
const status = (of: number, all: number) => (of === all ? 'reversed' : 'pending');

describe('999 earns 100 (99.9) and 25 (24.975); refunded', () => {
  // Cumulative cents → of 100 and of 25, e.g. 143: 14300/999=14.31, 3575/999=3.58. At 998 it is 99.90 and 24.97: all.
  const sums: Record<number, [number, number]> = {
    1: [0, 0],
    143: [14, 4],
    286: [29, 7],
    429: [43, 11],
    572: [57, 14],
    715: [72, 18],
    858: [86, 21],
    498: [50, 12],
    499: [50, 12],
    500: [50, 13],
    501: [50, 13],
    998: [100, 25],
    999: [100, 25],
  };
  for (const parts of [[999], [143, 143, 143, 143, 143, 143, 141], [1, 500, 498], [498, 1, 500], [500, 498, 1]])
    test(`in parts of ${parts.join(', ')} the commissions end at exactly 0`, async () => {
      await order(999);
      await sees(['1 pending 100−0', '2 pending 25−0'], whole, earned);
      let [refunded, ofAda, ofUna] = [0, 0, 0];
      for (const amountCents of parts) {
        const { body } = await refund({ amountCents });
        refunded += amountCents;
        assert.deepEqual([body.amountCents, body.refundedCents, body.remainingCents], [amountCents, refunded, 999 - refunded]);
        const [nextAda = 0, nextUna = 0] = sums[refunded] ?? [];
        const left = { ada: [100 - nextAda, 0, 100 - nextAda] as Cents, una: [25 - nextUna, 0, 25 - nextUna] as Cents };
        const commissions = [`1 ${status(nextAda, 100)} 100−${nextAda}`, `2 ${status(nextUna, 25)} 25−${nextUna}`];
        await sees(commissions, left, back(nextAda - ofAda, nextUna - ofUna));
        [ofAda, ofUna] = [nextAda, nextUna];
      }
      assert.equal((await refund()).status, 422);
      await sees(['1 reversed 100−100', '2 reversed 25−25'], nothing, []);
    });

  test('with an invalid, unknown or repeated refund, nothing changes: 400, 404, 409', async () => {
    await order(999);
    await refund({ refundId: `once ${ada.id}`, amountCents: 500 });
    const half = { ada: [50, 0, 50] as Cents, una: [12, 0, 12] as Cents };
    await sees(['1 pending 100−50', '2 pending 25−13'], half, [...earned, ...back(50, 13)]);
    const wrong: [number, object][] = [
      [400, { amountCents: 500 }],
      [400, { amountCents: 0 }],
      [400, { items: [{ position: 0, amountCents: 500 }] }],
      [400, { items: [{ position: 1 }] }],
      [409, { refundId: `once ${ada.id}`, amountCents: 1 }],
      [404, { orderId: 'nowhere' }],
    ];
    for (const [answer, given] of wrong) assert.equal((await refund(given)).status, answer, JSON.stringify(given));
    await sees(['1 pending 100−50', '2 pending 25−13'], half, []);
  });

  test('half before and half after maturing', async () => {
    await order(999);
    await refund({ amountCents: 499 });
    await mature();
    const matured = ['mature ada pending→available 50', 'mature una pending→available 13'];
    const left = { ada: [0, 50, 50] as Cents, una: [0, 13, 13] as Cents };
    await sees(['1 approved 100−50', '2 approved 25−12'], left, [...earned, ...back(50, 12), ...matured]);
    const { body } = await refund();
    assert.deepEqual(
      body.adjustments.map(({ amountCents, effect }: { amountCents: number; effect: string }) => [amountCents, effect]),
      [[-50, 'reduced_available'], [-13, 'reduced_available']], // biome-ignore format: two people
    );
    await sees(['1 reversed 100−100', '2 reversed 25−25'], nothing, back(50, 13, 'available'));
  });

  test('while held, and released afterwards', async () => {
    await order(999);
    await ofFirst('hold', { note: 'waiting' });
    await refund({ amountCents: 500 });
    const left = { ada: [50, 0, 50] as Cents, una: [12, 0, 12] as Cents };
    await sees(['1 held 100−50', '2 pending 25−13'], left, [...earned, ...back(50, 13)]);
    await mature();
    await sees(['1 held 100−50', '2 approved 25−13'], { ...left, una: [0, 12, 12] }, ['mature una pending→available 12']);
    await ofFirst('release', {});
    await sees(['1 approved 100−50', '2 approved 25−13'], { ada: [0, 50, 50], una: [0, 12, 12] }, ['mature ada pending→available 50']);
    await refund();
    await sees(['1 reversed 100−100', '2 reversed 25−25'], nothing, back(50, 12, 'available'));
  });

  test('after adjustments up and down, before and between refunds', async () => {
    await order(999);
    await ofFirst('adjust', { amountCents: -30, note: 'shipping' });
    await refund({ amountCents: 500 });
    // Of −30: 15000/999=15.02→15 restored. A later +7 is for the remaining 499.
    await ofFirst('adjust', { amountCents: 7, note: 'sorry' });
    const moved = ['adjust ada pending→commissions 30', ...back(50, 13), 'reverse ada commissions→pending 15'];
    const left = { ada: [42, 0, 42] as Cents, una: [12, 0, 12] as Cents }; // 50 − 15 + 7
    const rows = ['1 pending 100−50', '1 pending -30−-15', '1 pending 7−0', '2 pending 25−13'];
    await sees(rows, left, [...earned, ...moved, 'adjust ada commissions→pending 7']);
    await refund();
    const all = ['1 reversed 100−100', '1 reversed -30−-30', '1 reversed 7−7', '2 reversed 25−25'];
    await sees(all, nothing, [...back(50, 12), 'reverse ada commissions→pending 15', 'reverse ada pending→commissions 7']);
  });
});

describe('a cart of three teas for 1000 (400 and 25) and a mug for 2000 (200 and 50), refunded', () => {
  const cart = () =>
    order(3000, {
      items: [
        { productId: tea, quantity: 3, amountCents: 1000 },
        { name: 'Mug', amountCents: 2000 },
      ],
    });
  const booked = ['accrue ada commissions→pending 400', 'accrue ada commissions→pending 200'];
  const above = ['accrue una commissions→pending 25', 'accrue una commissions→pending 50'];

  test('one tea at a time: 333, 333, and the last takes the odd cent', async () => {
    await cart();
    const unit = { items: [{ productId: tea, quantity: 1 }] };
    assert.equal((await refund(unit)).body.amountCents, 333); // 400×333/1000=133.2→133; 25×0.333=8.3→8
    const first = ['1 pending 400−133', '1 pending 200−0', '2 pending 25−8', '2 pending 50−0'];
    await sees(first, { ada: [467, 0, 467], una: [67, 0, 67] }, [...booked, ...above, ...back(133, 8)]);
    assert.equal((await refund(unit)).body.amountCents, 333); // 666: 266.4→266, 16.65→17
    const second = ['1 pending 400−266', '1 pending 200−0', '2 pending 25−17', '2 pending 50−0'];
    await sees(second, { ada: [334, 0, 334], una: [58, 0, 58] }, back(133, 9));
    assert.equal((await refund(unit)).body.amountCents, 334);
    const third = ['1 reversed 400−400', '1 pending 200−0', '2 reversed 25−25', '2 pending 50−0'];
    await sees(third, { ada: [200, 0, 200], una: [50, 0, 50] }, back(134, 8));
    assert.equal((await refund(unit)).status, 400);
  });

  test('two teas together, the mug as a line, then the rest', async () => {
    await cart();
    assert.equal((await refund({ items: [{ position: 0, quantity: 2 }, { position: 1 }] })).body.amountCents, 2667); // 666.67→667
    const rows = ['1 pending 400−267', '1 reversed 200−200', '2 pending 25−17', '2 reversed 50−50']; // 266.8→267, 16.675→17
    const moved = [...back(267, 17), ...back(200, 50)];
    await sees(rows, { ada: [133, 0, 133], una: [8, 0, 8] }, [...booked, ...above, ...moved]);
    const rest = await refund();
    assert.deepEqual([rest.body.amountCents, rest.body.remainingCents], [333, 0]);
    await sees(
      rows.map((row) => row.replace(/(\d) \w+ (\d+)−.*/, '$1 reversed $2−$2')),
      nothing,
      back(133, 8),
    );
  });

  test('an amount is split over the lines in proportion to their remaining amounts', async () => {
    await cart();
    await refund({ amountCents: 100 }); // 33.33→33 of the tea, 66.67→67 of the mug: 13.2→13, 6.7→7; 0.825→1, 1.675→2
    const rows = ['1 pending 400−13', '1 pending 200−7', '2 pending 25−1', '2 pending 50−2'];
    await sees(rows, { ada: [580, 0, 580], una: [72, 0, 72] }, [...booked, ...above, ...back(13, 1), ...back(7, 2)]);
  });
});
