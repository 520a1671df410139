// An import from another system that is killed three times: every balance is equal, and a run afterwards changes nothing.
// With 10,000 affiliates and 100,000 orders: TEST_LENGTH=200 npm test -- test/kill/moving.test.ts
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { writeExports } from '../support/moving/exports.ts';
import { generateOldProgram } from '../support/moving/old-program.ts';
import { type Installation, openInstallation } from '../support/operator.ts';
import { givenSeed, often } from '../support/time/length.ts';

type Proven = { affiliate: string; ledger: string };

const seed = givenSeed ?? 1;
let installation: Installation;
before(async () => {
  installation = await openInstallation();
});
after(() => installation.close());

let programId: string;

test(`an import that is killed three times keeps every balance (seed ${seed})`, { timeout: 3_600_000 }, async () => {
  const { folder, newProgram, tributary, killed } = installation;
  const old = generateOldProgram({ seed, affiliates: often(50), orders: often(500), now: new Date() });
  const path = await writeExports(folder, 'rewardful', old);
  ({ programId } = await newProgram('Moved'));
  const command = ['import', 'rewardful', path, '--program', programId];
  for (let kill = 1; kill <= 3; kill += 1) await killed('% imported', ...command);
  const started = performance.now();
  const report = join(folder, 'report');
  const first = await tributary(...command, '--json', '--report', report);
  console.log(`  ${often(500)} orders: the last run took ${((performance.now() - started) / 1000).toFixed(0)} s`);
  assert.equal(first.code, 0, first.stderr);
  const { hasChanged, rejections, balances, counts } = JSON.parse(first.stdout);
  assert.deepEqual([hasChanged, rejections, balances.differences], [true, [], []]);
  assert.ok(counts.commission.existed > 0, 'the killed runs imported a part');
  const proven = Map.groupBy(
    parse(await readFile(join(report, 'balances.csv')), { columns: true }) as Proven[],
    ({ affiliate }) => affiliate,
  );
  for (const [email, { pendingCents, approvedCents, paidCents }] of old.balances) {
    const expected = pendingCents + approvedCents + paidCents === 0 ? undefined : [pendingCents, approvedCents, paidCents];
    assert.deepEqual(
      proven.get(email)?.map(({ ledger }) => Math.round(Number(ledger) * 100)),
      expected,
      email,
    );
  }
  const second = await tributary(...command, '--json');
  assert.deepEqual([second.code, JSON.parse(second.stdout).hasChanged, JSON.parse(second.stdout).balances.differences], [0, false, []]);
  const verified = await tributary('verify');
  assert.equal(verified.code, 0, verified.stdout);
});

test('an export of it, imported into another installation, has the same balances', { timeout: 3_600_000 }, async () => {
  const exported = join(installation.folder, 'moved');
  const started = performance.now();
  const written = await installation.tributary('export', 'program', '--program', programId, '--out', exported);
  assert.equal(written.code, 0, written.stderr);
  const other = await openInstallation();
  try {
    const first = await other.tributary('import', 'program', exported, '--json');
    console.log(`  the export and its import took ${((performance.now() - started) / 1000).toFixed(0)} s`);
    assert.equal(first.code, 0, first.stderr);
    const { hasChanged, differences, balances } = JSON.parse(first.stdout);
    assert.deepEqual([hasChanged, differences, balances > often(50)], [true, [], true]);
    assert.equal(JSON.parse((await other.tributary('import', 'program', exported, '--json')).stdout).hasChanged, false);
    const verified = await other.tributary('verify');
    assert.equal(verified.code, 0, verified.stdout);
  } finally {
    await other.close();
  }
});
