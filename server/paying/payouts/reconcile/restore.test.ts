// A backup that is older than a payout is restored. Nothing is paid until the payouts were compared with the provider's
// records, and then no affiliate is paid twice.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type pg from 'pg';
import { anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { withCopyClient } from '../../../../test/support/own-connections.ts';
import { anExternalProvider, aPayee } from '../../../../test/support/payees.ts';
import { startExternalRail } from '../../../../test/support/rails/external.ts';
import { restoreBackup } from '../../../operations/backup/restore-backup.ts';
import { writeBackup } from '../../../operations/backup/write-backup.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';
import { ensureAppRole } from '../../../platform/db/app-role.ts';
import { sendQueued } from '../send/send.ts';

const payees = 12;
let folder: string;
let service: TestService;
let program: TestProgram;
let rail: Awaited<ReturnType<typeof startExternalRail>>;
let affiliates: { id: string }[];

const withClient = <Result>(act: (client: pg.PoolClient) => Promise<Result>) => withCopyClient(service.pool, act);
const send = (method: string, path: string, body?: object) =>
  service.request(method, `${program.path}/${path}`, { key: program.key, body });
const earn = async (amountCents: number, name: string) => {
  for (const [index, { id }] of affiliates.entries()) {
    await anOrder(service, { affiliateId: id, amountCents: amountCents + index, orderId: `${name}-${index}` }, program);
  }
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-drill-'));
  service = await openTestService();
  rail = await startExternalRail({ now: () => service.clock.now() });
  program = await service.newProgram('Restored');
  await anExternalProvider(service, rail.url, program);
  await aRule(service, { rate: 10 }, program);
  affiliates = await Promise.all(Array.from({ length: payees }, () => aPayee(service, program)));
  await earn(100_000, 'old');
  service.clock.advance({ days: 31 });
});
after(async () => {
  await service.close();
  await rail.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('after a backup older than a payout was restored', () => {
  test('nothing is dispatched or sent until payouts are reconciled, and then no affiliate is paid twice', async () => {
    const file = join(folder, 'before.backup');
    await withClient((client) => writeBackup(client, { path: file, version: 'test', encryptedColumns: [] }));
    await earn(50_000, 'lost');
    assert.equal((await send('POST', 'payouts/dispatch', {})).status, 201);
    await sendQueued(service.ctx, program.programId);
    service.clock.advance({ days: 31 });
    // Half of the affiliates are paid again, for orders that the backup doesn't contain.
    assert.equal((await send('POST', 'payouts/dispatch', { affiliateIds: affiliates.slice(0, 6).map(({ id }) => id) })).status, 201);
    await sendQueued(service.ctx, program.programId);
    assert.equal(rail.payments().length, payees + 6);
    const paid = sumByAffiliate(rail.payments());
    // Into the same database of the same cluster.
    await withClient((client) => restoreBackup(file, { client, boss: service.boss, now: service.clock.now() }));
    await ensureAppRole(service.pool);

    const rejected = await send('POST', 'payouts/dispatch', {});
    assert.deepEqual([rejected.status, rejected.body.code], [503, 'reconciliation_required']);
    assert.equal(await sendQueued(service.ctx, program.programId), 0);
    const dry = await send('POST', 'payouts/dispatch', { dryRun: true });
    assert.equal(dry.status, 503);
    const compared = await send('POST', 'payouts/reconcile', {});
    assert.deepEqual(
      [compared.status, compared.body.isUnlocked, compared.body.needsAcknowledgement, compared.body.recordedPayments],
      [200, false, true, payees + 6],
      compared.text,
    );
    assert.equal((await send('POST', 'payouts/dispatch', {})).status, 503, 'payments that no provider can list must be checked');
    assert.equal((await send('POST', 'payouts/reconcile', { acknowledge: true })).body.isUnlocked, true);

    assert.equal((await send('POST', 'payouts/dispatch', { minimumPayoutCents: 0 })).status, 422);
    assert.deepEqual(sumByAffiliate(rail.payments()), paid);
    // Lost orders are reported again: only what the provider has not paid is due.
    await earn(50_000, 'lost');
    service.clock.advance({ days: 31 });
    const again = await send('POST', 'payouts/dispatch', { minimumPayoutCents: 0 });
    assert.deepEqual([again.status, again.body.batch?.payoutCount], [201, 6], again.text);
    await sendQueued(service.ctx, program.programId);
    const all = [...sumByAffiliate(rail.payments()).entries()].map(([id, cents]) => [id, cents]);
    const owed = affiliates.map(({ id }, index) => [id, Math.round((100_000 + index) / 10) + Math.round((50_000 + index) / 10)]);
    assert.deepEqual(all.sort(), owed.sort());
    const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
    assert.deepEqual(broken, []);
  });
});

function sumByAffiliate(payments: readonly { affiliateId: string | null; amountCents: number }[]): Map<string | null, number> {
  const sums = new Map<string | null, number>();
  for (const { affiliateId, amountCents } of payments) sums.set(affiliateId, (sums.get(affiliateId) ?? 0) + amountCents);
  return sums;
}
