// Bounties through the API: a bonus is earned once, matures, is reversed with its milestone, and stays within the budget.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { transact } from '../../platform/db/transact.ts';
import { matureDue } from '../commissions/mature.ts';
import { checkNext, checkProgram } from './awarding/run.ts';

const service: TestService = await openTestService();
after(() => service.close());

let program: TestProgram;
let ada: string;
let bea: string;

const send = (method: string, path: string, body?: object) =>
  service.request(method, `${program.path}${path}`, body ? { key: program.key, body } : { key: program.key });
const check = () => checkProgram(program.programId, service.ctx);
const order = (affiliateId: string, given: object = {}) => anOrder(service, { affiliateId, amountCents: 5000, ...given }, program);
const bounty = async (given: object = {}) => {
  const body = { name: 'First sale', description: 'Sell once.', milestone: 'first_order', rewardCents: 2000, ...given };
  const created = await send('POST', '/bounties', body);
  assert.equal(created.status, 201, created.text);
  return created.body;
};
const refund = (orderId: string, refundId = `re-${orderId}`) =>
  service.request('POST', '/v1/refunds', { key: program.key, body: { refundId, orderId } });
const bonuses = async (affiliateId: string) => {
  const { body } = await send('GET', `/commissions?kind=bonus&affiliateId=${affiliateId}`);
  return body.commissions as { id: string; status: string; amountCents: number; owedCents: number; note: string; maturesAt: string }[];
};
const statuses = async (affiliateId: string) => (await bonuses(affiliateId)).map(({ status }) => status);
const spent = async (id: string) => {
  const { body } = await send('GET', `/bounties/${id}`);
  return [body.spentCents, body.awardCount];
};
const balance = async (affiliateId: string) => (await send('GET', `/affiliates/${affiliateId}/balance`)).body;
const assertIntact = async () => {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
};

beforeEach(async () => {
  program = await service.newProgram('Bounties');
  await aRule(service, { rate: 10 }, program);
  ada = (await anAffiliate(service, { status: 'active' }, program)).id;
  bea = (await anAffiliate(service, { status: 'active' }, program)).id;
});

describe('a bounty for orders', () => {
  test('pays a bonus once, which matures after the hold period like any commission', async () => {
    const { id } = await bounty({ milestone: 'orders', targetOrders: 2, name: 'Two sales' });
    await order(ada);
    await check();
    assert.deepEqual(await bonuses(ada), []);
    await order(ada);
    await Promise.all([check(), check(), check()]);
    await order(ada);
    await check();
    const [bonus, ...others] = await bonuses(ada);
    assert.deepEqual([bonus?.status, bonus?.amountCents, bonus?.note, others], ['pending', 2000, 'Two sales', []]);
    assert.deepEqual(await spent(id), [2000, 1]);
    const { rows: entries } = await service.pool.query(
      'select kind, debit, credit, cents from ledger_entries where program_id = $1 and commission_id = $2',
      [program.programId, bonus?.id],
    );
    assert.deepEqual(entries, [{ kind: 'adjust', debit: 'commissions', credit: 'pending', cents: 2000 }]);
    const { body: log } = await send('GET', `/events?type=commission.created&objectId=${bonus?.id}`);
    assert.deepEqual([log.events[0].data.kind, log.events[0].data.owedCents], ['bonus', 2000]);
    service.clock.advance({ days: 31 });
    await matureDue(service.ctx, program.programId);
    assert.deepEqual(await statuses(ada), ['approved']);
    await assertIntact();
  });

  test('reverses a bonus that is not payable yet if a refund undoes the milestone, and restores it with the milestone', async () => {
    const { id } = await bounty();
    const { orderId } = await order(ada);
    await check();
    assert.deepEqual(await statuses(ada), ['pending']);
    const [earned] = await bonuses(ada);
    const adjusted = await send('POST', `/commissions/${earned?.id}/adjust`, { amountCents: 500, note: 'Extra' });
    assert.equal(adjusted.status, 201, adjusted.text);
    assert.equal((await refund(orderId)).status, 201);
    await check();
    assert.deepEqual([await statuses(ada), await spent(id), (await balance(ada)).pendingCents], [['reversed'], [0, 0], 0]);
    await order(ada);
    await check();
    assert.deepEqual([await statuses(ada), await spent(id), (await balance(ada)).pendingCents], [['pending'], [2000, 1], 3000]);
    await assertIntact();
  });

  test('keeps a bonus that is payable, whatever is refunded later', async () => {
    const { id } = await bounty();
    const { orderId } = await order(ada);
    await check();
    service.clock.advance({ days: 31 });
    await matureDue(service.ctx, program.programId);
    assert.equal((await refund(orderId)).status, 201);
    await check();
    assert.deepEqual([await statuses(ada), await spent(id)], [['approved'], [2000, 1]]);
  });

  test('counts orders of its days: the first ever, or a number of them', async () => {
    const { body } = await send('GET', '');
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: body.timezone }).format(service.clock.now());
    await order(ada, { occurredAt: new Date(service.clock.now().getTime() - 3 * 86_400_000).toISOString() });
    await bounty({ startsOn: today, endsOn: today });
    await bounty({ name: 'One sale', milestone: 'orders', targetOrders: 1, rewardCents: 100, startsOn: today, endsOn: today });
    await order(ada);
    await check();
    assert.deepEqual(
      (await bonuses(ada)).map(({ note }) => note),
      ['One sale'],
    );
    service.clock.advance({ days: 2 });
    await order(bea);
    await check();
    assert.deepEqual(await bonuses(bea), []);
  });

  test('follows an order that is moved to another affiliate, and waits for one that is on hold', async () => {
    await bounty();
    const { id } = await order(ada);
    await check();
    assert.equal((await send('POST', `/conversions/${id}/move`, { affiliateId: bea, note: 'Hers' })).status, 200);
    await check();
    assert.deepEqual([await statuses(ada), await statuses(bea)], [['reversed'], ['pending']]);
    const { body } = await send('GET', `/commissions?conversionId=${id}&affiliateId=${bea}`);
    const path = `/commissions/${body.commissions[0].id}`;
    assert.equal((await send('POST', `${path}/hold`, { note: 'Checking' })).status, 200);
    await check();
    assert.deepEqual(await statuses(bea), ['reversed']);
    assert.equal((await send('POST', `${path}/release`, {})).status, 200);
    await check();
    assert.deepEqual(await statuses(bea), ['pending']);
    await assertIntact();
  });
});

