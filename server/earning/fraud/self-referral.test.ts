// An order or lead of the affiliate who is credited for it is held with an alert, whichever way it gets its affiliate.
// The hold period is 0, so that nothing but the alert keeps the commission from being paid.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { aStore } from '../../../test/support/stores/stores.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { matureAll } from '../commissions/mature.ts';

let service: TestService;
let owner: TestMember;
let bea: { id: string };
let serial = 0;

before(async () => {
  service = await openTestService();
  owner = await service.asMember('owner');
  await call('PATCH', service.program.path, { holdDays: 0 });
  await aRule(service, { rate: 10 });
  await aRule(service, { event: 'lead', type: 'flat', amountCents: 300 });
  bea = await anAffiliate(service, { status: 'active' });
});
after(async () => {
  const findings = await checkInvariants(service.ctx).finally(() => service.close());
  assert.deepEqual(
    findings.filter(({ broken }) => broken.length > 0),
    [],
  );
});

const call = async (method: string, path: string, body?: object, by: Pick<TestService, 'request'> | TestMember = service) => {
  const response = await by.request(method, path, body ? { body } : {});
  assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
  return response.body;
};
const app = (path: string) => `/app/programs/${service.program.programId}${path}`;

/** An affiliate whose order this is, under a spelling of their address. */
async function aBuyer() {
  serial += 1;
  const affiliate = await anAffiliate(service, { email: `buyer${serial}@example.com`, status: 'active' });
  return { affiliate, orderId: `own-${serial}`, customer: { email: `Buyer${serial}+shop@example.com` } };
}
type Bought = Awaited<ReturnType<typeof aBuyer>>;

const report = ({ affiliate, orderId, customer }: Bought) => ({ orderId, amountCents: 10_000, affiliateId: affiliate.id, customer });

async function anUnattributedOrder({ orderId, customer }: Bought): Promise<string> {
  const { status } = await service.request('POST', '/v1/conversions', { body: { orderId, amountCents: 10_000, customer } });
  assert.equal(status, 422);
  const { unattributedOrders } = await call('GET', `${service.program.path}/unattributed-orders?orderId=${orderId}`);
  return unattributedOrders[0].id;
}

/** How an order gets its affiliate. */
const paths: Record<string, (bought: Bought) => Promise<unknown>> = {
  'reported one by one': (bought) => call('POST', '/v1/conversions', report(bought)),
  'reported in a batch': (bought) => call('POST', '/v1/conversions/batch', { conversions: [report(bought)] }),
  'entered by a member': (bought) => call('POST', app('/conversions'), report(bought), owner),
  'sent by a store': async ({ affiliate, orderId, customer }) => {
    const { referralCode } = affiliate;
    const store = await aStore(service, 'generic');
    const message = { id: orderId, topic: 'order.paid', body: { orderId, amountCents: 10_000, referralCode, customer } };
    assert.equal((await store.send(message)).status, 200);
    await service.drain();
  },
  claimed: async (bought) => {
    await anUnattributedOrder(bought);
    const { id } = await call('POST', `${service.program.path}/claims`, { affiliateId: bought.affiliate.id, orderId: bought.orderId });
    await call('POST', `${service.program.path}/claims/${id}/decide`, { decision: 'accepted' });
  },
  'credited by a member': async (bought) => {
    const id = await anUnattributedOrder(bought);
    await call('POST', app(`/unattributed-orders/${id}/credit`), { affiliateId: bought.affiliate.id }, owner);
  },
  'moved to them': async (bought) => {
    const { id } = await anOrder(service, { ...report(bought), affiliateId: bea.id });
    const moved = await call('POST', `${service.program.path}/conversions/${id}/move`, { affiliateId: bought.affiliate.id, note: 'Hers' });
    assert.equal(moved.conversion.status, 'held');
  },
};

async function dueOf(affiliateId: string): Promise<unknown[]> {
  service.clock.advance({ seconds: 60 });
  await matureAll(service.ctx);
  const { due } = await call('GET', `${service.program.path}/payouts/due`);
  return due.filter((payout: { affiliateId: string }) => payout.affiliateId === affiliateId);
}

const alertsOf = async (query: string) =>
  (await call('GET', `${service.program.path}/fraud-events?${query}`)).fraudEvents.map(
    ({ kind, status, evidence, affiliateId }: { kind: string; status: string; evidence: object; affiliateId: string }) => {
      return { kind, status, evidence, affiliateId };
    },
  );
