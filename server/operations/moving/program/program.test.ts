// Everything of a program in another installation: the same rows, balances and statements, and secrets that it can read.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { readStatement } from '../../../earning/statements/read-statement.ts';
import { encryptedColumns } from '../../../encrypted.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { createVault } from '../../../platform/secrets/vault.ts';
import { createDemo, type Demo } from '../../demo/demo.ts';
import { checkInvariants } from '../../verify/invariants.ts';
import { exportProgram } from './export-program.ts';
import { importProgram } from './import-program.ts';
import { leftOut, listProgramTables } from './tables.ts';

const transfer = createVault([randomBytes(32)]);
const actor = { kind: 'command' as const, id: 'test' };
let [old, fresh, empty]: TestService[] = [];
let demo: Demo;
let parent: string;
let folder: string;
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tributary-program-'));
  folder = join(parent, 'export');
  [old, fresh, empty] = await Promise.all([openTestService({ environment: { DATA_DIR: parent } }), openTestService(), openTestService()]);
  demo = await createDemo(old.ctx, async () => {});
  const path = `/v1/programs/${demo.programId}/affiliates`;
  const { body } = await old.request('GET', path, { key: demo.apiKey });
  const details = { method: 'paypal', email: 'paid@moving.test' };
  const stored = await old.request('POST', `${path}/${body.affiliates[0].id}/payout-details`, { key: demo.apiKey, body: details });
  assert.equal(stored.status, 201, stored.text);
});
after(async () => {
  await old?.close();
  await fresh?.close();
  await empty?.close();
  await rm(parent, { recursive: true, force: true });
});

const load = (service: TestService | undefined, path = folder) =>
  importProgram(requireService(service).ctx, { folder: path, encryptedColumns, transfer, actor });

function requireService(service: TestService | undefined): TestService {
  if (!service) throw new Error('The service is not open.');
  return service;
}

/** A checksum of the rows of each table, without what an import changes on purpose. */
async function hashRows(service: TestService | undefined): Promise<Record<string, string>> {
  const { pool, ctx } = requireService(service);
  const changed = ['emails', 'webhooks', 'audit_log', 'imports', 'providers', 'payout_details', 'payouts', 'tax_forms', 'provider_events'];
  const hashes: Record<string, string> = {};
  for (const { name } of await listProgramTables(ctx)) {
    const condition = name === 'person_programs' ? ` and kind = 'affiliate'` : '';
    const { rows } = await pool.query(
      `select count(*)::int as rows, md5(string_agg(line, '' order by line)) as hash
       from (select row_to_json(t)::text as line from "${name}" as t where program_id = $1${condition}) as lines`,
      [demo.programId],
    );
    hashes[name] = changed.includes(name) ? `${rows[0].rows} rows` : `${rows[0].rows} rows ${rows[0].hash}`;
  }
  return hashes;
}

/** The statements of all affiliates with money, of one month. */
async function readStatements(service: TestService | undefined) {
  const { pool, ctx } = requireService(service);
  const { programId } = demo;
  const { rows } = await pool.query('select affiliate_id from ledger_balances where program_id = $1 order by 1', [programId]);
  const read = (affiliateId: string) => readStatement(ctx, { programId, affiliateId, month: '2026-01' });
  const statements = await Promise.all(rows.map(({ affiliate_id: id }) => read(id)));
  return statements.map(({ summary }) => summary);
}

describe('an export of a program', () => {
  test('imported into another installation, has the same rows, balances and statements', async () => {
    const options = { programId: demo.programId, folder, version: '1.2.3', encryptedColumns, transfer };
    const manifest = await exportProgram(requireService(old).ctx, options);
    const before = await hashRows(old);
    const result = await load(fresh);
    assert.deepEqual([result.hasChanged, result.differences], [true, []]);
    assert.ok(result.balances > 100 && manifest.ledger.entries > 500);
    const { audit_log: audit, imports, ...rows } = await hashRows(fresh);
    const { audit_log: auditBefore, imports: none, ...rowsBefore } = before;
    assert.deepEqual(rows, rowsBefore);
    assert.equal(none, '0 rows');
    assert.deepEqual([Number.parseInt(audit ?? '', 10), imports], [Number.parseInt(auditBefore ?? '', 10) + 1, '1 rows']);
    const [oldStatements, newStatements] = [await readStatements(old), await readStatements(fresh)];
    assert.ok(newStatements.length > 20 && newStatements.some(({ paidCents }) => paidCents > 0));
    assert.deepEqual(newStatements, oldStatements);
    assert.deepEqual(
      (await checkInvariants(requireService(fresh).ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });

  test('has secrets that the other installation can read, and that nothing can read without the key', async () => {
    const { ctx, pool } = requireService(fresh);
    const { rows } = await pool.query('select affiliate_id, encrypted_destination from payout_details where program_id = $1 limit 5', [
      demo.programId,
    ]);
    assert.ok(rows.length > 0);
    for (const { affiliate_id: id, encrypted_destination: value } of rows) {
      const column = encryptedColumns.find(({ table }) => table === 'payout_details');
      assert.ok(ctx.vault.isCurrent(value) && ctx.vault.decrypt(value, column?.owner({ affiliateId: id }) ?? '').length > 2);
    }
    assert.doesNotMatch(await readFile(join(folder, 'payout_details.ndjson'), 'utf8'), /paid@/);
  });

  test('sends nothing: payouts are locked, webhooks paused, emails not queued', async () => {
    const { pool, ctx } = requireService(fresh);
    const { rows } = await pool.query(`select (select count(*)::int from emails where status = 'queued') as emails,
      (select count(*)::int from webhooks where status = 'active') as webhooks, (select count(*)::int from api_keys where program_id = '${demo.programId}') as keys`);
    assert.deepEqual(rows, [{ emails: 0, webhooks: 0, keys: 0 }]);
    assert.ok(ctx);
  });

  test('imported a second time, changes nothing, and is rejected where the program comes from', async () => {
    const before = await hashRows(fresh);
    assert.equal((await load(fresh)).hasChanged, false);
    assert.deepEqual(await hashRows(fresh), before);
    await assert.rejects(load(old), (error) => error instanceof Invalid && /already exists in this installation/.test(error.message));
  });

  test('that was changed or is not complete is rejected as a whole', async () => {
    const other = requireService(empty);
    const file = join(folder, 'groups.ndjson');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"', '" '));
    await assert.rejects(
      load(other),
      (error) => error instanceof Invalid && /groups\.ndjson is not as it was exported/.test(error.message),
    );
    await writeFile(file, text);
    const rehearsed = await importProgram(other.ctx, { folder, encryptedColumns, transfer, actor, isDryRun: true });
    assert.equal(rehearsed.hasChanged, false);
    await assert.rejects(load(other, parent), (error) => error instanceof Invalid && /has no manifest\.json/.test(error.message));
    assert.equal((await other.pool.query('select from programs where id = $1', [demo.programId])).rowCount, 0);
  });

  test('leaves out only tables that exist, each with a reason', async () => {
    const { rows } = await requireService(old).pool.query(
      `select table_name from information_schema.columns where column_name = 'program_id' and table_schema = 'public'`,
    );
    const names = rows.map((row) => row.table_name);
    assert.deepEqual(
      Object.keys(leftOut).filter((name) => !names.includes(name)),
      [],
    );
  });
});
