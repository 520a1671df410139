// Leads: who is credited, what they earn, that simultaneous reports count once, and that rejecting one is undone to the cent.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCoupon, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { matureAll } from '../commissions/mature.ts';

let service: TestService;
let ada: { id: string; email: string; referralCode: string };
let eve: { id: string; email: string; referralCode: string };
let serial = 0;

before(async () => {
  service = await openTestService();
  ada = await anAffiliate(service, { status: 'active' });
  eve = await anAffiliate(service, { status: 'active' });
  await aRule(service, { rate: 10 });
  await aRule(service, { name: 'Sign-ups', event: 'lead', type: 'flat', amountCents: 500 });
});
after(() => service.close());

const report = (body: Record<string, unknown>) => service.request('POST', '/v1/leads', { body });
const get = async (path: string) => (await service.request('GET', `${service.program.path}${path}`)).body;

async function aLead(given: Record<string, unknown>) {
  serial += 1;
  const lead = await report({ externalId: `lead-${serial}`, customer: { externalId: `c-${serial}` }, ...given });
  assert.equal(lead.status, 201, lead.text);
  return lead.body;
}

async function assertClean() {
  assert.deepEqual(
    (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
    [],
  );
}

const eventsOf = async (objectId: string): Promise<string[]> => {
  const { rows } = await service.pool.query('select type from events where object_id = $1 order by object_sequence', [objectId]);
  return rows.map(({ type }) => type);
};

describe('attribution through a lead', () => {
  test('a sale without any signal is credited to the affiliate of the lead, and the explanation says so', async () => {
    const lead = await aLead({ referralCode: ada.referralCode, customer: { externalId: 'c-77', email: 'Buyer@Example.com' } });
    assert.deepEqual([lead.affiliateId, lead.attribution.method, lead.status], [ada.id, 'referral_code', 'recorded']);
    const byId = await anOrder(service, { customer: { externalId: 'c-77' } });
    const byMail = await anOrder(service, { customer: { email: 'buyer@example.COM' } });
    assert.deepEqual([byId.affiliateId, byMail.affiliateId, byId.attribution.method], [ada.id, ada.id, 'customer']);
    const { sentences } = await get(`/conversions/${byId.id}/explanation`);
    assert.match(sentences[0], /is credited: customer c-77 signed up through the affiliate's referral code on 2026-03-01\.$/);
    const customer = await get(`/customers/${lead.customerId}`);
    assert.deepEqual([customer.orders, customer.salesCents, customer.leads], [2, 20_000, 1]);
    await assertClean();
  });

  test('the first order of someone who signed up before counts as their first', async () => {
    const rule = await aRule(service, { trigger: 'first', rate: 50, affiliateId: eve.id });
    await aLead({ affiliateId: eve.id, customer: { externalId: 'first' } });
    const orders = [
      await anOrder(service, { customer: { externalId: 'first' } }),
      await anOrder(service, { customer: { externalId: 'first' } }),
    ];
    assert.deepEqual(
      orders.map(({ commissionCents }) => commissionCents),
      [5000, 1000],
    );
    await service.request('PATCH', `${service.program.path}/commission-rules/${rule}`, { body: { status: 'archived' } });
  });

  test('a coupon credits its affiliate whatever its minimum, and is not redeemed', async () => {
    const coupon = await aCoupon(service, {
      affiliateId: eve.id,
      code: 'HELLO',
      minOrderCents: 5000,
      commissionType: 'percentage',
      commissionRate: 50,
    });
    const lead = await aLead({ couponCode: 'hello' });
    assert.deepEqual([lead.affiliateId, lead.attribution.method, lead.commissionCents], [eve.id, 'coupon', 500]);
    assert.equal((await get(`/coupons/${coupon.id}`)).redemptions, 0);
  });

  test('without an affiliate to credit nothing is stored, and the lead can be reported again', async () => {
    const lost = { externalId: 'lost', customer: { externalId: 'c-lost' } };
    const rejected = await report({ ...lost, referralCode: 'nowhere' });
    assert.deepEqual([rejected.status, rejected.body.code, rejected.body.reason], [422, 'no_affiliate_to_credit', 'unknown']);
    assert.equal((await get('/customers?externalId=c-lost')).total, 0);
    assert.equal((await report({ ...lost, affiliateId: ada.id })).status, 201);
  });

  test('a lead needs a customer, an affiliate of the program and a time that is not in the future', async () => {
    const answers = [
      await report({ externalId: 'x', affiliateId: ada.id }),
      await report({ externalId: 'x', affiliateId: ada.id, customer: { country: 'DE' } }),
      await report({ externalId: 'x', affiliateId: ada.id, customer: { externalId: 'x' }, occurredAt: '2027-01-01T00:00:00Z' }),
      await report({ externalId: 'x', affiliateId: service.ctx.ids.uuid(), customer: { externalId: 'x' } }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 400, 404],
    );
  });
});

describe('pay per lead', () => {
  test('a lead earns the flat amount of its rule for both levels, matures, and is part of the ledger', async () => {
    const [upline] = [await anAffiliate(service, { status: 'active' })];
    const recruit = await anAffiliate(service, { status: 'active', parentAffiliateId: upline.id });
    await aRule(service, { name: 'Recruits', event: 'lead', type: 'flat', amountCents: 50, level: 2 });
    const lead = await aLead({ affiliateId: recruit.id });
    assert.deepEqual(
      lead.commissions.map((one: Record<string, unknown>) => [one.affiliateId, one.amountCents, one.status]),
      [
        [recruit.id, 500, 'pending'],
        [upline.id, 50, 'pending'],
      ],
    );
    const { sentences } = await get(`/leads/${lead.id}`);
    assert.ok(sentences.includes('The lead: $5.00 flat by “Sign-ups” (default rule) = $5.00.'), sentences.join('\n'));
    const commission = await get(`/commissions/${lead.commissions[0].id}`);
    assert.deepEqual([commission.kind, commission.leadId, commission.conversionId], ['lead', lead.id, null]);
    service.clock.advance({ days: 31 });
    await matureAll(service.ctx);
    assert.equal((await get(`/commissions/${lead.commissions[0].id}`)).status, 'approved');
    const statement = `${service.program.path}/affiliates/${recruit.id}/statement?month=2026-03&format=csv`;
    assert.match((await service.request('GET', statement)).text, new RegExp(`Commission, lead ${lead.externalId}`));
    const due = await get('/payouts/due');
    assert.ok(JSON.stringify(due).includes(recruit.id));
    await assertClean();
  });

  test('rules for leads pay for no order, and rules, overrides and coupons for orders pay for no lead', async () => {
    const other = await service.newProgram('Only leads');
    const affiliate = await anAffiliate(service, { status: 'active' }, other);
    const lead = () =>
      service.request('POST', '/v1/leads', {
        key: other.key,
        body: { externalId: `o-${Math.random()}`, affiliateId: affiliate.id, customer: { externalId: 'o' } },
      });
    const override = { commissionOverrideType: 'percentage', commissionOverrideRate: 20 };
    await service.request('PATCH', `${other.path}/affiliates/${affiliate.id}`, { key: other.key, body: override });
    assert.equal((await lead()).body.commissionCents, 0);
    await aRule(service, { event: 'lead', type: 'flat', amountCents: 700 }, other);
    assert.equal((await lead()).body.commissionCents, 700);
    assert.equal((await anOrder(service, { affiliateId: affiliate.id }, other)).commissionCents, 2000);
  });

  test('what a lead earns is named by the rates, the rule that applies and the statement', async () => {
    const affiliate = await anAffiliate(service, { status: 'active' });
    const { lead, anythingElse } = await get(`/affiliates/${affiliate.id}/rates`);
    assert.deepEqual([lead.ruleName, lead.step, lead.amountCents], ['Sign-ups', 'default', 500]);
    assert.equal(lead.sentence, '$5.00 per lead by “Sign-ups” (default rule).');
    assert.equal(anythingElse.type, 'percentage');
    const own = await aRule(service, { name: 'Ada’s sign-ups', event: 'lead', type: 'flat', amountCents: 700, affiliateId: affiliate.id });
    const { winner, candidates } = await get(`/commission-rules/resolve?event=lead&affiliateId=${affiliate.id}`);
    assert.deepEqual([winner.ruleId, winner.step], [own, 'affiliate']);
    assert.deepEqual(
      candidates.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'outranked'],
      'rules for orders are not considered',
    );
    const { winner: ofOrder } = await get(`/commission-rules/resolve?affiliateId=${affiliate.id}`);
    assert.notEqual(ofOrder.ruleId, own);
    const recorded = await aLead({ affiliateId: affiliate.id });
    const { lines } = await get(`/affiliates/${affiliate.id}/statement`);
    assert.deepEqual(
      lines.map((line: Record<string, unknown>) => [line.leadExternalId, line.orderId, line.amountCents]),
      [[recorded.externalId, null, 700]],
    );
    await service.request('PATCH', `${service.program.path}/commission-rules/${own}`, { body: { status: 'archived' } });
    assert.equal((await get(`/affiliates/${affiliate.id}/rates`)).lead.amountCents, 500);
  });

  test('terms that have no meaning for a lead are rejected', async () => {
    const rule = (given: object) =>
      service.request('POST', `${service.program.path}/commission-rules`, { body: { name: 'L', event: 'lead', ...given } });
    const flat = { type: 'flat', amountCents: 100 };
    const cases: [object, string][] = [
      [{ type: 'percentage', rate: 5 }, 'type'],
      [{ ...flat, per: 'unit' }, 'per'],
      [{ ...flat, trigger: 'first' }, 'trigger'],
      [{ ...flat, maxPerOrderCents: 5 }, 'maxPerOrderCents'],
      [{ ...flat, category: 'Teas' }, 'category'],
      [{ ...flat, conditions: [{ field: 'newCustomer', operator: 'is', value: true }] }, 'conditions'],
    ];
    for (const [given, field] of cases) {
      const { status, body } = await rule(given);
      assert.deepEqual([status, body.details?.[0]?.path], [400, [field]], JSON.stringify(body));
    }
  });

  test('a budget limits what leads earn together', async () => {
    const other = await service.newProgram('Budget');
    const affiliate = await anAffiliate(service, { status: 'active' }, other);
    await aRule(service, { event: 'lead', type: 'flat', amountCents: 300, budgetCents: 500, budgetPeriod: 'total' }, other);
    const earned = [];
    for (const externalId of ['1', '2', '3']) {
      const body = { externalId, affiliateId: affiliate.id, customer: { externalId } };
      earned.push((await service.request('POST', '/v1/leads', { key: other.key, body })).body.commissionCents);
    }
    assert.deepEqual(earned, [300, 200, 0]);
    await assertClean();
  });
});

test('50 simultaneous reports of a lead record one lead, one customer and one commission', async () => {
  const body = { externalId: 'race', affiliateId: ada.id, customer: { externalId: 'c-race', email: 'race@example.com' } };
  const answers = await Promise.all(Array.from({ length: 50 }, () => report(body)));
  const first = answers.find(({ status }) => status === 201);
  assert.ok(first);
  const others = answers.filter((answer) => answer !== first);
  assert.ok(
    others.every((answer) => answer.status === 409 && answer.body.code === 'lead_recorded' && answer.body.leadId === first.body.id),
  );
  assert.equal((await get('/leads?externalId=race')).total, 1);
  assert.equal((await get('/customers?externalId=c-race')).total, 1);
  assert.equal((await get(`/commissions?leadId=${first.body.id}`)).total, 1);
  assert.deepEqual(await eventsOf(first.body.id), ['lead.created']);
  assert.deepEqual(await eventsOf(first.body.commissions[0].id), ['commission.created']);
  assert.deepEqual(await eventsOf(first.body.customerId), ['customer.bound']);
  await assertClean();
});

describe('a suspicious lead', () => {
  test("the affiliate's own sign-up is held until the alert is resolved; fraud rejects it and unbinds the customer", async () => {
    const lead = await aLead({ affiliateId: ada.id, customer: { email: ada.email } });
    assert.equal(lead.commissions[0].status, 'held');
    const { fraudEvents } = await get(`/fraud-events?leadId=${lead.id}`);
    assert.deepEqual([fraudEvents[0].kind, fraudEvents[0].leadId, fraudEvents[0].conversionId], ['self_referral', lead.id, null]);
    await assertClean();
    const path = `${service.program.path}/fraud-events/${fraudEvents[0].id}/resolve`;
    assert.equal((await service.request('POST', path, { body: { resolution: 'fraud', note: 'Own address' } })).status, 200);
    const rejected = await get(`/leads/${lead.id}`);
    assert.deepEqual([rejected.status, rejected.rejectionNote, rejected.reversedCents], ['rejected', 'Own address', 500]);
    assert.equal(rejected.commissions[0].status, 'rejected');
    assert.equal((await get(`/customers/${lead.customerId}`)).affiliateId, null);
    await assertClean();
  });

  test('a legitimate one continues to mature', async () => {
    const lead = await aLead({ affiliateId: eve.id, customer: { email: eve.email } });
    const { fraudEvents } = await get(`/fraud-events?leadId=${lead.id}`);
    const path = `${service.program.path}/fraud-events/${fraudEvents[0].id}/resolve`;
    assert.equal((await service.request('POST', path, { body: { resolution: 'legitimate' } })).status, 200);
    assert.equal((await get(`/leads/${lead.id}`)).commissions[0].status, 'pending');
    await assertClean();
  });
});

describe('rejecting a lead', () => {
  test('reverses its commission and its adjustments once, ends the binding, and keeps orders that were credited', async () => {
    const lead = await aLead({ affiliateId: ada.id, customer: { externalId: 'fake' } });
    const commission = `${service.program.path}/commissions/${lead.commissions[0].id}`;
    assert.equal((await service.request('POST', `${commission}/adjust`, { body: { amountCents: 100, note: 'More' } })).status, 201);
    const order = await anOrder(service, { customer: { externalId: 'fake' } });
    const reject = () => service.request('POST', `${service.program.path}/leads/${lead.id}/reject`, { body: { note: 'Invented' } });
    const [first, second] = [await reject(), await reject()];
    assert.deepEqual([first.status, first.body.status, first.body.reversedCents], [200, 'rejected', 500]);
    assert.deepEqual([second.status, second.body.code], [422, 'lead_rejected']);
    const { commissions } = await get(`/commissions?leadId=${lead.id}`);
    assert.ok(commissions.every(({ status, owedCents }: Record<string, unknown>) => status === 'rejected' && owedCents === 0));
    assert.equal((await get(`/conversions/${order.id}`)).status, 'pending');
    const later = await service.request('POST', '/v1/conversions', {
      body: { orderId: 'later', amountCents: 1, customer: { externalId: 'fake' } },
    });
    assert.equal(later.status, 422);
    assert.deepEqual(await eventsOf(lead.id), ['lead.created', 'lead.rejected']);
    assert.deepEqual(await eventsOf(lead.customerId), ['customer.bound', 'customer.unbound']);
    const { auditEvents } = await get(`/audit-events?action=lead.rejected&subjectId=${lead.id}`);
    assert.deepEqual(auditEvents[0].after, { note: 'Invented' });
    assert.equal((await report({ externalId: lead.externalId, affiliateId: ada.id, customer: { externalId: 'fake' } })).status, 409);
    await assertClean();
  });

  test('keeps a binding that another lead or order caused', async () => {
    await anOrder(service, { affiliateId: eve.id, customer: { externalId: 'loyal' } });
    const lead = await aLead({ affiliateId: ada.id, customer: { externalId: 'loyal' } });
    await service.request('POST', `${service.program.path}/leads/${lead.id}/reject`, { body: {} });
    assert.equal((await get(`/customers/${lead.customerId}`)).affiliateId, eve.id);
  });
});

test('a lead of another program is not found', async () => {
  const lead = await aLead({ affiliateId: ada.id });
  const { foreign } = service;
  const asForeign = (method: string, path: string, body?: object) =>
    service.request(method, `${foreign.path}/${path}`, { key: foreign.key, body });
  assert.equal((await asForeign('GET', `leads/${lead.id}`)).status, 404);
  assert.equal((await asForeign('POST', `leads/${lead.id}/reject`, {})).status, 404);
  assert.equal((await asForeign('GET', `customers/${lead.customerId}`)).status, 404);
  assert.equal((await service.request('GET', `${foreign.path}/leads`, { key: foreign.key })).body.total, 0);
});
