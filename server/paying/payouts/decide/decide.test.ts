// Decisions of a person about one payout: each is either carried out, or rejected with the reason.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { applyResponses } from '../apply-responses.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const send = (method: string, path: string, body?: object) =>
  service.request(method, `${service.program.path}/${path}`, body ? { body } : {});

/** A payout of 100.00 that is paid manually. */
async function createPayout(): Promise<{ id: string; batchId: string; affiliateId: string }> {
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  await send('POST', 'commissions', { affiliateId, amountCents: 10_000, note: 'bonus' });
  const { status, body, text } = await send('POST', 'payouts/dispatch', { affiliateIds: [affiliateId] });
  assert.equal(status, 201, text);
  return body.payouts[0];
}

describe('a payout', () => {
  test('that is being sent cannot be marked as paid: 503 with a message that says why', async () => {
    const { id } = await createPayout();
    await service.pool.query(`update payouts set status = 'sending', lease_until = now() where id = $1`, [id]);
    const { status, body, headers } = await send('POST', `payouts/${id}/mark-paid`, {});
    assert.deepEqual([status, body.code, headers['retry-after']], [503, 'unavailable', '5']);
    assert.equal(body.error, 'This payout is being sent. Try again in a few seconds.');
    await service.pool.query(`update payouts set status = 'queued', lease_until = null where id = $1`, [id]);
  });

  test('that is sent and paid manually cannot be retried: 400 with what to do', async () => {
    const { id, batchId } = await createPayout();
    assert.equal((await send('POST', `payouts/batches/${batchId}/export`)).status, 200);
    const { status, body } = await send('POST', `payouts/${id}/retry`);
    assert.deepEqual([status, body.code], [400, 'paid_manually']);
    assert.equal(body.error, 'This payout is paid manually: mark it as paid, or cancel it.');
  });

  test('in the requested status is 422; cancelling a paid one is 400, so that no client ignores it', async () => {
    const [paid, cancelled] = [await createPayout(), await createPayout()];
    assert.equal((await send('POST', `payouts/${paid.id}/mark-paid`)).status, 200);
    assert.equal((await send('POST', `payouts/${cancelled.id}/cancel`)).status, 200);
    const codes = async (id: string, action: string) => {
      const { status, body } = await send('POST', `payouts/${id}/${action}`);
      return [status, body.code];
    };
    assert.deepEqual(await codes(paid.id, 'mark-paid'), [422, 'payout_not_open']);
    assert.deepEqual(await codes(paid.id, 'cancel'), [400, 'payout_ended']);
    assert.deepEqual(await codes(cancelled.id, 'cancel'), [422, 'payout_not_open']);
  });

  test('that is marked as paid has one entry in the audit log, with its amount and reference', async () => {
    const { id } = await createPayout();
    assert.equal((await send('POST', `payouts/${id}/mark-paid`, { reference: 'SEPA 1' })).status, 200);
    const { rows } = await service.pool.query('select action, before, after from audit_log where subject_id = $1', [id]);
    const paid = { status: 'paid', amountCents: 10_000, currency: 'USD', reference: 'SEPA 1' };
    assert.deepEqual(rows, [{ action: 'payout.marked_paid', before: { status: 'queued' }, after: paid }]);
  });

  test('is announced by its own event: cancelled as payout.cancelled, even with its batch, and failed as payout.failed', async () => {
    const [single, inBatch, failed] = [await createPayout(), await createPayout(), await createPayout()];
    assert.equal((await send('POST', `payouts/${single.id}/cancel`)).status, 200);
    assert.equal((await send('POST', `payouts/batches/${inBatch.batchId}/cancel`)).status, 200);
    const response = { outcome: 'failed' as const, code: 'closed', reason: 'account closed' };
    await applyResponses(service.ctx, service.program.programId, [{ payoutId: failed.id, response }], { kind: 'command', id: 'test' });
    const last = async ({ id }: { id: string }) => {
      const { rows } = await service.pool.query(
        `select type, data ->> 'status' as status, previous from events where object_id = $1 order by object_sequence desc limit 1`,
        [id],
      );
      return rows[0];
    };
    const cancelled = { type: 'payout.cancelled', status: 'cancelled', previous: { status: 'queued' } };
    assert.deepEqual([await last(single), await last(inBatch)], [cancelled, cancelled]);
    assert.deepEqual((await last(failed)).type, 'payout.failed');
  });

  test('shows who changed its status, and its commissions have the same actor', async () => {
    const payout = await createPayout();
    const keyId = (await service.request('GET', '/v1/me')).body.apiKey.id;
    const provider = { kind: 'provider' as const, id: service.ctx.ids.uuid() };
    const { programId } = service.program;
    const response = { outcome: 'failed' as const, code: 'closed', reason: 'account closed' };
    await applyResponses(service.ctx, programId, [{ payoutId: payout.id, response }], provider);
    const { body } = await send('GET', `payouts/${payout.id}`);
    const createdAt = service.clock.now().toISOString();
    assert.deepEqual(body.history, [
      { status: 'queued', actor: { kind: 'api_key', id: keyId }, reason: null, createdAt },
      { status: 'failed', actor: provider, reason: 'account closed', createdAt },
    ]);
    const batch = (await send('GET', `payouts/batches/${payout.batchId}`)).body;
    assert.deepEqual([batch.dispatchedBy, batch.approvedBy], [{ kind: 'api_key', id: keyId }, null]);
    const again = await createPayout();
    assert.equal((await send('POST', `payouts/${again.id}/mark-paid`)).status, 200);
    const { rows } = await service.pool.query(
      `select event.actor_kind as kind, event.actor_id as id from commission_events as event
       join payout_lines as line using (program_id, commission_id) where line.payout_id = $1 order by step desc limit 1`,
      [again.id],
    );
    assert.deepEqual(rows, [{ kind: 'api_key', id: keyId }]);
  });
});

