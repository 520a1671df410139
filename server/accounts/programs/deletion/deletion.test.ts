// A deleted program leaves no row in any table, and every row of other programs stays as it is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aClick, anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { sampleRows } from '../../../../test/support/fuzz/samples.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/time/wait.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';
import { lockProgram } from '../../../paying/payouts/lock.ts';
import { transact } from '../../../platform/db/transact.ts';
import { deleteProgramsDue } from './delete-due.ts';
import { orderTables } from './order-tables.ts';
import { cancelDeletion, requestDeletion } from './request.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const actor = { kind: 'command' as const, id: 'test' };
const rowsOf = async (query: string, values: unknown[] = []) => (await service.pool.query(query, values)).rows;
const request = (name: string, hasRecords = false) =>
  transact(service.ctx, (tx) => requestDeletion(tx, { programId: service.program.programId, name, hasRecords, actor }));
const run = () => deleteProgramsDue.run(service.ctx, {}, { isLast: true });

/** Every table with the number of rows of the program, and a hash of all others. */
async function readTables(programId: string): Promise<Map<string, { own: number; others: string }>> {
  const names = await rowsOf(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'program_id' order by 1`,
  );
  const found = new Map<string, { own: number; others: string }>();
  for (const { name } of names) {
    const [row] = await rowsOf(
      `select count(*) filter (where program_id = $1)::int as own,
        md5(coalesce(string_agg(entry::text, '|' order by entry::text) filter (where program_id <> $1), '')) as others
       from ${name} as entry`,
      [programId],
    );
    found.set(name, row);
  }
  return found;
}

test('tables are deleted before those that they refer to', () => {
  const references = [
    { from: 'orders', to: 'affiliates' },
    { from: 'refunds', to: 'orders' },
    { from: 'affiliates', to: 'affiliates' },
  ];
  assert.deepEqual(orderTables(['affiliates', 'orders', 'refunds'], references), ['refunds', 'orders', 'affiliates']);
  assert.throws(
    () =>
      orderTables(
        ['a', 'b'],
        [...['a b', 'b a']].map((pair) => ({ from: pair[0] ?? '', to: pair[2] ?? '' })),
      ),
    /circle/,
  );
});

async function takeSlug({ path, key }: TestProgram, affiliateId: string, vanitySlug: string): Promise<void> {
  const { status } = await service.request('PATCH', `${path}/affiliates/${affiliateId}`, { body: { vanitySlug }, key });
  assert.equal(status, 200);
}

test('a program with rows in most tables is deleted after the grace period, and nothing else', async () => {
  const { programId, key, path } = service.program;
  const { deleting } = await sampleRows(service, 'sample');
  await rowsOf('update programs set deletion_requested_at = null, delete_after = null where id = $1', [deleting]);
  await aRule(service, {}, service.foreign);
  const other = await anAffiliate(service, { status: 'active' }, service.foreign);
  await aClick(service, other.id, service.foreign);
  await anOrder(service, { affiliateId: other.id, amountCents: 5000 }, service.foreign);
  const own = await anAffiliate(service);
  // The deleted program is the first with this slug.
  await takeSlug(service.program, own.id, 'shared');
  await takeSlug(service.foreign, other.id, 'shared');
  const owner = await service.asMember('owner');
  const [{ name }] = await rowsOf('select name from programs where id = $1', [programId]);
  const status = async () => (await service.request('GET', `${path}/affiliates`, { key })).status;

  await assert.rejects(request('Another name'), /repeated exactly/);
  await assert.rejects(request(name), /Payouts are in progress|owed money/);
  await rowsOf(`update programs set mode = 'test' where id = $1`, [programId]);
  await request(name);
  // Keys are cached for less than a second.
  await until('it is inaccessible to keys', async () => (await status()) === 401);
  assert.equal((await owner.request('GET', `${path}/affiliates`)).status, 404, 'and to members');
  assert.equal(await transact(service.ctx, (tx) => cancelDeletion(tx, { programId, actor })), true);
  assert.equal(await status(), 200);
  const deleteAfter = await request(name);
  assert.equal(deleteAfter.getTime() - service.clock.now().getTime(), 30 * 86_400_000);

  const before = await readTables(programId);
  const filled = [...before.values()].filter(({ own }) => own > 0).length;
  assert.ok(filled > 45, `rows in ${filled} of ${before.size} tables`);
  service.clock.advance({ days: 29, minutes: 24 * 60 - 1 });
  await run();
  const kept = await readTables(programId);
  assert.deepEqual(
    [...before].filter(([table, { own }]) => kept.get(table)?.own !== own).map(([table]) => table),
    [],
    'kept for 30 days',
  );
  await transact(service.ctx, (tx) => lockProgram(tx, programId, 'open_discrepancies'));
  await rowsOf(`update programs set mode = 'live' where id = $1`, [programId]);
  service.clock.advance({ minutes: 1 });
  await run();
  assert.ok((await readTables(programId)).get('ledger_entries')?.own, 'kept while its payouts are locked or money is owed');
  await rowsOf(`update programs set mode = 'test' where id = $1`, [programId]);
  await run();
  for (const [table, { own, others }] of await readTables(programId)) {
    assert.equal(own, 0, `${table} has rows of the deleted program`);
    assert.equal(others, before.get(table)?.others, `${table}: rows of other programs`);
  }
  assert.deepEqual(await rowsOf('select id from programs where id = $1', [programId]), []);
  const [record] = await rowsOf('select name, ledger_seq::int as seq, deleted_rows from deleted_programs where id = $1', [programId]);
  assert.equal(record.name, name);
  assert.ok(record.seq > 0 && record.deleted_rows.ledger_entries === record.seq);
  assert.equal((await service.request('GET', `${service.foreign.path}/affiliates`, { key: service.foreign.key })).status, 200);
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});
