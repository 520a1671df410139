// Each system's exports of the same random program: an import that stops three times keeps every balance, and a second run changes
// nothing. test/kill/moving.test.ts kills the process.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { formats, withUplines, writeExports } from '../../../test/support/moving/exports.ts';
import { generateOldProgram, type OldProgram } from '../../../test/support/moving/old-program.ts';
import { givenSeed, often } from '../../../test/support/time/length.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { getSource, importHistory } from './import-history.ts';
import { sources } from './sources/index.ts';

const seed = givenSeed ?? 1;

class Stopped extends Error {}

/** Stops an import once it has written this share of what it was to write. */
const stopAfter = (share: number) => (done: number, total: number) => {
  if (done >= share * total) throw new Stopped();
};

const listUplines = ({ affiliates }: OldProgram) =>
  affiliates.flatMap(({ email, upline }) => (upline ? [`${email} below ${upline.email}`] : [])).sort();

async function readUplines(programId: string): Promise<string[]> {
  const { rows } = await service.pool.query<{ pair: string }>(
    `select affiliate.email || ' below ' || upline.email as pair from affiliates as affiliate
     join affiliates as upline on upline.program_id = affiliate.program_id and upline.id = affiliate.parent_affiliate_id
     where affiliate.program_id = $1`,
    [programId],
  );
  return rows.map(({ pair }) => pair).sort();
}

let service: TestService;
let folder: string;
before(async () => {
  service = await openTestService();
  folder = await mkdtemp(join(tmpdir(), 'tributary-sources-'));
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the exports of each system', () => {
  for (const { name, title } of sources) {
    test(`${title}: stopped three times, keeps every balance, and a second run changes nothing (seed ${seed})`, async () => {
      const now = service.clock.now();
      const old = generateOldProgram({ seed, affiliates: often(12), orders: often(120), now });
      const { programId } = await service.newProgram(`From ${title}`);
      const paths = [await writeExports(folder, name, old)];
      const actor = { kind: 'command' as const, id: 'test' };
      const options = { programId, source: getSource(sources, name), paths, actor, isDryRun: false };
      const run = (onProgress: (done: number, total: number) => void = () => {}) =>
        importHistory(service.ctx, { ...options, recordsPerTransaction: often(50), onProgress });
      for (const share of [0.1, 0.3, 0.5]) await assert.rejects(run(stopAfter(share)), Stopped);
      const first = await run();
      assert.deepEqual([first.rejections, first.proof.differences], [[], []]);
      assert.deepEqual(
        [first.counts.order.taken + first.counts.order.existed, first.counts.commission.taken + first.counts.commission.existed],
        [
          old.sales.length + (name === 'tapfiliate' ? old.commissions.filter(({ sale }) => sale === null).length : 0),
          old.commissions.length,
        ],
      );
      const { rows } = await service.pool.query(
        `select email, pending_cents::float8, available_cents::float8, paid_cents::float8 from ledger_balances as balance
         join affiliates as affiliate on affiliate.program_id = balance.program_id and affiliate.id = balance.affiliate_id
         where balance.program_id = $1`,
        [programId],
      );
      const stored = rows.map((row) => [
        row.email,
        { pendingCents: row.pending_cents, approvedCents: row.available_cents, paidCents: row.paid_cents },
      ]);
      const withMoney = [...old.balances].filter(([email]) => stored.some(([other]) => other === email));
      assert.deepEqual(Object.fromEntries(stored), Object.fromEntries(withMoney));
      assert.deepEqual(await readUplines(programId), withUplines.includes(name) ? listUplines(old) : []);
      const second = await run();
      assert.deepEqual([second.hasChanged, second.proof.differences], [false, []]);
    });
  }

  test('has a generated program for each', () => {
    assert.deepEqual(Object.keys(formats).sort(), sources.map(({ name }) => name).sort());
  });

  test('leave data that passes every check', async () => {
    assert.deepEqual(
      (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0),
      [],
    );
  });
});