describe('the list of payouts', () => {
  test('filters by status, affiliate, batch, reference and time, sorts, and expands references', async () => {
    const [first, second] = [await createPayout(), await createPayout()];
    await send('POST', `payouts/${first.id}/mark-paid`, { reference: 'wire 1' });
    const ids = async (query: string) => (await send('GET', `payouts?${query}`)).body.payouts.map(({ id }: { id: string }) => id);
    const both = `affiliateId=${first.affiliateId}`;
    assert.deepEqual(await ids(`${both}&status=paid&status=queued`), [first.id]);
    assert.deepEqual(await ids(`${both}&status=queued`), []);
    assert.deepEqual(await ids(`batchId=${second.batchId}`), [second.id]);
    assert.deepEqual(await ids('reference=wire%201'), [first.id]);
    const later = new Date(service.clock.now().getTime() + 1000).toISOString();
    assert.deepEqual(await ids(`${both}&createdFrom=${later}`), []);
    const { payouts } = (await send('GET', `payouts?${both}&expand=affiliate,batch`)).body;
    assert.deepEqual([payouts[0].affiliate.id, payouts[0].batch.id], [first.affiliateId, first.batchId]);
    for (const query of ['status=unknown', 'sort=id', 'expand=lines', 'from=2026-01-01T00:00:00Z'])
      assert.equal((await send('GET', `payouts?${query}`)).status, 400, query);
  });

  test('of batches filters by status and sorts by amount', async () => {
    const [open, paid] = [await createPayout(), await createPayout()];
    await send('POST', `payouts/${paid.id}/mark-paid`);
    const ids = async (query: string) =>
      (await send('GET', `payouts/batches?limit=200&${query}`)).body.batches.map(({ id }: { id: string }) => id);
    assert.ok((await ids('status=processing')).includes(open.batchId));
    assert.ok(!(await ids('status=processing')).includes(paid.batchId));
    assert.ok((await ids('status=completed&status=processing&sort=totalCents')).includes(paid.batchId));
    assert.equal((await send('GET', 'payouts/batches?status=done')).status, 400);
  });
});
