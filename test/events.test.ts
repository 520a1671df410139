// Every declared event is recorded by what it announces, with the data that the API returns, and nothing else is recorded.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { recordProblem } from '../server/connections/providers/needs-attention.ts';
import { matureAll } from '../server/earning/commissions/mature.ts';
import { events } from '../server/events.ts';
import { watchAlerts } from '../server/operations/alerts/watch.ts';
import { transact } from '../server/platform/db/transact.ts';
import { reviewPage } from '../server/promotion/landing-pages/review.ts';
import { aCoupon, aGroup, anAffiliate, anOrder, aRule } from './support/builders.ts';
import { openZone, targetHost } from './support/domains/zone.ts';
import { openTestService, type TestService } from './support/harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer, storeRate } from './support/money/invoices.ts';
import { aPayee, aSender, closeSender, type Sender } from './support/payees.ts';

type Recorded = {
  type: string;
  objectType: string;
  objectId: string;
  number: number;
  data: Record<string, unknown>;
  previous: Record<string, unknown> | null;
};

let service: TestService;
let sender: Sender;

before(async () => {
  service = await openTestService();
  sender = await aSender(service);
});
after(async () => {
  await closeSender(service, sender);
  await service.close();
});

/** Recorded only for one webhook; its own tests request it. */
const ofWebhooks = 'test';

async function readAll(): Promise<Recorded[]> {
  const { rows } = await service.pool.query(
    `select type, object_type as "objectType", object_id as "objectId", object_sequence as number, data, previous
     from events where program_id = $1 order by object_type, object_id, object_sequence`,
    [sender.program.programId],
  );
  return rows;
}

const ok = async (answer: ReturnType<Sender['send']>) => {
  const { status, body, text } = await answer;
  assert.ok(status < 300, text);
  return body;
};

async function changePartners(): Promise<void> {
  const { program, send } = sender;
  const groupId = await aGroup(service, 'Silver', program);
  await ok(send('PATCH', `groups/${groupId}`, { name: 'Gold' }));
  const { id } = await anAffiliate(service, { status: 'active' }, program);
  await ok(send('PATCH', `affiliates/${id}`, { groupId }));
  await ok(send('PATCH', `groups/${groupId}`, { status: 'archived', moveToGroupId: null }));
  for (const status of ['suspended', 'rejected', 'archived']) await ok(send('PATCH', `affiliates/${id}`, { status }));
}

async function reviewAPage(): Promise<void> {
  const { program, ada, send } = sender;
  const write = () => ok(send('POST', 'landing-pages/ada', { affiliateId: ada.id, pageTitle: 'Mine', isPublished: true }));
  const actor = { kind: 'command' as const, id: 'test' };
  const review = (revision: number, verdict: 'approved' | 'changes_requested') =>
    transact(service.ctx, (tx) => reviewPage(tx, { programId: program.programId, slug: 'ada', revision, verdict, actor }));
  await write();
  await review(1, 'approved');
  await publishAPage();
  await write();
  await review(2, 'changes_requested');
}

async function publishAPage(): Promise<void> {
  const owner = await service.asMember('owner', { program: sender.program });
  for (const isPublished of [false, true])
    await ok(owner.request('PATCH', `/app/programs/${sender.program.programId}/landing-pages/ada`, { body: { isPublished } }));
}

