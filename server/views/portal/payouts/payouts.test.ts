// Payouts in the portal: each with its state and a receipt, the same amounts as those of the API, and no one else's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { readPdfText } from '../../../../test/support/money/pdf-text.ts';
import { matureAll } from '../../../earning/commissions/mature.ts';

describe('payouts in the portal', () => {
  let service: TestService;
  let ada: TestMember;
  let eve: TestMember;
  let payouts: { id: string; affiliateId: string; amountCents: number }[];
  before(async () => {
    service = await openTestService();
    await aRule(service, { rate: 10 });
    const people = [];
    for (const firstName of ['Ada', 'Eve']) {
      const person = await anAffiliate(service, { status: 'active', firstName, lastName: 'Lindqvist', email: `${firstName}@example.com` });
      const details = { method: 'paypal', email: `${firstName}@payments.example` };
      await service.request('POST', `${service.program.path}/affiliates/${person.id}/payout-details`, { body: details });
      await anOrder(service, { orderId: `FF-${firstName}`, affiliateId: person.id, amountCents: 100_000 });
      people.push(person);
    }
    service.clock.advance({ days: 40 });
    await matureAll(service.ctx);
    const sent = await service.request('POST', `${service.program.path}/payouts/dispatch`, { body: {} });
    assert.ok(sent.status < 300, sent.text);
    payouts = (await service.request('GET', `${service.program.path}/payouts`)).body.payouts;
    assert.equal(payouts.length, 2);
    const [first, second] = people;
    assert.ok(first && second);
    [ada, eve] = [await service.asAffiliate(first), await service.asAffiliate(second)];
  });
  after(() => service.close());

  const portal = (path: string) => `/app/portal/${service.program.programId}${path}`;
  const read = (user: TestMember, path: string) => user.request('GET', portal(path), { key: null });
  const payoutOf = async (user: TestMember) => (await read(user, '/payouts')).body.payouts[0];

  test('show what is prepared and paid, in the amounts of the API', async () => {
    const before = await payoutOf(ada);
    const stored = payouts.find(({ id }) => id === before.id);
    assert.deepEqual([before.state, before.amountCents], ['preparing', stored?.amountCents]);
    const reference = { reference: 'BANK-ff77' };
    const marked = await service.request('POST', `${service.program.path}/payouts/${before.id}/mark-paid`, { body: reference });
    assert.equal(marked.status, 200, marked.text);
    const { body } = await read(ada, '/payouts');
    assert.deepEqual([body.total, body.payouts[0].state, body.payouts[0].reference], [1, 'paid', 'BANK-ff77']);
    assert.equal((await payoutOf(eve)).state, 'preparing');
  });

  test('have a receipt, including as PDF', async () => {
    const { id, amountCents } = await payoutOf(ada);
    const { body } = await read(ada, `/payouts/${id}`);
    assert.deepEqual([body.affiliateName, body.amountCents, body.commissions], ['Ada Lindqvist', amountCents, 1]);
    const pdf = await service.app.inject({ url: portal(`/payouts/${id}?format=pdf`), headers: { cookie: ada.cookie } });
    assert.deepEqual([pdf.statusCode, pdf.headers['content-type']], [200, 'application/pdf']);
    const text = readPdfText(pdf.rawPayload).join(' ');
    for (const part of ['Payout receipt', '$100.00', 'Ada Lindqvist', 'BANK-ff77', id])
      assert.ok(text.includes(part), `${part} in ${text}`);
  });

  test('of another affiliate do not exist', async () => {
    const { id } = await payoutOf(eve);
    assert.equal((await read(ada, `/payouts/${id}`)).status, 404);
    assert.equal((await read(ada, `/payouts/${id}?format=pdf`)).status, 404);
  });

  test('are lines of the statement, which equals that of the API', async () => {
    const { body, text } = await read(ada, '/statement');
    assert.equal(body.paidCents, 10_000);
    const { text: ofApi } = await service.request('GET', `${service.program.path}/affiliates/${body.affiliateId}/statement`);
    assert.equal(text, ofApi);
    assert.match((await read(ada, '/statement?format=csv')).text, /^seq,/);
  });
});
