// Simulated payouts over HTTP: what becomes of each amount, and when, by the clock of the program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aPayee } from '../../../test/support/payees.ts';
import { openSandbox, type Sandbox } from '../../../test/support/test-clocks/sandbox.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { magicAmounts } from './simulated.ts';

let service: TestService;
let sandbox: Sandbox;

before(async () => {
  service = await openTestService();
  sandbox = await openSandbox(service, 'Sandbox');
});
after(() => service.close());

const simulated = { type: 'simulated', name: 'Simulation' };

/** The statuses of the payouts, by the last two digits of their amounts. */
async function readStatuses(): Promise<Record<number, string>> {
  const { body } = await sandbox.call('GET', '/payouts?limit=200');
  const payouts = body.payouts as { amountCents: number; status: string }[];
  return Object.fromEntries(payouts.map(({ amountCents, status }) => [amountCents % 100, status]));
}

describe('simulated payouts', () => {
  test('are listed in the guide', () => {
    const guide = readFileSync('docs/guides/testing.md', 'utf8');
    const rows = [...guide.matchAll(/^\| `(\d\d)` \| (.*) \|$/gm)].map(([, digits, what]) => [Number(digits), what]);
    assert.deepEqual(
      rows,
      [...magicAmounts].map(([digits, { what }]) => [digits, what]),
    );
  });

  test('exist in programs in test mode only, and SQL can’t change that', async () => {
    const live = await service.request('POST', `${service.program.path}/providers`, { body: simulated });
    assert.deepEqual([live.status, live.body.details?.[0].path], [400, ['type']]);
    const created = await sandbox.call('POST', '/providers', { ...simulated, mode: 'live' });
    assert.deepEqual([created.status, created.body.mode], [201, 'test'], created.text);
    const constraintOf = (statement: string) =>
      service.pool.query(statement.replaceAll('$1', `'${sandbox.programId}'`)).then(
        () => null,
        (error: { constraint?: string }) => error.constraint,
      );
    assert.equal(await constraintOf(`update providers set program_mode = null where program_id = $1`), 'providers_simulated_in_test_mode');
    assert.equal(
      await constraintOf(`delete from test_clocks where program_id = $1; update programs set mode = 'live' where id = $1`),
      'providers_program_mode_fkey',
    );
    const owner = await service.asMember('owner', { program: sandbox });
    await aRule(service, { rate: 10 }, sandbox);
    const live2 = await owner.request('POST', `/app/programs/${sandbox.programId}/go-live`, { body: { unpaidCents: 0 } });
    assert.deepEqual([live2.status, live2.body.code], [400, 'simulated_payouts'], live2.text);
  });

  test('succeed, fail, become unknown, are returned or slow, by the last two digits of their amount', async () => {
    const digits = [0, ...magicAmounts.keys()];
    for (const last of digits) {
      const payee = await aPayee(service, sandbox);
      await anOrder(service, { affiliateId: payee.id, amountCents: (10_000 + last) * 10 }, sandbox);
    }
    await sandbox.advance({ days: 31 });
    const batch = await sandbox.call('POST', '/payouts/dispatch', {});
    assert.deepEqual([batch.status, batch.body.batch.payoutCount], [201, digits.length], batch.text);
    await service.drain();
    const sent = {
      0: 'paid',
      1: 'failed',
      2: 'failed',
      11: 'reconcile_required',
      12: 'reconcile_required',
      13: 'reconcile_required',
      21: 'sent',
      31: 'sent',
    };
    assert.deepEqual(await readStatuses(), sent);
    await sandbox.advance({ days: 1 });
    assert.deepEqual(await readStatuses(), { ...sent, 11: 'paid', 12: 'failed' });
    await sandbox.advance({ days: 3 });
    assert.deepEqual(await readStatuses(), { ...sent, 11: 'paid', 12: 'failed', 21: 'returned' });
    await sandbox.advance({ days: 2 });
    assert.deepEqual(await readStatuses(), { ...sent, 11: 'paid', 12: 'failed', 21: 'returned', 31: 'paid' });
    const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
    assert.deepEqual(broken, []);
  });

  test('open an alert while the outcome of one is unknown, at the time of the program', async () => {
    const { rows } = await service.pool.query(`select kind, status from alerts where program_id = $1`, [sandbox.programId]);
    assert.deepEqual(rows, [{ kind: 'payouts_unknown', status: 'open' }]);
  });

  test('are the only automatic ones while the clock is ahead', async () => {
    const external = await sandbox.call('POST', '/providers', {
      type: 'external_webhook',
      name: 'Our bank',
      config: { url: 'http://127.0.0.1:9/pay' },
    });
    assert.equal(external.status, 201, external.text);
    const payee = await aPayee(service, sandbox);
    await anOrder(service, { affiliateId: payee.id, amountCents: 100_000 }, sandbox);
    await sandbox.advance({ days: 31 });
    const { status, body } = await sandbox.call('POST', '/payouts/dispatch', { providerId: external.body.id });
    const message = 'must be a simulated provider or pay manually: the test clock of the program was advanced';
    assert.deepEqual([status, body.details], [400, [{ path: ['providerId'], message }]]);
    assert.equal((await sandbox.call('POST', '/payouts/dispatch', {})).status, 201);
  });
});
