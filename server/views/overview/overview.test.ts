// The overview shows the same amounts as the API, to the cent, and what awaits a decision.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aClick, anAffiliate, anOrder, aPage, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { matureAll } from '../../earning/commissions/mature.ts';
import { getActivity } from './activity.ts';
import type { AttentionItem } from './attention.ts';
import { chooseHeadline } from './headline.ts';
import { getOverview } from './overview.ts';

let service: TestService;
let ada: { id: string };
let noor: { id: string };

const call = async (method: string, path: string, body?: object) => {
  const answer = await service.request(method, path.startsWith('/') ? path : `${service.program.path}/${path}`, body ? { body } : {});
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const asUser = (program = service.program) => ({
  actor: {
    kind: 'user' as const,
    id: 'dana',
    sessionId: 'session',
    freshAt: service.clock.now(),
    secondFactorAt: null,
    isFromCommand: false,
    siteProgramId: null,
    approvesFrom: null,
    programId: program.programId,
    currency: 'USD',
    role: 'viewer' as const,
    permissions: new Set(['read'] as const),
  },
  caller: { ip: '127.0.0.1', peer: '127.0.0.1', headers: {}, requestId: '', site: null },
  params: {} as Record<never, string>,
  body: undefined,
});
const readOverview = async (query: object = {}, program = service.program) => {
  assert.ok(getOverview.query && getOverview.handle);
  return getOverview.result.parse(await getOverview.handle(service.ctx, { ...asUser(program), query: getOverview.query.parse(query) }));
};
const readActivity = async (query: object = {}, program = service.program) => {
  assert.ok(getActivity.query && getActivity.handle);
  return getActivity.result.parse(await getActivity.handle(service.ctx, { ...asUser(program), query: getActivity.query.parse(query) }));
};

const sum = <Row>(rows: readonly Row[], pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);

before(async () => {
  service = await openTestService();
  await call('PATCH', service.program.path, { minimumPayoutCents: 0, timezone: 'America/New_York' });
  await aRule(service, { rate: 10 });
  ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist' });
  noor = await anAffiliate(service, { status: 'active', firstName: 'Noor', lastName: 'Haddad' });
  const leo = await anAffiliate(service, { status: 'active' });
  // Paid, then refunded: Leo owes it back.
  await anOrder(service, { affiliateId: leo.id, amountCents: 84_200, orderId: 'owed' });
  await anOrder(service, { affiliateId: ada.id, amountCents: 10_001 });
  service.clock.advance({ days: 31 });
  await call('POST', 'payouts/dispatch', {});
  const { payouts } = await call('GET', 'payouts');
  for (const { id } of payouts) await call('POST', `payouts/${id}/mark-paid`, {});
  await call('POST', '/v1/refunds', { refundId: 'owed', orderId: 'owed' });
  // In transit.
  await anOrder(service, {
    affiliateId: noor.id,
    amountCents: 7530,
    occurredAt: new Date(service.clock.now().getTime() - 86_400_000).toISOString(),
  });
  service.clock.advance({ days: 31 });
  await call('POST', 'payouts/dispatch', {});
  // Ready to pay, not posted to the ledger yet; then pending and held.
  await anOrder(service, { affiliateId: ada.id, amountCents: 19_807 });
  service.clock.advance({ days: 31 });
  await anOrder(service, { affiliateId: noor.id, amountCents: 41_204 });
  const held = await anOrder(service, { affiliateId: ada.id, amountCents: 2124 });
  await call('POST', `commissions/${held.commissions[0].id}/hold`, { note: 'Checking' });
});
after(() => service.close());

test('money by state equals the totals of the API, before and after it is posted to the ledger', async () => {
  for (const run of ['waiting', 'posted']) {
    const { money, due } = await readOverview({ from: '2026-01-01' });
    const forecast = await call('GET', 'payouts/forecast?days=366');
    const { payouts } = await call('GET', 'payouts?status=paid');
    const listed = await call('GET', 'payouts/due');
    assert.deepEqual(
      [money.pending.amountCents, money.held.amountCents, money.ready.amountCents, money.inTransit.amountCents, money.debts.amountCents],
      [4120, 212, 1981, 753, 8420],
      run,
    );
    assert.equal(money.held.amountCents, forecast.heldCents);
    assert.equal(money.inTransit.amountCents, forecast.inTransitCents);
    assert.equal(money.debts.amountCents, forecast.debtCents);
    const maturing = sum(forecast.days, ({ maturingCents }: { maturingCents: number }) => maturingCents) + forecast.laterCents;
    assert.equal(money.pending.amountCents + money.ready.amountCents, forecast.payableCents + maturing);
    assert.equal(
      money.paid.amountCents,
      sum(payouts, ({ amountCents }: { amountCents: number }) => amountCents),
    );
    assert.deepEqual(due, { affiliates: listed.due.length, amountCents: listed.totalCents });
    await matureAll(service.ctx);
  }
});

test('the money has its next date and its affiliates', async () => {
  const { money } = await readOverview();
  const matures = new Date(service.clock.now().getTime() + 30 * 86_400_000).toISOString();
  assert.deepEqual(money.pending, { amountCents: 4120, affiliates: 1, nextAt: matures });
  assert.deepEqual(money.held, { amountCents: 212, affiliates: 1, conversions: 1 });
  assert.deepEqual([money.ready.affiliates, money.inTransit.affiliates, money.debts.affiliates, money.paid.affiliates], [1, 1, 1, 0]);
  assert.ok(money.inTransit.sinceAt);
});

test('the buckets add up to the metrics, and both to the orders and commissions of the API', async () => {
  const { conversions } = await call('GET', 'conversions?limit=200');
  const { commissions } = await call('GET', 'commissions?limit=200');
  for (const interval of ['day', 'week', 'month']) {
    const { metrics, series, to } = await readOverview({ from: '2026-01-01', interval, compare: 'year' });
    assert.equal(
      metrics.salesCents.value,
      sum(conversions, (order: Record<string, number>) => (order.amountCents ?? 0) - (order.refundedCents ?? 0)),
    );
    assert.equal(
      metrics.commissionsCents.value,
      sum(commissions, (row: Record<string, number>) => (row.amountCents ?? 0) - (row.reversedCents ?? 0)),
    );
    assert.equal(
      sum(series, ({ salesCents }) => salesCents),
      metrics.salesCents.value,
    );
    assert.equal(
      sum(series, ({ commissionsCents }) => commissionsCents),
      metrics.commissionsCents.value,
    );
    assert.equal(metrics.affiliates.value, 3);
    assert.equal(metrics.commissionPercent.value, 10);
    assert.deepEqual(
      [metrics.salesCents.previous, series.at(0)?.from, series.at(-1)?.to, series.at(-1)?.isIncomplete],
      [0, '2026-01-01', to, true],
    );
    assert.deepEqual(series.filter(({ isIncomplete }) => isIncomplete).length, 1);
  }
});

test('a period is compared with the one before, on days in the time zone of the program', async () => {
  const today = await readOverview({ from: '2026-06-02', to: '2026-06-02' });
  assert.deepEqual([today.timezone, today.to, today.previousFrom], ['America/New_York', '2026-06-02', '2026-06-01']);
  assert.deepEqual(today.metrics.salesCents, { value: 41_204 + 2124, previous: 0 });
  const before31 = await readOverview({ from: '2026-06-02', to: '2026-07-02' });
  assert.deepEqual(before31.metrics.salesCents, { value: 43_328, previous: 19_807 });
  const noComparison = await readOverview({ compare: 'none' });
  assert.deepEqual(
    [noComparison.previousFrom, noComparison.metrics.salesCents.previous, noComparison.series[0]?.previous],
    [null, null, null],
  );
});

test('top affiliates have their sales, commissions, orders and clicks of the period', async () => {
  await aClick(service, noor.id);
  const { topAffiliates } = await readOverview();
  assert.deepEqual(
    topAffiliates.map(({ name, salesCents, commissionsCents, conversions, clicks }) => [
      name,
      salesCents,
      commissionsCents,
      conversions,
      clicks,
    ]),
    [
      ['Noor Haddad', 41_204, 4120, 1, 1],
      ['Ada Lindqvist', 2124, 212, 1, 0],
    ],
  );
});

test('an invalid period is rejected', async () => {
  await assert.rejects(readOverview({ from: '2026-06-02', to: '2026-06-01' }), { code: 'invalid_request' });
  await assert.rejects(readOverview({ from: '2000-01-01', to: '2026-06-01' }), { code: 'invalid_request' });
});

test('what awaits a decision is counted, with its age and amount; another program sees nothing of it', async () => {
  const waiting = await anAffiliate(service, { firstName: 'Zoë', lastName: 'Marino' });
  await aPage(service, waiting.id, 'zoe');
  const { email } = await call('GET', `affiliates/${ada.id}`);
  await anOrder(service, { affiliateId: ada.id, amountCents: 5000, customer: { email } });
  await service.pool.query(
    `insert into providers (program_id, id, kind, type, name, status, is_default, mode, currencies, config, created_at, updated_at)
     values ($1, gen_random_uuid(), 'commerce', 'generic', 'Shop', 'needs_attention', false, 'live', '{}', '{}', now(), now())`,
    [service.program.programId],
  );
  const { attention, headline } = await readOverview();
  assert.deepEqual(
    attention.map(({ kind, count, amountCents, names }) => [kind, count, amountCents, names]),
    [
      ['stores_failing', 1, null, ['Shop']],
      ['fraud_alerts', 1, 500, []],
      ['pages', 1, null, ['Zoë Marino']],
      ['applications', 1, null, ['Zoë Marino']],
    ],
  );
  assert.deepEqual([headline.kind, attention.every(({ id }) => id !== null)], ['stores_failing', true]);
  const foreign = await readOverview({}, service.foreign);
  assert.deepEqual([foreign.attention, foreign.headline, foreign.topAffiliates], [[], { kind: 'all_caught_up', nextMaturesAt: null }, []]);
  assert.equal(foreign.hasOrders, false);
});

test('the headline is the most important fact', () => {
  const item = (kind: AttentionItem['kind']): AttentionItem => ({
    kind,
    count: 1,
    oldestAt: null,
    amountCents: 5,
    names: ['Shop'],
    id: null,
  });
  const choose = (facts: Partial<Parameters<typeof chooseHeadline>[0]>) =>
    chooseHeadline({
      lock: { lockReason: null, lockedAt: null },
      due: { affiliates: 0, amountCents: 0 },
      attention: [],
      nextMaturesAt: null,
      ...facts,
    }).kind;
  const due = { affiliates: 84, amountCents: 198_020 };
  const everything = [item('stores_failing'), item('batch_approval'), item('pages')];
  const lock = { lockReason: 'database_restored', lockedAt: null };
  assert.deepEqual(
    [
      choose({ lock, attention: everything, due }),
      choose({ attention: everything, due }),
      choose({ attention: everything.slice(1), due }),
      choose({ attention: everything.slice(2), due }),
      choose({ attention: everything.slice(2) }),
      choose({}),
    ],
    ['payouts_locked', 'stores_failing', 'batch_awaiting_approval', 'payouts_due', 'reviews', 'all_caught_up'],
  );
});

test('latest activity is returned newest first, and after a cursor only what is new', async () => {
  const first = await readActivity({ limit: '50' });
  assert.deepEqual(
    first.items.map(({ at }) => at),
    first.items
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
  assert.deepEqual(new Set(first.items.map(({ kind }) => kind)), new Set(['order', 'click', 'refund', 'payout_paid', 'change']));
  service.clock.advance({ seconds: 60 });
  const repeated = (await readActivity({ after: first.cursor })).items;
  assert.ok(repeated.every(({ id }) => first.items.some((item) => item.id === id)));
  const order = await anOrder(service, { affiliateId: noor.id, amountCents: 9900 });
  await call('PATCH', `affiliates/${noor.id}`, { status: 'suspended' });
  const { items: latest, cursor } = await readActivity({ after: first.cursor });
  const items = latest.filter(({ at }) => at > first.cursor);
  assert.deepEqual(
    items.map(({ kind, action, status, amountCents, affiliate }) => [kind, action, status, amountCents, affiliate?.name]).toSorted(),
    [
      ['change', 'affiliate.updated', 'suspended', null, 'Noor Haddad'],
      ['order', null, null, 9900, 'Noor Haddad'],
    ],
  );
  assert.ok(items.some(({ id }) => id === order.id));
  assert.equal(cursor, service.clock.now().toISOString());
  assert.deepEqual((await readActivity({}, service.foreign)).items, []);
});

test('many clicks leave room for everything else', async () => {
  for (let index = 0; index < 12; index += 1) await aClick(service, ada.id);
  const { items } = await readActivity();
  assert.deepEqual([items.length, items.filter(({ kind }) => kind === 'click').length], [10, 4]);
});

test('an API key that expires within seven days needs attention, until it is replaced or revoked', async () => {
  const kinds = async (member: TestMember) => {
    const { body } = await member.request('GET', `/app/programs/${service.program.programId}/overview`);
    const found = body.attention.find(({ kind }: { kind: string }) => kind === 'api_keys_expiring');
    return found && [found.count, found.names];
  };
  const [developer, reviewer] = [await service.asMember('developer'), await service.asMember('reviewer')];
  const expiresIn = (days: number) =>
    service.pool.query(`update api_keys set expires_at = $2 where program_id = $1 and name = 'Web store'`, [
      service.program.programId,
      new Date(service.clock.now().getTime() + days * 86_400_000),
    ]);
  const path = `/app/programs/${service.program.programId}/api-keys`;
  const created = await developer.request('POST', path, { body: { name: 'Web store', scopes: ['read'] } });
  assert.equal(created.status, 201, created.text);
  await expiresIn(8);
  assert.equal(await kinds(developer), undefined);
  await expiresIn(6);
  assert.deepEqual([await kinds(developer), await kinds(reviewer)], [[1, ['Web store']], undefined]);
  await service.pool.query(`update api_keys set revoked_at = now() where name = 'Web store'`);
  assert.equal(await kinds(developer), undefined);
});
