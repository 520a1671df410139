// What the clock of a program in test mode must not change: live programs, and what follows the real time for security.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { openSandbox, type Sandbox } from '../../../test/support/test-clocks/sandbox.ts';
import { issueKey } from '../../accounts/programs/api-keys/issue-key.ts';
import { findChainFaults } from '../../earning/ledger/verify-chain.ts';
import { sealAuditLog } from '../../platform/audit/seal.ts';
import { transact } from '../../platform/db/transact.ts';
import { checkInvariants } from '../verify/invariants.ts';

let service: TestService;
let sandbox: Sandbox;
before(async () => {
  service = await openTestService();
  sandbox = await openSandbox(service, 'Sandbox');
});
after(() => service.close());

const query = async (text: string, ...values: unknown[]) => (await service.pool.query(text, values)).rows;
const constraintOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { constraint?: string }) => error.constraint,
  );

describe('a live program', () => {
  test('has the real time in the API, which can’t be advanced, not even with the key of a test program', async () => {
    const { path } = service.program;
    const read = await service.request('GET', `${path}/test-clock`);
    assert.deepEqual([read.status, read.body.status, read.body.currentAt], [200, 'unavailable', service.clock.now().toISOString()]);
    const advance = (key: string) => service.request('POST', `${path}/test-clock/advance`, { key, body: { days: 1 } });
    const { status, body } = await advance(service.program.key);
    assert.deepEqual([status, body.code], [400, 'not_a_test_program']);
    assert.equal((await advance(sandbox.key)).status, 404);
  });

  test('gets no clock in SQL either, not even from the owner of the database', async () => {
    const insert = (mode: string) =>
      query(`insert into test_clocks (program_id, mode, offset_ms) values ($1, $2, 1)`, service.program.programId, mode);
    assert.equal(await constraintOf(insert('test')), 'test_clocks_program_fkey');
    assert.equal(await constraintOf(insert('live')), 'test_clocks_test_only');
    const move = query('update test_clocks set program_id = $1 where program_id = $2', service.program.programId, sandbox.programId);
    assert.equal(await constraintOf(move), 'test_clocks_program_fkey');
    const goLive = query(`update programs set mode = 'live' where id = $1`, sandbox.programId);
    assert.equal(await constraintOf(goLive), 'test_clocks_program_fkey');
    const back = query('update test_clocks set offset_ms = -1 where program_id = $1', sandbox.programId);
    assert.equal(await constraintOf(back), 'test_clocks_offset_range');
  });

  test('stays as it is while the clock of another one is advanced', async () => {
    await aRule(service);
    const ada = await anAffiliate(service, { status: 'active' });
    await anOrder(service, { affiliateId: ada.id });
    await service.drain();
    await service.drain();
    const readRows = () =>
      query(
        `select to_jsonb(commission) as row from commissions as commission where program_id = $1
       union all select to_jsonb(entry) from ledger_entries as entry where program_id = $1
       union all select to_jsonb(email) from emails as email where program_id = $1
       union all select to_jsonb(event) from events as event where program_id = $1`,
        service.program.programId,
      );
    const before = await readRows();
    await sandbox.advance({ days: 400 });
    assert.deepEqual(await readRows(), before);
    const { body } = await service.request('GET', `${service.program.path}/commissions`);
    assert.deepEqual(
      body.commissions.map((one: { status: string }) => one.status),
      ['pending'],
    );
  });
});

describe('a program whose clock was advanced by 400 days', () => {
  test('can’t go live; one whose clock was never advanced can', async () => {
    const fresh = await openSandbox(service, 'Fresh');
    for (const [one, expected] of [
      [sandbox, [400, 'clock_advanced']],
      [fresh, [200, undefined]],
    ] as const) {
      await aRule(service, {}, one);
      const owner = await service.asMember('owner', { program: one });
      const { status, body } = await owner.request('POST', `/app/programs/${one.programId}/go-live`, { body: { unpaidCents: 0 } });
      assert.deepEqual([status, body.code], expected);
    }
    assert.equal((await fresh.call('POST', '/test-clock/advance', { days: 1 })).body.code, 'not_a_test_program');
  });

  test('keeps its API keys and sessions: they expire by the real time', async () => {
    const actor = { kind: 'command' as const, id: 'test' };
    const expiresAt = new Date(service.clock.now().getTime() + 86_400_000);
    const { programId } = sandbox;
    const { apiKey } = await transact(service.ctx, (tx) =>
      issueKey(tx, { programId, name: 'Day', scopes: ['read', 'write'], expiresAt, actor }),
    );
    const owner = await service.asMember('owner', { program: sandbox });
    const group = (name: string, key: string) => service.request('POST', `${sandbox.path}/groups`, { key, body: { name } });
    assert.equal((await group('Gold', apiKey)).status, 201);
    assert.equal((await owner.request('POST', `${sandbox.path}/groups`, { body: { name: 'Silver' } })).status, 201);
    service.clock.advance({ days: 2 });
    assert.equal((await group('Bronze', apiKey)).status, 401);
  });

  test('seals its audit log, whose times are real, and its ledger', async () => {
    await anOrder(service, { affiliateId: (await anAffiliate(service, { status: 'active' }, sandbox)).id }, sandbox);
    const [{ last }] = await query('select max(created_at) as last from audit_log where program_id = $1', sandbox.programId);
    assert.ok(last <= service.clock.now());
    assert.ok((await sealAuditLog(service.ctx, sandbox.programId)) > 0);
    assert.equal(await sealAuditLog(service.ctx, sandbox.programId), 0);
    assert.deepEqual(await findChainFaults(service.ctx.db, sandbox.programId), []);
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0),
      [],
    );
  });

  test('attributes an order to a click of its own time', async () => {
    const ada = await anAffiliate(service, { status: 'active' }, sandbox);
    const clicked = await service.request('POST', '/v1/clicks', {
      key: sandbox.key,
      body: {
        referralCode: ada.referralCode,
        ipAddress: '198.51.100.7',
        userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      },
    });
    assert.equal(clicked.body.recorded, true, clicked.text);
    const [row] = await query(
      'select created_at as at from clicks where program_id = $1 and id = $2',
      sandbox.programId,
      clicked.body.clickId,
    );
    assert.ok(row.at.getTime() - service.clock.now().getTime() > 390 * 86_400_000);
    const order = await anOrder(service, { clickId: clicked.body.clickId }, sandbox);
    assert.equal(order.affiliateId, ada.id);
  });

  test('reads its times in the API as they are in the program', async () => {
    const clock = await sandbox.call('GET', '/test-clock');
    const ada = await anAffiliate(service, { status: 'active' }, sandbox);
    const { body } = await sandbox.call('GET', `/affiliates/${ada.id}`);
    assert.equal(body.createdAt, clock.body.currentAt);
    const future = await service.request('POST', '/v1/conversions', {
      key: sandbox.key,
      body: { orderId: 'later', amountCents: 100, affiliateId: ada.id, occurredAt: clock.body.currentAt },
    });
    assert.equal(future.status, 201, future.text);
  });
});
