// Moves, increases and cancellations of orders at the same time as each other, as refunds and as payouts: real requests to
// two servers on one database, whose clock shows another time whenever it is read. Each response is one of those that the
// order of the requests can explain, each affiliate earns what the orders are worth in the end, and nothing is paid twice.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { matureAll } from '../../server/earning/commissions/mature.ts';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { anAffiliate, anOrder, aRule } from '../support/builders.ts';
import type { TestProgram } from '../support/harness.ts';
import { openServers, type Served, type Servers } from '../support/races/servers.ts';
import { often } from '../support/time/length.ts';

/** Orders per race; the requests for all of them are sent at the same time. */
const orders = often(3);
/** Divisible, so that no share of it is rounded. */
const amountCents = 40_000;

let servers: Servers;
let program: TestProgram;
/** Three affiliates with 10 %, and the affiliate above each, with 2.5 %. */
let people: { id: string; upline: string }[];
let serial = 0;

before(async () => {
  servers = await openServers(2);
});
after(() => servers.close());

beforeEach(async () => {
  const { service } = servers;
  program = await service.newProgram(`Races ${Math.random()}`);
  await aRule(service, { rate: 10 }, program);
  await aRule(service, { rate: 2.5, level: 2 }, program);
  people = [];
  for (let count = 0; count < 3; count += 1) {
    const { id: upline } = await anAffiliate(service, { status: 'active' }, program);
    const { id } = await anAffiliate(service, { status: 'active', parentAffiliateId: upline }, program);
    people.push({ id, upline });
  }
});

type Order = { id: string; orderId: string };
const someOrders = async (): Promise<Order[]> => {
  const made: Order[] = [];
  for (let count = 0; count < orders; count += 1)
    made.push(await anOrder(servers.service, { affiliateId: people[0]?.id, amountCents }, program));
  return made;
};
const post = (path: string, body: object) => servers.post(path, body, program.key);
const change = (id: string, action: string, body: object) => post(`${program.path}/conversions/${id}/${action}`, body);
const move = ({ id }: Order, to: number) => change(id, 'move', { affiliateId: people[to]?.id, note: 'Wrong code' });
const cancel = ({ id }: Order) => change(id, 'cancel', { note: 'Never shipped' });
const increase = ({ id }: Order, cents: number, increaseId = `i-${++serial}`) => change(id, 'increase', { increaseId, amountCents: cents });
const refund = ({ orderId }: Order, cents?: number) => {
  const refundId = `r-${++serial}`;
  return post('/v1/refunds', cents === undefined ? { refundId, orderId } : { refundId, orderId, amountCents: cents });
};
const dispatch = () => post(`${program.path}/payouts/dispatch`, { minimumPayoutCents: 0 });

/** Sends all requests of all orders at the same time, those of one order in turn to both servers. Returns the answers per order. */
async function race(made: readonly Order[], requests: (order: Order) => (() => Promise<Served>)[]): Promise<string[][]> {
  return Promise.all(made.map((order) => Promise.all(requests(order).map(async (send) => toName(await send())))));
}
const toName = ({ status, body }: Served): string => (status < 300 ? String(status) : `${status} ${body.code}`);
const count = (answers: readonly string[], name: string) => answers.filter((one) => one === name).length;

function allow(answers: readonly string[], ...names: string[]): void {
  for (const answer of answers) assert.ok(names.includes(answer), `${answer} is not one of ${names.join(', ')}`);
}

type Stored = { affiliateId: string; amountCents: number; refundedCents: number; moves: [from: string, to: string][] };

async function readOrder({ id }: Order): Promise<Stored> {
  const { rows } = await servers.service.pool.query(
    `select affiliate_id as "affiliateId", amount_cents::int as "amountCents", refunded_cents::int as "refundedCents",
       (select coalesce(json_agg(json_build_array(from_affiliate_id, to_affiliate_id) order by change.id), '[]') from order_changes as change
        where change.program_id = $1 and change.conversion_id = conversions.id and kind = 'moved') as moves
     from conversions where program_id = $1 and id = $2`,
    [program.programId, id],
  );
  return rows[0];
}

