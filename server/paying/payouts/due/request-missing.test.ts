// Affiliates who can't be paid are asked for what is missing, once, however often a member asks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { anExternalProvider, aPayee, aRail } from '../../../../test/support/payees.ts';

let service: TestService;
let rail: Awaited<ReturnType<typeof aRail>>;
const ids: Record<'payable' | 'first' | 'second', string> = { payable: '', first: '', second: '' };

before(async () => {
  service = await openTestService();
  rail = await aRail(service);
  await service.request('PATCH', service.program.path, { body: { minimumPayoutCents: 500 } });
  await aRule(service, { rate: 10 });
  await anExternalProvider(service, rail.url);
  ids.payable = (await aPayee(service)).id;
  for (const name of ['first', 'second'] as const)
    ids[name] = (await anAffiliate(service, { status: 'active', email: `${name}@example.com`, firstName: 'Ada' })).id;
  for (const affiliateId of Object.values(ids)) await anOrder(service, { affiliateId, amountCents: 10_000 });
  service.clock.advance({ days: 31 });
});
after(async () => {
  await rail.close();
  await service.close();
});

const send = (method: string, path: string, body?: object) =>
  service.request(method, `${service.program.path}/payouts/${path}`, body ? { body } : {});
const asked = async () => (await service.pool.query(`select to_address from emails where kind = 'payout_request' order by 1`)).rows;

test('what is due names each affiliate, why they are skipped and what would help', async () => {
  const { status, body } = await send('GET', 'due?expand=affiliate');
  assert.equal(status, 200);
  assert.deepEqual([body.due.length, body.due[0].affiliate.id], [1, ids.payable]);
  assert.deepEqual(
    body.skipped.map(({ affiliateId, affiliate, ...row }: Record<string, { email: string }>) => [affiliateId, affiliate?.email, row]),
    [ids.first, ids.second].map((id, index) => [
      id,
      `${index === 0 ? 'first' : 'second'}@example.com`,
      { amountCents: 1000, reason: 'no_payout_method', minimumCents: 500, payableFrom: null, requestedAt: null },
    ]),
  );
});

test('a dispatch leaves out the affiliates that were deselected', async () => {
  const all = await send('POST', 'dispatch', { dryRun: true });
  assert.equal(all.body.batch.totalCents, 1000);
  const none = await send('POST', 'dispatch', { dryRun: true, exceptAffiliateIds: [ids.payable] });
  assert.deepEqual([none.status, none.body.code], [422, 'nothing_due']);
});

test('concurrent requests email each affiliate once, and the next one after three days', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => send('POST', 'due/requests', { reason: 'no_payout_method' })));
  for (const { status, text } of answers) assert.equal(status, 200, text);
  assert.deepEqual(answers.map(({ body }) => body.requestedCount).sort(), [0, 0, 0, 0, 0, 2]);
  assert.deepEqual(await asked(), [{ to_address: 'first@example.com' }, { to_address: 'second@example.com' }]);
  const again = await send('POST', 'due/requests', { reason: 'no_payout_method', affiliateIds: [ids.first] });
  assert.deepEqual([again.body.requestedCount, again.body.askedRecentlyCount], [0, 1]);
  const { body } = await send('GET', 'due');
  assert.equal(body.skipped[0].requestedAt, service.clock.now().toISOString());
  service.clock.advance({ days: 3, seconds: 1 });
  const later = await send('POST', 'due/requests', { reason: 'no_payout_method', affiliateIds: [ids.first] });
  assert.deepEqual([later.body.requestedCount, (await asked()).length], [1, 3]);
});

test('an affiliate who is not skipped for this reason is not emailed', async () => {
  const { status, body } = await send('POST', 'due/requests', { reason: 'tax_form_missing' });
  assert.deepEqual([status, body.requestedCount, body.askedRecentlyCount], [200, 0, 0]);
  const payable = await send('POST', 'due/requests', { reason: 'no_payout_method', affiliateIds: [ids.payable] });
  assert.deepEqual([payable.status, payable.body.requestedCount, (await asked()).length], [200, 0, 3]);
});

test('a batch says how many of its payouts have each status', async () => {
  const { body } = await send('POST', 'dispatch', {});
  const { status, body: batch } = await send('GET', `batches/${body.batch.id}?expand=provider`);
  assert.equal(status, 200);
  assert.deepEqual([batch.statuses, batch.provider.name], [[{ status: 'queued', payoutCount: 1, amountCents: 1000 }], 'Our bank']);
});

test('the state of the reconciliation names the lock, and counts what each provider was asked to pay', async () => {
  const { status, body, text } = await send('GET', 'reconciliation');
  assert.equal(status, 200, text);
  const [provider] = body.providers;
  assert.deepEqual([body.lockReason, body.openDiscrepancies, body.providers.length], [null, 0, 1]);
  assert.deepEqual([provider.provider.name, provider.openCount, provider.openCents, provider.paidCount], ['Our bank', 1, 1000, 0]);
  const compared = await send('POST', 'reconcile', {});
  assert.equal(compared.status, 200);
  assert.equal((await send('GET', 'reconciliation')).body.providers[0].comparedAt, service.clock.now().toISOString());
});

test('the email about a missing tax form opens the form', async () => {
  const { programId } = service.program;
  await service.pool.query(`update programs set tax_forms = 'required' where id = $1`, [programId]);
  const { status, body, text } = await send('POST', 'due/requests', { reason: 'tax_form_missing' });
  assert.ok(status === 200 && body.requestedCount > 0, text);
  const { rows } = await service.pool.query(`select text_body from emails where kind = 'payout_request' order by id desc limit 1`);
  assert.match(rows[0].text_body, new RegExp(`/portal/${programId}/tax-form\\s`));
});