describe('the budget of a bounty', () => {
  test('is never exceeded by simultaneous orders and checks, and is left to the next when a bonus is reversed', async () => {
    const { id } = await bounty({ budgetCents: 6500 });
    const others = await Promise.all(Array.from({ length: 8 }, () => anAffiliate(service, { status: 'active' }, program)));
    const ids = [ada, bea, ...others.map((one) => one.id)];
    const orders = await Promise.all(
      ids.map(async (affiliateId) => {
        const placed = await order(affiliateId);
        await check();
        return { ...placed, affiliateId };
      }),
    );
    assert.deepEqual(await spent(id), [6000, 3]);
    const { body } = await send('GET', '/commissions?kind=bonus');
    const [winner] = body.commissions;
    const { orderId } = orders.find(({ affiliateId }) => affiliateId === winner.affiliateId) ?? { orderId: '' };
    assert.equal((await refund(orderId)).status, 201);
    await check();
    assert.deepEqual([await spent(id), (await send('GET', '/commissions?kind=bonus')).body.total], [[6000, 3], 4]);
    await assert.rejects(
      service.pool.query('update bounties set spent_cents = 6501 where program_id = $1', [program.programId]),
      /bounties_spent_within_budget/,
    );
    await assertIntact();
  });

  test('can be raised, but not below what was earned; then those who waited are paid', async () => {
    const { id } = await bounty({ budgetCents: 2000 });
    await order(ada);
    await order(bea);
    await check();
    assert.deepEqual(await spent(id), [2000, 1]);
    const low = await send('PATCH', `/bounties/${id}`, { budgetCents: 1999 });
    assert.deepEqual([low.status, low.body.details[0].path], [400, ['budgetCents']]);
    assert.equal((await send('PATCH', `/bounties/${id}`, { budgetCents: 4000 })).status, 200);
    await check();
    assert.deepEqual(await spent(id), [4000, 2]);
    const { rows } = await service.pool.query(
      `select action, before, after from audit_log where program_id = $1 and subject_id = $2 order by created_at, id`,
      [program.programId, id],
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['bounty.created', 'bounty.updated'],
    );
    assert.deepEqual([rows[1].before, rows[1].after], [{ budgetCents: 2000 }, { budgetCents: 4000 }]);
  });

  test('is paid in small transactions, none of them twice', async () => {
    const { id } = await bounty();
    for (const affiliateId of [ada, bea]) await order(affiliateId);
    const isUnfinished = await transact(service.ctx, (tx) => checkNext(tx, { programId: program.programId, id, limit: 1 }));
    assert.deepEqual([isUnfinished, await spent(id)], [true, [2000, 1]]);
    await check();
    assert.deepEqual(await spent(id), [4000, 2]);
  });
});