/** What every affiliate must have earned in the end, calculated only from the orders. */
async function readExpected(): Promise<Map<string, number>> {
  const { rows } = await servers.service.pool.query<{ affiliateId: string; cents: number }>(
    `select affiliate_id as "affiliateId", sum(amount_cents - refunded_cents)::int as cents from conversions where program_id = $1 group by 1`,
    [program.programId],
  );
  const expected = new Map<string, number>();
  for (const { id, upline } of people) {
    const sold = rows.find(({ affiliateId }) => affiliateId === id)?.cents ?? 0;
    expected.set(id, sold / 10).set(upline, sold / 40);
  }
  return expected;
}

type Balance = { total: number; available: number; inTransit: number; paid: number };

async function readBalances(): Promise<Map<string, Balance>> {
  const { rows } = await servers.service.pool.query(
    `select affiliate_id as id, (pending_cents + available_cents + in_transit_cents + paid_cents)::int as total,
       available_cents::int as available, in_transit_cents::int as "inTransit", paid_cents::int as paid
     from ledger_balances where program_id = $1`,
    [program.programId],
  );
  return new Map(rows.map(({ id, ...balance }) => [id, balance]));
}

async function expectExact(): Promise<void> {
  const [expected, balances] = await Promise.all([readExpected(), readBalances()]);
  for (const [id, cents] of expected) assert.equal(balances.get(id)?.total ?? 0, cents, id);
  const broken = (await checkInvariants(servers.service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
}

/** Pays until nothing is due, nets every debt with a new order, and expects that each affiliate was paid what they earned. */
async function expectPaidOnce(): Promise<void> {
  for (const { id } of people) await anOrder(servers.service, { affiliateId: id, amountCents: 100 * amountCents }, program);
  servers.service.clock.advance({ days: 40 });
  await matureAll(servers.service.ctx);
  for (let round = 0; round < 3; round += 1) {
    await payOpen();
    allow([toName(await dispatch())], '201', '422 nothing_due');
  }
  await expectExact();
  const [expected, balances] = await Promise.all([readExpected(), readBalances()]);
  for (const [id, cents] of expected) {
    const { available, inTransit, paid } = balances.get(id) ?? assert.fail();
    assert.deepEqual({ available, inTransit, paid }, { available: 0, inTransit: 0, paid: cents });
  }
}

async function openPayouts(): Promise<string[]> {
  const { rows } = await servers.service.pool.query(`select id from payouts where program_id = $1 and status = 'queued'`, [
    program.programId,
  ]);
  return rows.map(({ id }) => id);
}
const markPaid = (id: string) => post(`${program.path}/payouts/${id}/mark-paid`, {});
async function payOpen(): Promise<void> {
  allow((await Promise.all((await openPayouts()).map(markPaid))).map(toName), '200');
}

describe('orders that are changed by concurrent requests', () => {
  test('move and move: each starts from where the one before ended', async () => {
    const made = await someOrders();
    const answers = await race(made, (order) => [1, 2, 0, 1, 2].map((to) => () => move(order, to)));
    for (const [index, order] of made.entries()) {
      const { affiliateId, moves } = await readOrder(order);
      allow(answers[index] ?? [], '200', '422 nothing_to_move');
      assert.equal(count(answers[index] ?? [], '200'), moves.length);
      const ends = [people[0]?.id, ...moves.map(([, to]) => to)];
      assert.deepEqual(
        moves.map(([from]) => from),
        ends.slice(0, -1),
      );
      assert.equal(affiliateId, ends.at(-1));
    }
    await expectExact();
  });

  test('move and refund: what was refunded is reversed for the affiliate who has the order then', async () => {
    const made = await someOrders();
    const answers = await race(made, (order) => [
      () => refund(order, 4000),
      () => move(order, 1),
      () => refund(order, 8000),
      () => move(order, 2),
    ]);
    for (const all of answers) {
      allow(all, '200', '201');
      assert.equal(count(all, '201'), 2);
    }
    await expectExact();
    const whole = await race(made, (order) => [() => refund(order), () => move(order, 0), () => refund(order), () => move(order, 1)]);
    for (const all of whole) {
      allow(all, '200', '201', '422 nothing_to_refund', '422 nothing_to_move');
      assert.equal(count(all, '201'), 1);
    }
    await expectExact();
  });

  test('cancel and refund: together they return the order once', async () => {
    const made = await someOrders();
    const answers = await race(made, (order) => [() => refund(order, 4000), () => cancel(order), () => refund(order), () => cancel(order)]);
    for (const [index, order] of made.entries()) {
      const all = answers[index] ?? [];
      allow(all, '200', '201', '422 nothing_to_cancel', '422 nothing_to_refund');
      assert.ok(count(all, '200') <= 1 && count(all, '201') + count(all, '200') >= 1, all.join());
      assert.equal((await readOrder(order)).refundedCents, amountCents);
    }
    await expectExact();
    for (const { total } of (await readBalances()).values()) assert.equal(total, 0);
  });

  test('increase and refund: the increase comes first, or finds the order refunded', async () => {
    const made = await someOrders();
    const answers = await race(made, (order) => {
      const id = `same-${order.id}`;
      return [() => increase(order, 4000, id), () => refund(order), () => increase(order, 4000, id), () => refund(order, 4000)];
    });
    for (const [index, order] of made.entries()) {
      const all = answers[index] ?? [];
      allow(all, '200', '201', '409 increase_recorded', '400 order_not_increasable', '422 nothing_to_refund');
      assert.equal((await readOrder(order)).amountCents, amountCents + 4000 * count(all, '200'));
      assert.equal(count(all, '409 increase_recorded'), count(all, '200'));
    }
    await expectExact();
  });

  test('cancel and cancel, beside a move and an increase: one succeeds', async () => {
    const made = await someOrders();
    const answers = await race(made, (order) => [
      ...Array.from({ length: 4 }, () => () => cancel(order)),
      () => move(order, 1),
      () => increase(order, 8000),
    ]);
    for (const all of answers) {
      allow(all.slice(0, 4), '200', '422 nothing_to_cancel');
      assert.equal(count(all.slice(0, 4), '200'), 1);
      allow(all.slice(4, 5), '200', '422 nothing_to_move');
      allow(all.slice(5), '200', '400 order_not_increasable');
    }
    await expectExact();
    for (const { total } of (await readBalances()).values()) assert.equal(total, 0);
  });
});

describe('orders that are changed while they are paid', () => {
  for (const [name, requests] of [
    ['move', (order: Order) => [() => move(order, 1), () => move(order, 2)]],
    ['increase', (order: Order) => [() => increase(order, 4000), () => increase(order, 8000)]],
    ['cancel', (order: Order) => [() => cancel(order)]],
  ] as const) {
    test(`${name} and payout: reserved, sent and paid once, or netted`, async () => {
      const made = await someOrders();
      servers.service.clock.advance({ days: 40 });
      const [answers] = await Promise.all([race(made, requests), reservePayouts()]);
      allow(answers.flat(), '200', '422 nothing_to_move');
      await expectExact();
      const fresh = await someOrders();
      const payouts = await openPayouts();
      const paying = payouts.flatMap((id) => [markPaid(id), markPaid(id)]);
      const [later, paid] = await Promise.all([race([...fresh, ...made], requests), Promise.all(paying), reservePayouts()]);
      allow(later.flat(), '200', '422 nothing_to_move', '422 nothing_to_cancel');
      allow(paid.map(toName), '200', '422 payout_not_open');
      assert.equal(count(paid.map(toName), '200'), payouts.length);
      await expectPaidOnce();
    });
  }
});

async function reservePayouts(): Promise<void> {
  allow((await Promise.all([dispatch(), dispatch(), dispatch()])).map(toName), '201', '422 nothing_due');
}
