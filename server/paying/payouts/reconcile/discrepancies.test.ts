// Discrepancies between payouts and the provider's records: how they are listed and resolved.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { anOrder } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { aSender, closeSender, type Sender } from '../../../../test/support/payees.ts';

let service: TestService;
let sender: Sender;

before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  sender = await aSender(service);
});
afterEach(() => closeSender(service, sender));

async function storeDiscrepancy(kind: string, given: { payoutId?: string; affiliateId?: string } = {}): Promise<string> {
  const id = service.ctx.ids.uuid();
  await service.pool.query(
    `insert into payout_discrepancies
       (program_id, id, provider_id, kind, reference, payout_id, affiliate_id, amount_cents, currency, created_at, recorded_values)
     values ($1, $2, $3, $4, $2::uuid::text, $5, $6, 5000, 'USD', $7, '{"amount_cents": 5000}')`,
    [sender.program.programId, id, sender.providerId, kind, given.payoutId, given.affiliateId, service.clock.now()],
  );
  return id;
}
const resolve = (id: string, body: object) => sender.send('POST', `payouts/discrepancies/${id}/resolve`, body);

describe('discrepancies', () => {
  test('are listed by status, kind, provider and affiliate, and returned by id with what they refer to', async () => {
    const missing = await storeDiscrepancy('missing_payment', { affiliateId: sender.ada.id });
    const unknown = await storeDiscrepancy('unknown_payment');
    await resolve(unknown, { note: 'Paid from another system' });
    const list = async (query: string) => (await sender.send('GET', `payouts/discrepancies?${query}`)).body;
    const ids = async (query: string) => (await list(query)).discrepancies.map(({ id }: { id: string }) => id);
    assert.equal((await list('')).total, 2);
    assert.deepEqual(await ids('status=open'), [missing]);
    assert.deepEqual(await ids('status=resolved'), [unknown]);
    assert.equal((await ids('status=open&status=resolved')).length, 2);
    assert.deepEqual(await ids('kind=unknown_payment'), [unknown]);
    assert.deepEqual(await ids(`affiliateId=${sender.ada.id}&providerId=${sender.providerId}`), [missing]);
    const [expanded] = (await list('status=open&expand=affiliate,provider')).discrepancies;
    assert.deepEqual([expanded.affiliate.id, expanded.provider.name], [sender.ada.id, 'Our bank']);
    const { body } = await sender.send('GET', `payouts/discrepancies/${missing}`);
    assert.deepEqual([body.status, body.kind, body.amountCents, body.resolvedBy], ['open', 'missing_payment', 5000, null]);
    assert.equal((await sender.send('GET', 'payouts/discrepancies?open=true')).status, 400);
    await resolve(missing, { note: 'Paid in cash' });
  });

  test('lock the payouts while open: reconciling reports them, and unlocks after they are resolved', async () => {
    const id = await storeDiscrepancy('amount_mismatch');
    const locked = await sender.send('POST', 'payouts/reconcile');
    assert.deepEqual([locked.body.isUnlocked, locked.body.lockReason, locked.body.openDiscrepancies], [false, 'open_discrepancies', 1]);
    const dispatched = await sender.send('POST', 'payouts/dispatch');
    assert.deepEqual([dispatched.status, dispatched.body.lockReason], [503, 'open_discrepancies']);
    assert.match(dispatched.body.error, /^Payouts are locked: the payouts differ from the provider's records\./);
    const resolved = await resolve(id, { note: 'Corrected by the provider' });
    const key = (await service.request('GET', '/v1/me', { key: sender.program.key })).body.apiKey.id;
    const { status, resolution, note, resolvedBy } = resolved.body;
    assert.deepEqual(
      [resolved.status, status, resolution, note, resolvedBy],
      [200, 'resolved', 'explained', 'Corrected by the provider', { kind: 'api_key', id: key }],
    );
    assert.deepEqual([(await resolve(id, { note: 'again' })).status], [422]);
    const unlocked = await sender.send('POST', 'payouts/reconcile');
    assert.deepEqual([unlocked.body.isUnlocked, unlocked.body.lockReason], [true, null]);
  });

  test('of an unknown payment are resolved by recording it for an affiliate, as a paid payout under its own id', async () => {
    await anOrder(service, { affiliateId: sender.ada.id, amountCents: 100_000 }, sender.program);
    service.clock.advance({ days: 31 });
    const payoutId = service.ctx.ids.uuid();
    const [unknown, missing] = [await storeDiscrepancy('unknown_payment', { payoutId }), await storeDiscrepancy('missing_payment')];
    const rejected = await resolve(missing, { note: 'x', affiliateId: sender.ada.id });
    assert.deepEqual([rejected.status, rejected.body.details[0].path], [400, ['affiliateId']]);
    const { status, body, text } = await resolve(unknown, { note: 'Paid in May', affiliateId: sender.ada.id });
    assert.deepEqual([status, body.resolution], [200, 'payment_recorded'], text);
    const payout = (await sender.send('GET', `payouts/${payoutId}`)).body;
    assert.deepEqual([payout.status, payout.amountCents, payout.history[0].actor], ['paid', 5000, body.resolvedBy]);
    const balance = (await sender.send('GET', `affiliates/${sender.ada.id}/balance`)).body;
    assert.deepEqual([balance.availableCents, balance.paidCents], [5000, 5000]);
    await resolve(missing, { note: 'Paid in cash' });
  });
});