async function recordOrders() {
  const { program, ada, send } = sender;
  const coupon = await aCoupon(service, { affiliateId: ada.id, code: 'ADA20' }, program);
  const plain = await anOrder(service, { couponCode: 'ADA20', amountCents: 100_000 }, program);
  await ok(send('PATCH', `coupons/${coupon.id}`, { status: 'archived' }));
  const { email } = await ok(send('GET', `affiliates/${ada.id}`));
  const [held, fraud] = [1, 2].map(() => ({ affiliateId: ada.id, amountCents: 100_000, customer: { email } }));
  for (const [order, resolution] of [
    [held, 'legitimate'],
    [fraud, 'fraud'],
  ] as const) {
    const { id } = await anOrder(service, order ?? {}, program);
    const { fraudEvents } = await ok(send('GET', `fraud-events?conversionId=${id}`));
    await ok(send('POST', `fraud-events/${fraudEvents[0].id}/resolve`, { resolution }));
  }
  const refund = { refundId: 're_1', orderId: plain.orderId, amountCents: 100 };
  const { body: refunded, status } = await service.request('POST', '/v1/refunds', { key: program.key, body: refund });
  assert.equal(status, 201);
  await ok(send('POST', `commissions/${plain.commissions[0].id}/adjust`, { amountCents: -10, note: 'Shipping' }));
  return { coupon, plain, refunded };
}

async function changeAnOrder(): Promise<void> {
  const { program, ada, send } = sender;
  const bea = await anAffiliate(service, { status: 'active' }, program);
  const { id } = await anOrder(service, { affiliateId: ada.id, amountCents: 5000 }, program);
  await ok(send('POST', `conversions/${id}/move`, { affiliateId: bea.id, note: 'Bea referred this customer' }));
  await ok(send('POST', `conversions/${id}/increase`, { increaseId: 'more', amountCents: 1000 }));
  await ok(send('POST', `conversions/${id}/cancel`, {}));
}

async function changeAResource(): Promise<void> {
  const { send } = sender;
  const { id } = await ok(send('POST', 'resources', { kind: 'text', title: 'Caption', text: 'Try {link}' }));
  await ok(send('PATCH', `resources/${id}`, { status: 'archived' }));
}

async function decideOnContent(): Promise<void> {
  const { ada, send } = sender;
  const terms = { name: 'Video review', description: 'Film it.', milestone: 'content', rewardCents: 2500 };
  const { id: bountyId } = await ok(send('POST', 'bounties', terms));
  for (const decision of ['rejected', 'approved']) {
    const content = { bountyId, affiliateId: ada.id, url: 'https://video.example.com/1' };
    const { id } = await ok(send('POST', 'bounty-submissions', content));
    await ok(send('POST', `bounty-submissions/${id}/decide`, { decision }));
  }
}

async function changeADomain(): Promise<void> {
  const { program, send } = sender;
  const zone = openZone(service);
  service.ctx.config = { ...service.ctx.config, domainTargets: [targetHost] };
  const { id } = await zone.activate('go.acme.test', 'links', program);
  zone.set('go.acme.test', 'CNAME', ['elsewhere.test']);
  await ok(send('POST', `domains/${id}/check`));
}

/** Of a payout that is large enough to await approval. */
async function approveABatch(): Promise<void> {
  const { program, send } = sender;
  const eve = await aPayee(service, program);
  await anOrder(service, { affiliateId: eve.id, amountCents: 100_000 }, program);
  service.clock.advance({ days: 31 });
  await ok(service.request('PATCH', program.path, { key: program.key, body: { payoutApprovalCents: 0 } }));
  const { batch } = await ok(send('POST', 'payouts/dispatch', {}));
  const admin = await service.asMember('admin', { program });
  await ok(admin.request('POST', `${program.path}/payouts/batches/${batch.id}/approve`, { body: {} }));
  await service.drain();
}

async function rejectALead(): Promise<void> {
  const { program, ada, send } = sender;
  const body = { externalId: 'signup-1', affiliateId: ada.id, customer: { externalId: 'c-signup' } };
  const { body: lead, status, text } = await service.request('POST', '/v1/leads', { key: program.key, body });
  assert.equal(status, 201, text);
  await ok(send('POST', `leads/${lead.id}/reject`, { note: 'Invented' }));
}

