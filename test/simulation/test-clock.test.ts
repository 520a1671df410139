// Random programs whose clock is advanced by 400 days in random steps have the same ledger as in real time. TEST_SEED=7 repeats one
// of them; TEST_LENGTH=1000 runs a thousand, and with TEST_SEED=201, TEST_LENGTH=100 those from 201 to 300.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findChainFaults } from '../../server/earning/ledger/verify-chain.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { type Lived, liveAdvanced, liveRealTime, planHistory } from '../support/simulation/clock-twins.ts';
import { givenSeed, often } from '../support/time/length.ts';

const seeds = often(1);
const firstSeed = givenSeed ?? 1;
/** A schedule finds what is due up to a minute later. */
const toleranceMs = 60_000;

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

type Entry = { kind: string; debit: string; credit: string; cents: number; affiliateId: string; at: Date };

/** The entries of each affiliate, by its number, in their order. */
async function readLedger({ programId, affiliateIds }: Lived): Promise<Entry[][]> {
  const { rows } = await service.pool.query<Entry>(
    `select kind, debit, credit, cents, affiliate_id as "affiliateId", created_at as at from ledger_entries where program_id = $1 order by seq`,
    [programId],
  );
  return affiliateIds.map((id) => rows.filter(({ affiliateId }) => affiliateId === id));
}

/** In one order: what happens in the same transaction or minute may be recorded in another. */
const describeEntry = ({ kind, debit, credit, cents }: Entry) => `${kind} ${debit} ${credit} ${cents}`;
const sortEntries = (entries: readonly Entry[]) =>
  entries.toSorted((a, b) =>
    describeEntry(a) < describeEntry(b) ? -1 : describeEntry(a) > describeEntry(b) ? 1 : a.at.getTime() - b.at.getTime(),
  );

async function compare(seed: number): Promise<{ entries: number; kinds: Set<string> }> {
  const moments = planHistory(seed);
  const [advanced, real] = [await liveAdvanced(service.ctx, moments), await liveRealTime(service.ctx, moments)];
  const [left, right] = [await readLedger(advanced), await readLedger(real)];
  const kinds = new Set<string>();
  for (const [affiliate, entries] of left.entries()) {
    const [ours, theirs] = [sortEntries(entries), sortEntries(right[affiliate] ?? [])];
    assert.deepEqual(ours.map(describeEntry), theirs.map(describeEntry), `TEST_SEED=${seed}, affiliate ${affiliate}`);
    for (const [index, entry] of ours.entries()) {
      const apartMs = Math.abs(entry.at.getTime() - (theirs[index]?.at.getTime() ?? Number.NaN));
      assert.ok(apartMs <= toleranceMs, `TEST_SEED=${seed}, affiliate ${affiliate}: ${describeEntry(entry)} is ${apartMs} ms apart`);
      kinds.add(entry.kind);
    }
  }
  for (const { programId } of [advanced, real]) assert.deepEqual(await findChainFaults(service.ctx.db, programId), []);
  return { entries: left.flat().length, kinds };
}

test(`random programs (${seeds}), advanced by 400 days in random steps, have the ledger of real time`, async () => {
  let entries = 0;
  const kinds = new Set<string>();
  for (let index = 0; index < seeds; index += 1) {
    const compared = await compare(firstSeed + index);
    entries += compared.entries;
    for (const kind of compared.kinds) kinds.add(kind);
    if ((index + 1) % 50 === 0) console.log(`  seeds ${firstSeed} to ${firstSeed + index}: ${entries} entries are equal`);
  }
  console.log(`  ${seeds} programs from seed ${firstSeed}, ${entries} entries: ${[...kinds].sort().join(', ')}`);
  assert.ok(entries > 20 * seeds);
  for (const kind of ['accrue', 'mature', 'reserve', 'settle']) assert.ok(kinds.has(kind), kind);
});