const selfReferralOf = (affiliateId: string) => ({
  kind: 'self_referral',
  status: 'open',
  evidence: { action: 'hold', buyerIs: 'affiliate' },
  affiliateId,
});

describe("an affiliate's own order is held for a decision when it is", () => {
  for (const [name, credit] of Object.entries(paths))
    test(name, async () => {
      const bought = await aBuyer();
      await credit(bought);
      const { conversions } = await call('GET', `${service.program.path}/conversions?orderId=${bought.orderId}`);
      assert.deepEqual(
        conversions.map((one: { affiliateId: string; status: string }) => [one.affiliateId, one.status]),
        [[bought.affiliate.id, 'held']],
      );
      assert.deepEqual(await alertsOf(`conversionId=${conversions[0].id}`), [selfReferralOf(bought.affiliate.id)]);
      assert.deepEqual(await dueOf(bought.affiliate.id), []);
    });
});

test("an affiliate's own lead is held for a decision", async () => {
  const { affiliate, customer } = await aBuyer();
  const lead = await call('POST', '/v1/leads', { externalId: 'own lead', affiliateId: affiliate.id, customer });
  assert.deepEqual(await alertsOf(`affiliateId=${affiliate.id}`), [selfReferralOf(affiliate.id)]);
  assert.equal(lead.commissionCents, 300);
  assert.deepEqual(await dueOf(affiliate.id), []);
});

describe('a moved order', () => {
  const move = (id: string, affiliateId: string, given: object = {}) =>
    call('POST', `${service.program.path}/conversions/${id}/move`, { affiliateId, note: 'Corrected', ...given });

  test('of the new upline is a self-referral too; a dry run shows the hold and opens no alert', async () => {
    const { affiliate: una, customer } = await aBuyer();
    const ada = await anAffiliate(service, { status: 'active', parentAffiliateId: una.id });
    const { id } = await anOrder(service, { affiliateId: bea.id, customer });
    assert.equal((await move(id, ada.id, { dryRun: true })).conversion.status, 'held');
    assert.deepEqual(await alertsOf(`conversionId=${id}`), []);
    await move(id, ada.id);
    const evidence = { action: 'hold', buyerIs: 'upline' };
    assert.deepEqual(await alertsOf(`conversionId=${id}`), [{ ...selfReferralOf(ada.id), evidence }]);
  });

  test('that is moved back has one alert, and none again after it was found legitimate', async () => {
    const bought = await aBuyer();
    const { id } = await anOrder(service, report(bought));
    await move(id, bea.id);
    await move(id, bought.affiliate.id);
    const [alert, ...others] = (await call('GET', `${service.program.path}/fraud-events?conversionId=${id}`)).fraudEvents;
    assert.deepEqual(others, []);
    await call('POST', `${service.program.path}/fraud-events/${alert.id}/resolve`, { resolution: 'legitimate' });
    await move(id, bea.id);
    const { conversion } = await move(id, bought.affiliate.id);
    assert.notEqual(conversion.status, 'held');
    assert.equal((await alertsOf(`conversionId=${id}`)).length, 1);
  });

  test('is only flagged, or not checked, if the program says so', async () => {
    const { body } = await service.request('GET', `${service.program.path}/fraud-settings`);
    for (const [selfReferral, status, alerts] of [
      ['flag', 'approved', 1],
      ['off', 'approved', 0],
    ] as const) {
      await call('PATCH', `${service.program.path}/fraud-settings`, { selfReferral });
      const bought = await aBuyer();
      const { id } = await anOrder(service, { ...report(bought), affiliateId: bea.id });
      await move(id, bought.affiliate.id);
      await dueOf(bought.affiliate.id);
      assert.equal((await call('GET', `${service.program.path}/conversions/${id}`)).status, status);
      assert.equal((await alertsOf(`conversionId=${id}`)).length, alerts);
    }
    await call('PATCH', `${service.program.path}/fraud-settings`, { selfReferral: body.selfReferral });
  });

  test('from before buyers were stored is recognized by the address of its customer', async () => {
    const { affiliate } = await aBuyer();
    const { id } = await anOrder(service, { affiliateId: bea.id, customer: { email: affiliate.email.toUpperCase() } });
    await service.pool.query('update conversions set buyer_hash = null where id = $1', [id]);
    await move(id, affiliate.id);
    assert.deepEqual(await alertsOf(`conversionId=${id}`), [selfReferralOf(affiliate.id)]);
  });
});
