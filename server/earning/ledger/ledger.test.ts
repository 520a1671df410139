// The ledger over the API: entries page by page, and the verification of the hash chain.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { sealLedgers } from '../../operations/verify/watch.ts';
import { matureAll } from '../commissions/mature.ts';

let service: TestService;
let affiliateId: string;

before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  affiliateId = (await anAffiliate(service, { status: 'active' })).id;
  for (let order = 1; order <= 3; order += 1) {
    await anOrder(service, { orderId: `order-${order}`, affiliateId, amountCents: 1000 * order });
    service.clock.advance({ seconds: 3600 });
  }
  service.clock.advance({ days: 40 });
  await matureAll(service.ctx);
});
after(() => service.close());

const get = (path: string) => service.request('GET', `${service.program.path}/ledger/${path}`);
const seqs = (entries: readonly { seq: number }[]) => entries.map(({ seq }) => seq);

describe('ledger entries', () => {
  test('are listed newest first, and each is found by its id with its amount and currency', async () => {
    const { body } = await get('entries');
    assert.deepEqual([seqs(body.entries), body.total, body.nextCursor], [[6, 5, 4, 3, 2, 1], 6, null]);
    const [newest] = body.entries;
    assert.deepEqual([newest.kind, newest.debit, newest.credit, newest.currency], ['mature', 'pending', 'available', 'USD']);
    assert.deepEqual((await get(`entries/${newest.id}`)).body, newest);
    assert.equal((await get(`entries/${service.ctx.ids.uuid()}`)).status, 404);
  });

  test('are paged with a cursor in both directions, without repeating entries that are added in the meantime', async () => {
    const first = (await get('entries?limit=2')).body;
    await anOrder(service, { orderId: 'added-later', affiliateId, amountCents: 100 });
    const second = (await get(`entries?limit=2&cursor=${first.nextCursor}`)).body;
    assert.deepEqual([seqs(first.entries), seqs(second.entries), second.total], [[6, 5], [4, 3], undefined]);
    const oldest = (await get('entries?limit=4&sort=seq')).body;
    const rest = (await get(`entries?limit=4&sort=seq&cursor=${oldest.nextCursor}`)).body;
    assert.deepEqual([seqs(oldest.entries), seqs(rest.entries), rest.nextCursor], [[1, 2, 3, 4], [5, 6, 7], null]);
    for (const cursor of ['x', '', Buffer.from('-1').toString('base64url')])
      assert.equal((await get(`entries?cursor=${cursor}`)).status, 400, cursor);
  });

  test('are filtered by kind, affiliate, commission and time', async () => {
    const { entries } = (await get('entries?kind=accrue&kind=reverse&sort=seq')).body;
    assert.deepEqual(
      entries.map(({ amountCents }: { amountCents: number }) => amountCents),
      [100, 200, 300, 10],
    );
    assert.deepEqual(seqs((await get(`entries?commissionId=${entries[0].commissionId}`)).body.entries), [4, 1]);
    assert.equal((await get(`entries?affiliateId=${service.ctx.ids.uuid()}`)).body.total, 0);
    assert.deepEqual(seqs((await get(`entries?createdTo=${entries[1].createdAt}`)).body.entries), [1]);
    assert.equal((await get('entries?kind=write_off')).status, 400);
    const [expanded] = (await get('entries?limit=1&expand=affiliate')).body.entries;
    assert.equal(expanded.affiliate.id, affiliateId);
  });
});

describe('ledger integrity', () => {
  const changeEntry = (seq: number, by: number) =>
    service.pool.query('update ledger_entries set cents = cents + $2 where program_id = $3 and seq = $1', [
      seq,
      by,
      service.program.programId,
    ]);

  test('is verified from the first entry until the ledger is sealed, then from the seal', async () => {
    const beforeSeal = (await get('integrity')).body;
    assert.deepEqual([beforeSeal.isValid, beforeSeal.sealedAt, beforeSeal.sumCents, beforeSeal.currency], [true, null, 0, 'USD']);
    assert.deepEqual([beforeSeal.entryCount, beforeSeal.verifiedCount], [7, 7]);
    await sealLedgers(service.ctx);
    await anOrder(service, { orderId: 'after-seal', affiliateId, amountCents: 100 });
    const sealed = (await get('integrity')).body;
    assert.deepEqual([sealed.isValid, sealed.entryCount, sealed.verifiedCount], [true, 8, 1]);
    assert.equal(sealed.sealedAt, service.clock.now().toISOString());
    assert.equal((await get('integrity?full=true')).body.verifiedCount, 8);
    assert.match(sealed.head, /^[0-9a-f]{64}$/);
  });

  test('a changed amount is found after the seal, and before it by a full verification', async () => {
    for (const [seq, path] of [
      [8, 'integrity'],
      [2, 'integrity?full=true'],
    ] as const) {
      await changeEntry(seq, 1);
      const { isValid, faults } = (await get(path)).body;
      await changeEntry(seq, -1);
      assert.deepEqual([isValid, faults], [false, [{ seq, kind: 'hash_mismatch' }]]);
    }
  });

  test('a sealed entry that was replaced is found without a full verification', async () => {
    const { rows } = await service.pool.query('select hash from ledger_entries where seq = 7');
    await service.pool.query(`update ledger_entries set hash = decode(repeat('ab', 32), 'hex') where seq = 7`);
    const { faults, verifiedCount } = (await get('integrity')).body;
    await service.pool.query('update ledger_entries set hash = $1 where seq = 7', [rows[0].hash]);
    assert.deepEqual(faults[0], { seq: 7, kind: 'seal_mismatch' });
    assert.equal(verifiedCount, 8);
  });
});
