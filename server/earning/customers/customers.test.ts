// Customers: by what they are recognized, which affiliate they are bound to and why, and changes of that.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';

let service: TestService;
let ada: string;
let eve: string;

before(async () => {
  service = await openTestService();
  ada = (await anAffiliate(service, { status: 'active' })).id;
  eve = (await anAffiliate(service, { status: 'active' })).id;
  await aRule(service, { rate: 10 });
});
after(() => service.close());

const get = async (path: string) => (await service.request('GET', `${service.program.path}${path}`)).body;
const lead = (body: object) => service.request('POST', '/v1/leads', { body });
const order = (body: object) => service.request('POST', '/v1/conversions', { body: { amountCents: 1000, ...body } });
const update = (id: string, body: object) => service.request('PATCH', `${service.program.path}/customers/${id}`, { body });

async function findCustomer(externalId: string) {
  const { customers, total } = await get(`/customers?externalId=${externalId}`);
  assert.equal(total, 1);
  return get(`/customers/${customers[0].id}`);
}

describe('bindings', () => {
  test('the first credited order or lead binds; later ones are credited by their own signals and change nothing', async () => {
    await anOrder(service, { affiliateId: ada, customer: { externalId: 'first', email: 'first@example.com' } });
    const other = await lead({ externalId: 'first-lead', affiliateId: eve, customer: { externalId: 'first' } });
    assert.equal(other.body.affiliateId, eve);
    const customer = await findCustomer('first');
    assert.deepEqual(
      [customer.affiliateId, customer.boundBy, customer.boundMethod, customer.externalIds, customer.hasEmail],
      [ada, 'order', 'affiliate', ['first'], true],
    );
    assert.equal(customer.bindings.length, 1);
    assert.equal((await anOrder(service, { customer: { externalId: 'first' } })).affiliateId, ada);
  });

  test('an id that is first sent with a known address belongs to the same customer', async () => {
    await anOrder(service, { affiliateId: ada, customer: { email: 'guest@example.com' } });
    await anOrder(service, { customer: { externalId: 'guest', email: 'Guest@example.com' } });
    assert.deepEqual([(await findCustomer('guest')).orders, (await findCustomer('guest')).hasEmail], [2, true]);
    assert.equal((await get('/customers?email=GUEST@example.com')).customers[0].externalIds[0], 'guest');
    assert.equal((await get('/customers?search=guest')).total, 1);
  });

  test('a list has the orders and their value when asked, as the customer has', async () => {
    const first = await anOrder(service, {
      affiliateId: ada,
      amountCents: 5000,
      customer: { externalId: 'totals', email: 'totals@example.com' },
    });
    await anOrder(service, { affiliateId: ada, amountCents: 3000, customer: { email: 'totals@example.com' } });
    await service.request('POST', '/v1/refunds', { body: { refundId: 'totals-1', orderId: first.orderId, amountCents: 500 } });
    const { id, orders, salesCents, refundsCents, currency } = await findCustomer('totals');
    assert.deepEqual([orders, salesCents, refundsCents], [2, 8000, 500]);
    const [row] = (await get('/customers?externalId=totals&expand=totals')).customers;
    assert.deepEqual([row.id, row.totals], [id, { orders, salesCents, refundsCents, currency }]);
    const { customers } = await get('/customers?limit=100&expand=totals');
    for (const each of customers) assert.equal(each.totals.orders, (await get(`/customers/${each.id}`)).orders);
    assert.equal('totals' in (await get('/customers?externalId=totals')).customers[0], false);
  });

  test('unbinding concerns later orders only; the next order with a signal binds again', async () => {
    const before = await anOrder(service, { affiliateId: ada, customer: { externalId: 'free' } });
    const { id } = await findCustomer('free');
    const unbound = await update(id, { affiliateId: null, note: 'Asked for it' });
    assert.deepEqual([unbound.status, unbound.body.affiliateId, unbound.body.boundBy], [200, null, null]);
    assert.equal((await get(`/conversions/${before.id}`)).affiliateId, ada);
    assert.equal((await order({ orderId: 'free-2', customer: { externalId: 'free' } })).status, 422);
    await anOrder(service, { affiliateId: eve, customer: { externalId: 'free' } });
    const bound = await findCustomer('free');
    assert.deepEqual([bound.affiliateId, bound.orders], [eve, 2]);
    assert.deepEqual(
      bound.bindings.map((one: Record<string, unknown>) => [one.source, one.affiliateId, one.note]),
      [
        ['order', eve, null],
        ['member', null, 'Asked for it'],
        ['order', ada, null],
      ],
    );
  });

  test('within a batch, orders see the binding that an earlier one caused, by any key', async () => {
    await anOrder(service, { affiliateId: ada, customer: { externalId: 'batch', email: 'batch@example.com' } });
    await update((await findCustomer('batch')).id, { affiliateId: null, note: 'n' });
    const conversions = [
      { orderId: 'batch-1', amountCents: 1000, affiliateId: eve, customer: { externalId: 'batch' } },
      { orderId: 'batch-2', amountCents: 1000, customer: { email: 'batch@example.com' } },
    ];
    const { body } = await service.request('POST', '/v1/conversions/batch', { body: { conversions } });
    assert.deepEqual(
      body.results.map((one: { conversion: { affiliateId: string } | null }) => one.conversion?.affiliateId),
      [eve, eve],
    );
  });

  test('a member can rebind a customer: the explanation, the event and the audit log say so', async () => {
    await anOrder(service, { affiliateId: ada, customer: { externalId: 'moved' } });
    const { id } = await findCustomer('moved');
    assert.equal((await update(id, { affiliateId: eve, note: 'Recruited by Eve' })).body.boundBy, 'member');
    const later = await anOrder(service, { customer: { externalId: 'moved' } });
    assert.equal(later.affiliateId, eve);
    const { sentences } = await get(`/conversions/${later.id}/explanation`);
    assert.match(sentences[0], /customer moved was assigned to the affiliate on 2026-03-01/);
    const { rows } = await service.pool.query('select type, previous from events where object_id = $1 order by object_sequence', [id]);
    assert.deepEqual(rows, [{ type: 'customer.bound', previous: { affiliateId: ada } }]);
    const { auditEvents } = await get(`/audit-events?subjectId=${id}`);
    assert.deepEqual(auditEvents[0].after, { affiliateId: eve, note: 'Recruited by Eve' });
    assert.equal((await update(id, { affiliateId: eve, note: 'Again' })).status, 200);
    assert.equal((await get(`/audit-events?subjectId=${id}`)).total ?? 1, 1);
  });

  test('a change needs a note, and an affiliate of the program', async () => {
    const { id } = await findCustomer('moved');
    assert.equal((await update(id, { affiliateId: null })).status, 400);
    assert.equal((await update(id, { affiliateId: service.ctx.ids.uuid(), note: 'x' })).status, 404);
    const member = await service.asMember('viewer');
    const path = `${service.program.path}/customers/${id}`;
    assert.equal((await member.request('PATCH', path, { body: { affiliateId: null, note: 'x' } })).status, 403);
  });

  test('50 simultaneous first orders and unbindings leave one customer whose history has no gaps', async () => {
    await anOrder(service, { affiliateId: ada, customer: { externalId: 'race' } });
    const { id } = await findCustomer('race');
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 5 === 0
          ? update(id, { affiliateId: null, note: 'n' })
          : order({ orderId: `race-${index}`, affiliateId: index % 2 ? ada : eve, customer: { externalId: 'race' } }),
      ),
    );
    assert.equal((await findCustomer('race')).orders, 41);
  });

  test('a foreign customer is not found, and no invariant is violated', async () => {
    const { id } = await findCustomer('race');
    const { foreign } = service;
    assert.equal((await service.request('GET', `${foreign.path}/customers/${id}`, { key: foreign.key })).status, 404);
    const body = { affiliateId: null, note: 'x' };
    assert.equal((await service.request('PATCH', `${foreign.path}/customers/${id}`, { key: foreign.key, body })).status, 404);
    assert.equal((await service.request('GET', `${foreign.path}/customers?externalId=race`, { key: foreign.key })).body.total, 0);
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });
});
