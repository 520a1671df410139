// Decisions about claims and fraud alerts in the console take effect after a minute, in which they can be undone without a
// trace: no money has moved, and nothing was announced.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

describe('a decision in the console', () => {
  let service: TestService;
  let dana: TestMember;
  let tom: TestMember;
  let base: string;
  let ada: { id: string; email: string };

  before(async () => {
    service = await openTestService();
    dana = await service.asMember('reviewer', { name: 'Dana Calder' });
    tom = await service.asMember('reviewer', { name: 'Tom Ruiz' });
    base = `/app/programs/${service.program.programId}`;
    await aRule(service, { rate: 10 });
    ada = await anAffiliate(service, { status: 'active', email: 'ada@example.com' });
  });
  after(() => service.close());

  const get = async (path: string) => (await service.request('GET', `${service.program.path}${path}`)).body;
  const claimFor = async (orderId: string, isReported = true) => {
    if (isReported) await service.request('POST', '/v1/conversions', { body: { orderId, amountCents: 4000, couponCode: 'GONE' } });
    const created = await service.request('POST', `${service.program.path}/claims`, { body: { affiliateId: ada.id, orderId } });
    assert.equal(created.status, 201, created.text);
    return created.body.id as string;
  };
  const ownOrder = async (orderId: string) => {
    const order = await anOrder(service, { orderId, affiliateId: ada.id, amountCents: 10_000, customer: { email: ada.email } });
    const [alert] = (await get(`/fraud-events?conversionId=${order.id}`)).fraudEvents;
    return { order, alert: alert.id as string };
  };
  const decide = (id: string, decision: string, member = dana) =>
    member.request('POST', `${base}/claims/${id}/decide`, { body: { decision, note: 'N' } });
  const resolve = (id: string, resolution: string, member = dana) =>
    member.request('POST', `${base}/fraud-events/${id}/resolve`, { body: { resolution, note: 'N' } });
  const undo = (id: string, member = dana) => member.request('POST', `${base}/pending-decisions/${id}/undo`);
  const pass = async () => {
    service.clock.advance({ seconds: 61 });
    await service.relay();
    await service.pool.query(`update pgboss.job set start_after = now() - interval '1 second' where state < 'active'`);
    await service.drain();
  };
  const inQueue = async (id: string) => {
    const { items } = (await dana.request('GET', `${base}/review?limit=100`)).body;
    return items.some((item: { id: string }) => item.id === id);
  };
  const traces = async () =>
    (
      await service.pool.query(`select (select count(*) from audit_log where action ~ '^(claim|fraud|commission)') as audited,
        (select count(*) from events) as events, (select count(*) from ledger_entries) as entries, (select count(*) from conversions) as orders`)
    ).rows;

  test('about content for a bounty pays its bonus and emails the affiliate a minute later, unless it is undone', async () => {
    const terms = { name: 'Review', description: 'Write.', milestone: 'content', rewardCents: 2500 };
    const { id: bountyId } = (await service.request('POST', `${service.program.path}/bounties`, { body: terms })).body;
    const content = { bountyId, affiliateId: ada.id, url: 'https://blog.example.com/1' };
    const { id } = (await service.request('POST', `${service.program.path}/bounty-submissions`, { body: content })).body;
    const decideContent = (decision: string, note: string | null) =>
      dana.request('POST', `${base}/bounty-submissions/${id}/decide`, { body: { decision, note } });
    const rejected = await decideContent('rejected', 'Too short.');
    assert.deepEqual([rejected.status, await inQueue(id)], [200, false]);
    await undo(rejected.body.id);
    assert.equal(await inQueue(id), true);
    assert.equal((await decideContent('approved', null)).status, 200);
    await pass();
    const { rows } = await service.pool.query(
      `select subject, (select count(*)::int from commissions where kind = 'bonus') as bonuses from emails where kind = 'bounty_decision'`,
    );
    assert.deepEqual(rows, [{ subject: 'Fern & Field approved your content: you earned $25.00', bonuses: 1 }]);
    assert.equal((await get(`/bounty-submissions/${id}`)).status, 'approved');
  });

  test('about a claim leaves the queue at once, and takes effect a minute later', async () => {
    const id = await claimFor('rejected');
    const answer = await decide(id, 'rejected');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([await inQueue(id), (await get(`/claims/${id}`)).status], [false, 'open']);
    await pass();
    const { status, decisionNote } = await get(`/claims/${id}`);
    assert.deepEqual([status, decisionNote, await inQueue(id)], ['rejected', 'N', false]);
    const { auditEvents } = await get(`/audit-events?subjectId=${id}&action=claim.rejected`);
    assert.deepEqual([auditEvents.length, auditEvents[0].actor.id], [1, dana.userId]);
    assert.deepEqual([(await undo(answer.body.id)).status, (await undo(answer.body.id)).body.code], [400, 'undo_expired']);
  });

  test('is undone without a trace, and can be made again', async () => {
    const claim = await claimFor('undone');
    const { order, alert } = await ownOrder('own-undone');
    const before = await traces();
    for (const [make, id] of [
      [() => decide(claim, 'accepted'), claim],
      [() => decide(claim, 'rejected'), claim],
      [() => resolve(alert, 'fraud'), alert],
      [() => resolve(alert, 'legitimate'), alert],
    ] as const) {
      const made = await make();
      assert.equal(made.status, 200, made.text);
      assert.equal(await inQueue(id), false);
      const undone = await undo(made.body.id, tom);
      assert.deepEqual([undone.status, undone.body.subjectId], [200, id]);
      assert.equal(await inQueue(id), true);
      assert.deepEqual([(await undo(made.body.id)).status, (await undo(made.body.id)).body.code], [422, 'already_undone']);
    }
    await pass();
    assert.deepEqual(await traces(), before);
    assert.equal((await get(`/conversions/${order.id}`)).status, 'held');
  });

  test('that is accepted or fraud moves money only when it takes effect', async () => {
    const claim = await claimFor('accepted');
    const { order, alert } = await ownOrder('own-fraud');
    const before = await traces();
    assert.equal((await decide(claim, 'accepted')).status, 200);
    assert.equal((await resolve(alert, 'fraud')).status, 200);
    assert.deepEqual(await traces(), before);
    await pass();
    const { status, conversionId } = await get(`/claims/${claim}`);
    assert.deepEqual([status, (await get(`/conversions/${conversionId}`)).commissionCents], ['accepted', 400]);
    assert.deepEqual([(await get(`/fraud-events/${alert}`)).status, (await get(`/conversions/${order.id}`)).status], ['fraud', 'rejected']);
    const broken = (await checkInvariants(service.ctx)).filter((each) => each.broken.length > 0);
    assert.deepEqual(broken, []);
  });

  test('that is not possible is rejected at once', async () => {
    const unknown = await claimFor('unknown', false);
    const answer = await decide(unknown, 'accepted');
    assert.deepEqual([answer.status, answer.body.code], [400, 'order_not_unattributed']);
    assert.equal(await inQueue(unknown), true);
  });

  test('by two members at the same time is recorded once', async () => {
    const id = await claimFor('raced');
    const answers = await Promise.all([decide(id, 'rejected'), decide(id, 'accepted', tom)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    assert.equal(answers.find(({ status }) => status === 400)?.body.code, 'decision_pending');
    await pass();
    assert.notEqual((await get(`/claims/${id}`)).status, 'open');
  });

  test('is superseded by one that an API key made in the meantime', async () => {
    const { alert } = await ownOrder('own-key');
    const { body } = await resolve(alert, 'fraud');
    const path = `${service.program.path}/fraud-events/${alert}/resolve`;
    assert.equal((await service.request('POST', path, { body: { resolution: 'legitimate' } })).status, 200);
    await pass();
    assert.equal((await get(`/fraud-events/${alert}`)).status, 'legitimate');
    const { rows } = await service.pool.query('select outcome from pending_decisions where id = $1', [body.id]);
    assert.deepEqual(rows, [{ outcome: 'dropped' }]);
  });
});
