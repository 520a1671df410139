// Scheduled jobs, `verify` and `secrets rotate` while the database server of one program does not respond: everything is done
// for the others, the error names this program, and the next run repeats what was missed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { encryptedColumns } from '../server/encrypted.ts';
import { claimDeliveries, expireClaims, findCandidates } from '../server/messaging/webhooks/dispatch/claim.ts';
import { fanOut } from '../server/messaging/webhooks/dispatch/fan-out.ts';
import { checkPrograms } from '../server/operations/verify/invariants.ts';
import { copyFigures } from '../server/partners/affiliates/totals/copy-figures.ts';
import { ProgramsFailed } from '../server/platform/queue/each-program.ts';
import { reencryptColumn } from '../server/platform/secrets/encrypted-columns.ts';
import { createVault } from '../server/platform/secrets/vault.ts';
import { jobs } from '../server/schedule.ts';
import { aGroup, anAffiliate } from './support/builders.ts';
import { rowsOfProgram } from './support/endpoints/program-rows.ts';
import { openTestService, type TestService } from './support/harness.ts';
import { failProgram } from './support/races/failing-program.ts';

const vaultKey = randomBytes(32);
let service: TestService;
let named = 0;
let [failing, other, recover] = ['', '', async () => {}];
const scheduled = jobs.filter(({ cron }) => cron);

before(async () => {
  service = await openTestService({ vaultKey, environment: { CLICK_RETENTION_DAYS: '90' } });
  for (const program of [service.program, service.foreign]) await rowsOfProgram(service, program);
  await service.pool.query(`update clicks set agent = 'Mozilla'`);
  await service.drain();
  [failing, other] = [service.program.programId, service.foreign.programId];
  // Everything is due, and old enough to be deleted.
  service.clock.advance({ days: 100 });
  for (const program of [service.program, service.foreign]) {
    const webhook = { url: 'https://brand.example/hook', eventTypes: ['affiliate.*'] };
    const { path, key } = program;
    assert.equal((await service.request('POST', `${path}/webhooks`, { body: webhook, key })).status, 201);
    await anAffiliate(service, { status: 'active' }, program);
    const moves = { isEnabled: true, steps: [{ groupId: await aGroup(service, 'Bronze', program), from: 0 }] };
    const bounty = { name: 'First', description: 'Sell once.', milestone: 'first_order', rewardCents: 500 };
    assert.equal((await service.request('POST', `${path}/bounties`, { body: bounty, key })).status, 201);
    assert.equal((await service.request('PATCH', `${path}/group-moves`, { body: moves, key })).status, 200);
  }
  await fanOut(service.ctx);
  for (const program of [service.program, service.foreign]) await anAffiliate(service, {}, program);
  recover = await failProgram(service.pool, failing);
});
after(() => service.close());

const count = async (programId: string, query: string): Promise<number> =>
  (await service.pool.query(`select count(*)::int as count from ${query}`, [programId])).rows[0].count;

/** What jobs leave behind in a program. */
const effects: [what: string, query: string, isDone: (rows: number) => boolean][] = [
  ['commissions mature', `commissions where program_id = $1 and status = 'pending'`, (rows) => rows === 0],
  ['bodies of emails are erased', `emails where program_id = $1 and html_body <> '' and status <> 'queued'`, (rows) => rows === 0],
  ['events are deleted', 'events where program_id = $1 and position = 1', (rows) => rows === 0],
  ['old clicks forget their visitor', 'clicks where program_id = $1 and agent is not null', (rows) => rows === 0],
  ['bodies of events are erased', `provider_events where program_id = $1 and payload is not null`, (rows) => rows === 0],
  ['affiliates move to their groups', 'affiliates where program_id = $1 and group_reached_on is not null', (rows) => rows > 0],
  ['the ledger is recorded', `audit_log where program_id = $1 and action = 'ledger.sealed'`, (rows) => rows === 1],
  ['the audit log is sealed', 'audit_seals where program_id = $1', (rows) => rows > 0],
];

const failuresOf = async (run: () => Promise<unknown>): Promise<readonly string[]> => {
  try {
    await run();
    return [];
  } catch (error) {
    assert.ok(error instanceof ProgramsFailed, String(error));
    return error.failures.map(({ programId }) => programId);
  }
};

describe('while one program fails', () => {
  for (const job of scheduled)
    test(`${job.name} works for the others`, async () => {
      const failed = await failuresOf(() => job.run(service.ctx, {}, { isLast: true }));
      if (failed.length > 0) named += 1;
      assert.deepEqual([...new Set(failed)], failed.length > 0 ? [failing] : []);
    });

  test('most jobs name the one that fails', () => {
    assert.ok(named >= 12, `${named} of ${scheduled.length}`);
  });

  for (const [what, query, isDone] of effects)
    test(`${what} in the other program only`, async () => {
      assert.ok(isDone(await count(other, query)), 'in the other');
      assert.ok(!isDone(await count(failing, query)), 'in the one that fails');
    });

  test('events become deliveries of the other, which are claimed', async () => {
    await fanOut(service.ctx);
    assert.ok((await count(other, 'webhook_deliveries where program_id = $1')) > 0);
    const candidates = await findCandidates(service.ctx);
    assert.deepEqual([...new Set(candidates.map(({ programId }) => programId))], [other]);
    const { rows } = await service.pool.query('select program_id as "programId", id from webhooks');
    const claimed = await claimDeliveries(
      service.ctx,
      rows.map(({ programId, id }) => ({ programId, id, limit: 1 })),
    );
    assert.equal(claimed.length, candidates.length);
    service.clock.advance({ minutes: 5 });
    assert.equal(await expireClaims(service.ctx).catch(() => -1), claimed.length);
  });

  test('figures follow the orders of the other', async () => {
    assert.deepEqual(await failuresOf(() => copyFigures(service.ctx)), [failing]);
    assert.equal(await count(other, 'figure_changes where program_id = $1'), 0);
  });

  test('verify checks the others and names it', async () => {
    const { findings, failures, intactProgramIds } = await checkPrograms(service.ctx);
    assert.deepEqual(
      failures.map(({ programId }) => programId),
      [failing],
    );
    assert.deepEqual(intactProgramIds, [other]);
    assert.ok(findings.every(({ broken }) => broken.length === 0));
  });

  test('secrets are encrypted with the newest key in the others', async () => {
    const ctx = { ...service.ctx, vault: createVault([randomBytes(32), vaultKey]) };
    let reencrypted = 0;
    const failed = new Set<string>();
    for (const column of encryptedColumns) {
      const result = await reencryptColumn(ctx, column);
      reencrypted += result.reencrypted;
      for (const { programId } of result.failures) failed.add(programId);
    }
    assert.ok(reencrypted > 0);
    assert.deepEqual([...failed], [failing]);
  });
});

test('afterwards the next runs do what was missed', async () => {
  await recover();
  for (const job of scheduled) assert.deepEqual(await failuresOf(() => job.run(service.ctx, {}, { isLast: true })), [], job.name);
  for (const [what, query, isDone] of effects) assert.ok(isDone(await count(failing, query)), what);
  await fanOut(service.ctx);
  await copyFigures(service.ctx);
  assert.equal(await count(failing, 'events where program_id = $1 and position is null'), 0);
  assert.equal(await count(failing, 'figure_changes where program_id = $1'), 0);
});
