// An import from another system that is killed three times: every balance is equal, and a run afterwards changes nothing. In a long
// run, from each system; otherwise from one, because server/operations/moving/sources.test.ts imports from each, too.
// With 10,000 affiliates and 100,000 orders: TEST_LENGTH=200 npm test -- test/kill/moving.test.ts
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { sources } from '../../server/operations/moving/sources/index.ts';
import { writeExports } from '../support/moving/exports.ts';
import { generateOldProgram, type OldProgram } from '../support/moving/old-program.ts';
import { measuringMemory } from '../support/moving/peak-memory.ts';
import { type Installation, openInstallation } from '../support/operator.ts';
import { givenSeed, isLong, often } from '../support/time/length.ts';

type Proven = { affiliate: string; ledger: string };

const seed = givenSeed ?? 1;
const systems = isLong ? sources.map(({ name }) => name) : ['rewardful'];
const options = { timeout: 3_600_000 };
const maxMemoryMb = 600;

let installation: Installation;
/** The last program that was imported. */
let programId: string;
before(async () => {
  installation = await openInstallation();
});
after(() => installation.close());

const secondsSince = (started: number) => `${((performance.now() - started) / 1000).toFixed(0)} s`;

/** Compares the balances of a report with those of the other system. Returns how many there are. */
async function checkBalances(report: string, { balances }: OldProgram): Promise<number> {
  const rows = parse(await readFile(join(report, 'balances.csv')), { columns: true }) as Proven[];
  const proven = Map.groupBy(rows, ({ affiliate }) => affiliate);
  for (const [email, { pendingCents, approvedCents, paidCents }] of balances) {
    const expected = pendingCents + approvedCents + paidCents === 0 ? undefined : [pendingCents, approvedCents, paidCents];
    const found = proven.get(email)?.map(({ ledger }) => Math.round(Number(ledger) * 100));
    assert.deepEqual(found, expected, email);
  }
  return rows.length;
}

for (const system of systems) {
  test(`an import from ${system} that is killed three times keeps every balance (seed ${seed})`, options, async () => {
    const { folder, newProgram, tributary, tributaryWith, killed } = installation;
    const old = generateOldProgram({ seed, affiliates: often(50), orders: often(500), now: new Date() });
    const path = await writeExports(folder, system, old);
    ({ programId } = await newProgram(`From ${system}`));
    const command = ['import', system, path, '--program', programId];
    const started = performance.now();
    for (let kill = 1; kill <= 3; kill += 1) await killed('% imported', ...command);
    const startedLast = performance.now();
    const report = join(folder, `report-${system}`);
    const memory = measuringMemory(join(folder, 'peak-memory'));
    const first = await tributaryWith(memory.environment, ...command, '--json', '--report', report);
    const [last, peakMb] = [secondsSince(startedLast), await memory.readMb()];
    assert.equal(first.code, 0, first.stderr);
    const { hasChanged, rejections, balances, counts } = JSON.parse(first.stdout);
    assert.deepEqual([hasChanged, rejections, balances.differences], [true, [], []]);
    assert.ok(counts.commission.existed > 0, 'the killed runs imported a part');
    const compared = await checkBalances(report, old);
    console.log(
      `  ${system}: ${often(50)} affiliates, ${often(500)} orders: ${secondsSince(started)} with three kills, the last run ${last} with ` +
        `${peakMb} MB; ${compared} balances are equal`,
    );
    assert.ok(peakMb <= maxMemoryMb, `${peakMb} MB`);
    const second = JSON.parse((await tributary(...command, '--json')).stdout);
    assert.deepEqual([second.hasChanged, second.balances.differences], [false, []]);
    await verify(installation);
  });
}

async function verify({ tributary }: Installation): Promise<void> {
  const started = performance.now();
  const { code, stdout, stderr } = await tributary('verify');
  console.log(`  verify: ${code === 0 ? 'clean' : 'not clean'} after ${secondsSince(started)}`);
  assert.equal(code, 0, stdout + stderr);
}

/** What another installation has of its own: the organization of the program, its audit log, and that the program was imported. */
const ofInstallation = ['programs', 'audit_log', 'imports'];

/** The hashes of the exported files, by table. */
async function readHashes(folder: string): Promise<Record<string, string>> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const tables = manifest.tables.filter(({ name }: { name: string }) => !ofInstallation.includes(name));
  return Object.fromEntries(
    tables.map(({ name, rows, sha256 }: { name: string; rows: number; sha256: string }) => [name, `${rows} ${sha256}`]),
  );
}

test('an export of it, imported into another installation and exported again, is the same', options, async () => {
  const [exported, again] = [join(installation.folder, 'moved'), join(installation.folder, 'moved-again')];
  const started = performance.now();
  const written = await installation.tributary('export', 'program', '--program', programId, '--out', exported);
  assert.equal(written.code, 0, written.stderr);
  const other = await openInstallation();
  try {
    const first = await other.tributary('import', 'program', exported, '--json');
    assert.equal(first.code, 0, first.stderr);
    const { hasChanged, differences, balances } = JSON.parse(first.stdout);
    assert.deepEqual([hasChanged, differences, balances > often(50)], [true, [], true]);
    console.log(`  ${often(500)} orders: the export and its import took ${secondsSince(started)}; ${balances} balances are equal`);
    const secondExport = await other.tributary('export', 'program', '--program', programId, '--out', again);
    assert.equal(secondExport.code, 0, secondExport.stderr);
    const [before, after] = [await readHashes(exported), await readHashes(again)];
    assert.deepEqual(
      Object.keys(before).filter((table) => after[table] !== before[table]),
      [],
    );
    assert.deepEqual(Object.keys(after), Object.keys(before));
    assert.equal(JSON.parse((await other.tributary('import', 'program', exported, '--json')).stdout).hasChanged, false);
    await verify(other);
  } finally {
    await other.close();
  }
});
