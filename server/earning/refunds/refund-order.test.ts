// A member refunds an order by lines: the preview writes nothing, and what it shows is what happens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

let service: TestService;
let finance: TestMember;
let ada: { id: string };

before(async () => {
  service = await openTestService();
  finance = await service.asMember('finance');
  const upline = await anAffiliate(service, { status: 'active' });
  ada = await anAffiliate(service, { status: 'active', parentAffiliateId: upline.id });
  await aRule(service, { rate: 12.5 });
  await aRule(service, { level: 2, rate: 3 });
});
after(() => service.close());

const items = [
  { name: 'Teapot', quantity: 3, amountCents: 2999 },
  { name: 'Kit', amountCents: 5001 },
];
const refund = (id: string, body: object) =>
  finance.request('POST', `/app/programs/${service.program.programId}/conversions/${id}/refunds`, { body });
const rows = async () =>
  (
    await service.pool.query(`select (select count(*) from refunds) as refunds, (select sum(reversed_cents) from commissions) as reversed,
      (select count(*) from ledger_entries) as entries, (select count(*) from audit_log) as audited, (select sum(refunded_cents) from conversion_summaries) as refunded`)
  ).rows;

describe('a refund by a member', () => {
  test('is previewed without a trace, and the preview equals the effect', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, amountCents: 8000, items });
    const body = { items: [{ position: 0, quantity: 1 }], reason: 'other', note: 'Broken lid' };
    const before = await rows();
    const preview = await refund(order.id, { ...body, dryRun: true });
    assert.equal(preview.status, 200, preview.text);
    assert.deepEqual(await rows(), before);
    assert.deepEqual(
      [preview.body.id, preview.body.amountCents, preview.body.remainingCents, preview.body.lines],
      [null, 1000, 7000, [{ position: 0, amountCents: 1000 }]],
    );
    const recorded = await refund(order.id, body);
    assert.equal(recorded.status, 200, recorded.text);
    const { id, ...effect } = recorded.body;
    const adjustments = effect.adjustments.map((one: object) => ({ ...one, ledgerEntryId: null }));
    assert.deepEqual({ ...effect, id: null, adjustments }, preview.body);
    assert.equal(effect.reversedCents, 155, '12.5% and 3% of $10.00');
    const stored = await service.request('GET', `${service.program.path}/refunds/${id}`);
    assert.deepEqual([stored.body.amountCents, stored.body.reason, stored.body.note], [1000, 'other', 'Broken lid']);
    const audit = await service.request('GET', `${service.program.path}/audit-events?subjectId=${order.id}`);
    assert.deepEqual(
      audit.body.auditEvents.map((event: { action: string }) => event.action),
      ['refund.entered'],
    );
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });

  test('by amounts of several lines, then the rest', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, amountCents: 8000, items });
    const partly = [
      { position: 0, amountCents: 500 },
      { position: 1, amountCents: 1 },
    ];
    assert.equal((await refund(order.id, { items: partly })).body.refundedCents, 501);
    const rest = await refund(order.id, {});
    assert.deepEqual([rest.body.remainingCents, rest.body.refundedCents], [0, 8000]);
    const conversion = (await service.request('GET', `${service.program.path}/conversions/${order.id}`)).body;
    assert.deepEqual([conversion.status, conversion.reversedCents], ['reversed', conversion.commissionCents]);
    const again = await refund(order.id, { dryRun: true });
    assert.deepEqual([again.status, again.body.code], [422, 'nothing_to_refund']);
  });

  test('names the line of an amount that is too large', async () => {
    const order = await anOrder(service, { affiliateId: ada.id, amountCents: 8000, items });
    const answer = await refund(order.id, { items: [{ position: 1, amountCents: 5002 }], dryRun: true });
    assert.deepEqual(answer.body.details[0].path, ['items', '0', 'amountCents']);
  });
});
