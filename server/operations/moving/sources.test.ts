// Each system's exports of the same random program: every balance is equal, and a second run changes nothing.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { formats, writeExports } from '../../../test/support/moving/exports.ts';
import { generateOldProgram } from '../../../test/support/moving/old-program.ts';
import { givenSeed, often } from '../../../test/support/time/length.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { getSource, importHistory } from './import-history.ts';
import { sources } from './sources/index.ts';

const seed = givenSeed ?? 1;

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
    test(`${title}: every balance is equal, and a second run changes nothing (seed ${seed})`, async () => {
      const now = service.clock.now();
      const old = generateOldProgram({ seed, affiliates: often(12), orders: often(120), now });
      const { programId } = await service.newProgram(`From ${title}`);
      const paths = [await writeExports(folder, name, old)];
      const actor = { kind: 'command' as const, id: 'test' };
      const run = () => importHistory(service.ctx, { programId, source: getSource(sources, name), paths, actor, isDryRun: false });
      const first = await run();
      assert.deepEqual([first.rejections, first.proof.differences], [[], []]);
      assert.deepEqual(
        [first.counts.order.taken, first.counts.commission.taken],
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
