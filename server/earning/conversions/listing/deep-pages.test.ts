// Pages of long lists: by offset up to 10,000 rows, and by cursor through all of them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { recountCommissions } from '../../commissions/counts.ts';
import { recountEntries } from '../../ledger/entry-counts.ts';
import { recountConversionTotals } from '../../orders/totals.ts';

const copies = 12_000;
const limit = 200;
const tables = ['conversions', 'conversion_summaries', 'commissions', 'ledger_entries'] as const;

let service: TestService;
before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  await anOrder(service, { affiliateId: (await anAffiliate(service, { status: 'active' })).id });
  const { programId } = service.program;
  for (const table of tables) await service.pool.query(copyRows(table), [programId, copies]);
  await service.pool.query('analyze');
  await transact(service.ctx, async (tx) => {
    await recountConversionTotals(tx, programId);
    await recountCommissions(tx, programId);
    await recountEntries(tx, programId);
  });
});
after(() => service.close());

/** Rows like the one that exists. Most of them are on the second of six days, many at the same time. */
function copyRows(table: (typeof tables)[number]): string {
  return `
    insert into ${table} select copy.* from ${table} as original, generate_series(1, $2::integer) as n
    cross join lateral (select case when n < 500 then 0 when n < 15000 then 1 when n < 15100 then 3 else 4 + n % 2 end as days) as day
    cross join lateral (select timestamptz '2026-02-20' + days * interval '1 day' + n % 997 * interval '80 s' as at) as time
    cross join lateral jsonb_populate_record(original, jsonb_build_object('id', md5(n::text)::uuid, 'conversion_id', md5(n::text)::uuid,
      'commission_id', md5(n::text)::uuid, 'order_id', n, 'ref', n, 'seq', n + 1, 'created_at', at,
      'occurred_at', at - n % 3 * interval '13 h')) as copy
    where original.program_id = $1`;
}

for (const [path, noun, table, columns] of [
  ['conversions?', 'conversions', 'conversion_summaries', 'created_at, id'],
  ['conversions?status=pending&conflict=false', 'conversions', 'conversion_summaries', 'created_at, id'],
  ['conversions?sort=-occurredAt', 'conversions', 'conversion_summaries', 'occurred_at, id'],
  ['commissions?status=pending', 'commissions', 'commissions', 'created_at, id'],
  ['ledger/entries?', 'entries', 'ledger_entries', 'seq'],
] as const)
  test(`pages of ${path} are the same by offset and by cursor`, async () => {
    const { rows } = await service.pool.query<{ id: string }>(`select id from ${table} where program_id = $1 order by ${columns}`, [
      service.program.programId,
    ]);
    const ascending = rows.map(({ id }) => id);
    assert.equal(ascending.length, copies + 1);
    const [, name] = /sort=-(\w+)/.exec(path) ?? [];
    const sort = name ?? (noun === 'entries' ? 'seq' : 'createdAt');
    const reversed = `${path.replace(/&?sort=-\w+/, '')}&sort=${sort}`;
    for (const [query, expected] of [
      [path, ascending.toReversed()],
      [reversed, ascending],
    ] as const) {
      let nextCursor = '';
      for (const offset of [0, 200, 5999, 6001, 9999, 10_000]) {
        const { body } = await service.request('GET', `${service.program.path}/${query}&limit=${limit}&offset=${offset}`);
        assert.equal(body.total, copies + 1);
        const ids = body[noun].map(({ id }: { id: string }) => id);
        assert.deepEqual(ids, expected.slice(offset, offset + limit), `${query} from ${offset}`);
        nextCursor = body.nextCursor;
      }
      for (let from = 10_000 + limit; nextCursor !== null; from += limit) {
        const { body } = await service.request('GET', `${service.program.path}/${query}&limit=${limit}&cursor=${nextCursor}`);
        const ids = body[noun].map(({ id }: { id: string }) => id);
        assert.deepEqual(ids, expected.slice(from, from + limit), `${query} by cursor from ${from}`);
        nextCursor = body.nextCursor;
      }
    }
  });

test('an offset above 10,000 is rejected by each list with a cursor, and points to it', async () => {
  const { program } = service;
  for (const noun of ['conversions', 'commissions', 'ledger/entries', 'clicks', 'products', 'coupons']) {
    const { status, body } = await service.request('GET', `${program.path}/${noun}?offset=10001`);
    assert.deepEqual([noun, status], [noun, 400]);
    assert.deepEqual(body.details, [{ path: ['offset'], message: 'must not exceed 10000; pass `cursor` for later pages' }]);
  }
  // The contract gives the list of affiliates an offset and no cursor.
  assert.equal((await service.request('GET', `${program.path}/affiliates?offset=10001`)).status, 200);
});