async function payOut(): Promise<void> {
  const { program, ada, rail, send } = sender;
  await anInvoiceIssuer(service, program);
  await anInvoiceAgreement(service, { program, affiliateId: ada.id });
  service.clock.advance({ days: 31 });
  await matureAll(service.ctx);
  await storeRate(service, program, { rate: '1.1' });
  const { payouts } = await ok(send('POST', 'payouts/dispatch', {}));
  await service.drain();
  rail.returnPayment(payouts[0].id);
  await ok(send('POST', 'payouts/reconcile', {}));
  for (const mode of ['take', 'reject'] as const) {
    const eve = await aPayee(service, program);
    await anOrder(service, { affiliateId: eve.id, amountCents: 100_000 }, program);
    service.clock.advance({ days: 31 });
    await storeRate(service, program, { rate: '1.1' });
    rail.setMode(mode);
    await ok(send('POST', 'payouts/dispatch', {}));
    await service.drain();
  }
  const { payouts: taken } = await ok(send('GET', 'payouts?status=sent'));
  await ok(send('POST', `payouts/${taken[0].id}/cancel`, { confirmNotPaid: true }));
}

describe('the events of a program', () => {
  test('are all recorded, with the data that the API returns', async () => {
    const { program, providerId } = sender;
    await aRule(service, { rate: 5, level: 2 }, program);
    await changePartners();
    await reviewAPage();
    const { coupon, plain, refunded } = await recordOrders();
    await decideOnContent();
    await changeAResource();
    await rejectALead();
    await changeAnOrder();
    await changeADomain();
    await payOut();
    await approveABatch();
    await transact(service.ctx, (tx) => recordProblem(tx, { programId: program.programId, id: providerId }, 'No answer.'));
    await watchAlerts.run(service.ctx, {}, { isLast: true });
    await ok(sender.send('PATCH', `providers/${providerId}`, { status: 'disabled' }));
    await watchAlerts.run(service.ctx, {}, { isLast: true });
    const recorded = await readAll();
    const declared = events.map(({ type }) => type).filter((type) => type !== ofWebhooks);
    assert.deepEqual([...new Set(recorded.map(({ type }) => type))].sort(), declared.sort());
    const dataOf = (type: string, id: string) => recorded.find((event) => event.type === type && event.objectId === id)?.data;
    assert.deepEqual(dataOf('conversion.created', plain.id), plain);
    assert.deepEqual(dataOf('coupon.created', coupon.id), coupon);
    assert.deepEqual(dataOf('refund.created', refunded.id)?.adjustments, refunded.adjustments);
    for (const { type, data } of recorded) {
      const schema = events.find((event) => event.type === type)?.data;
      assert.deepEqual(schema?.parse(data), data, type);
    }
  });

  test('are numbered without gaps for every object', async () => {
    const byObject = Map.groupBy(await readAll(), ({ objectType, objectId }) => `${objectType} ${objectId}`);
    assert.ok(byObject.size > 20);
    for (const [object, all] of byObject)
      assert.deepEqual(
        all.map(({ number }) => number),
        all.map((_, index) => index + 1),
        object,
      );
  });

  test('contain no payout account and no tax details', async () => {
    const text = JSON.stringify(await readAll());
    assert.ok(!text.includes(`acct-${sender.ada.id}`));
    for (const field of ['"account"', '"iban"', '"destination"', '"taxId"', '"encryptedDestination"', '"fingerprint"'])
      assert.ok(!text.includes(field), field);
  });

  test('follow changes, not requests: a repeated request records nothing', async () => {
    const { ada, send } = sender;
    const count = async () => (await readAll()).length;
    const before = await count();
    await ok(send('PATCH', `affiliates/${ada.id}`, { status: 'active' }));
    await send('POST', 'payouts/dispatch', { affiliateIds: [ada.id], dryRun: true });
    assert.equal(await count(), before);
  });
});

test('an event that is declared is in the table of contents', () => {
  const sources = globSync('server/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const declarations = sources.flatMap((path) => readFileSync(path, 'utf8').match(/= defineEvent\(/g) ?? []);
  assert.equal(declarations.length, events.length);
  assert.equal(new Set(events.map(({ type }) => type)).size, events.length);
});