describe('a bounty for content', () => {
  const submit = (bountyId: string, affiliateId: string) =>
    send('POST', '/bounty-submissions', { bountyId, affiliateId, url: 'https://video.example.com/1' });
  const decide = (id: string, decision: string, note?: string) => send('POST', `/bounty-submissions/${id}/decide`, { decision, note });

  test('is paid once, when a submission is approved', async () => {
    const { id } = await bounty({ milestone: 'content' });
    const first = await submit(id, ada);
    assert.equal(first.status, 201, first.text);
    assert.equal((await submit(id, ada)).body.code, 'submission_exists');
    assert.equal((await decide(first.body.id, 'rejected', 'Please show the product.')).status, 200);
    assert.deepEqual(await bonuses(ada), []);
    const second = await submit(id, ada);
    const outcomes = await Promise.all([1, 2, 3].map(() => decide(second.body.id, 'approved')));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 422, 422]);
    assert.deepEqual([await statuses(ada), await spent(id)], [['pending'], [2000, 1]]);
    assert.equal((await submit(id, ada)).status, 409);
    assert.deepEqual([(await decide(second.body.id, 'rejected')).body.code], ['submission_decided']);
    const { body: log } = await send('GET', `/events?affiliateId=${ada}&limit=100`);
    const types = log.events.map(({ type }: { type: string }) => type).filter((type: string) => type.startsWith('bounty'));
    const submitted = 'bountySubmission.created';
    const expected = ['bounty.earned', 'bountySubmission.approved', submitted, submitted, 'bountySubmission.rejected'];
    assert.deepEqual(types.sort(), expected);
    const { rows: emails } = await service.pool.query(
      `select subject, text_body from emails where program_id = $1 and kind = 'bounty_decision' order by created_at, id`,
      [program.programId],
    );
    assert.deepEqual(
      emails.map(({ subject }) => subject),
      ['Bounties did not approve your content', 'Bounties approved your content: you earned $20.00'],
    );
    assert.match(emails[0].text_body, /Please show the product\./);
    await assertIntact();
  });

  test('stays within its budget when submissions are approved at once, and accepts none outside of its days', async () => {
    const { id } = await bounty({ milestone: 'content', budgetCents: 2000, endsOn: '2099-12-31' });
    const ids = [(await submit(id, ada)).body.id, (await submit(id, bea)).body.id];
    const outcomes = await Promise.all(ids.map((one) => decide(one, 'approved')));
    assert.deepEqual(outcomes.map(({ status, body }) => body.code ?? status).sort(), [200, 'bounty_budget_spent']);
    assert.deepEqual(await spent(id), [2000, 1]);
    const { id: later } = await bounty({ milestone: 'content', startsOn: '2099-01-01' });
    assert.equal((await submit(later, ada)).body.code, 'bounty_closed');
    assert.equal((await submit((await bounty()).id, ada)).body.code, 'bounty_closed');
  });
});

test('a bounty with contradictory terms is rejected', async () => {
  const body = { name: 'N', description: 'D', milestone: 'orders', rewardCents: 100 };
  const faults: [object, string][] = [
    [{}, 'targetOrders'],
    [{ milestone: 'content', targetOrders: 2 }, 'targetOrders'],
    [{ targetOrders: 2, budgetCents: 99 }, 'budgetCents'],
    [{ targetOrders: 2, startsOn: '2026-04-02', endsOn: '2026-04-01' }, 'endsOn'],
  ];
  for (const [given, path] of faults) {
    const { status, body: problem } = await send('POST', '/bounties', { ...body, ...given });
    assert.deepEqual([status, problem.details?.[0].path], [400, [path]], JSON.stringify(given));
  }
  const { id } = await bounty();
  const early = await send('PATCH', `/bounties/${id}`, { endsOn: '2020-01-01' });
  assert.deepEqual(early.body.details[0].path, ['endsOn']);
});
