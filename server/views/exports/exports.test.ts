// A file has exactly the rows that the table shows: a page, the selected rows, or all that match.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { anAffiliate, aProduct, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { deleteOldOutputs } from '../../platform/background-tasks/output.ts';
import { exportedLists, exportNames } from './lists.ts';
import { readSlice } from './read.ts';
import { resumeExports } from './run-export.ts';

let service: TestService;
let member: TestMember;
let base: string;
before(async () => {
  service = await openTestService();
  member = await service.asMember('admin');
  base = `/app/programs/${service.program.programId}`;
  for (const name of ['Sleep tea', '=SUM(A1)', 'Zebra, "striped" mug', 'Ünïcode', 'Plain']) await aProduct(service, { name });
  for (const lastName of ['One', 'Two', 'Three']) await anAffiliate(service, { lastName, status: 'active' });
});
after(() => service.close());

const send = (method: string, path: string, body?: unknown) => member.request(method, `${base}${path}`, body === undefined ? {} : { body });
const create = (body: object) => send('POST', '/exports', body);
type Line = Record<string, string>;

async function download(body: object): Promise<Line[]> {
  const created = await create(body);
  assert.deepEqual([created.status, created.body.status], [201, 'succeeded'], created.text);
  const file = await send('GET', `/exports/${created.body.id}/file`);
  assert.equal(file.status, 200, file.text);
  const lines = parse(file.text, { columns: true }) as Line[];
  assert.equal(created.body.total, lines.length);
  return lines;
}

const withoutEscape = (text: string) => text.replace(/^'(?==)/, '');
const named = (lines: readonly Line[]) => lines.map(({ name }) => withoutEscape(name ?? ''));

describe('an export', () => {
  test('of everything has the rows that match the filters, in the order of the table', async () => {
    const table = await send('GET', '/products?sort=name&limit=200');
    const lines = await download({ list: 'products', rows: 'all', query: 'sort=name&limit=2&offset=1' });
    const expected = table.body.products.map((row: { name: string }) => row.name);
    assert.deepEqual([lines.length, named(lines)], [5, expected]);
    const [row] = table.body.products;
    assert.deepEqual([lines[0]?.id, lines[0]?.priceCents, lines[0]?.currency], [row.id, String(row.priceCents), row.currency]);
    assert.deepEqual(named(await download({ list: 'products', rows: 'all', query: 'search=plain' })), ['Plain']);
  });

  test('of a page has the rows of that page', async () => {
    const query = 'sort=-name&limit=2&offset=2';
    const table = await send('GET', `/products?${query}`);
    const lines = await download({ list: 'products', rows: 'page', query });
    assert.deepEqual(
      named(lines),
      table.body.products.map((row: { name: string }) => row.name),
    );
  });

  test('of a selection has the selected rows', async () => {
    for (const [list, noun] of [
      ['products', 'products'],
      ['affiliates', 'affiliates'],
    ] as const) {
      const rows: { id: string }[] = (await send('GET', `/${list}`)).body[noun];
      const ids = [rows[0]?.id, rows[2]?.id].toSorted();
      const lines = await download({ list, rows: 'selected', ids, query: '' });
      assert.deepEqual(lines.map(({ id }) => id).toSorted(), ids);
    }
  });

  test('of commissions has the currency, amount and rate of converted orders, in the columns of the export of orders', async () => {
    const { path } = service.program;
    await aRule(service, { rate: 10 });
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    await service.request('PATCH', path, { body: { exchangeRateSource: 'uploaded' } });
    const rates = [{ currency: 'EUR', quotedOn: '2026-02-04', rate: '1.084213' }];
    await service.request('POST', `${path}/exchange-rates`, { body: { rates } });
    for (const currency of ['EUR', 'USD']) {
      const order = { orderId: currency, affiliateId, amountCents: 123_456, currency, occurredAt: '2026-02-05T12:00:00Z' };
      assert.equal((await service.request('POST', '/v1/conversions', { body: order })).status, 201);
    }
    const exchangeOf = (line: Line) => Object.entries(line).filter(([name]) => name.startsWith('exchange'));
    const expected = ['EUR', '123456', '1.084213', '2026-02-04', 'uploaded'];
    const orders = await download({ list: 'conversions', rows: 'all', query: 'sort=createdAt' });
    for (const rows of ['all', 'page']) {
      const [converted = {}, other = {}] = await download({ list: 'commissions', rows, query: 'sort=createdAt' });
      assert.deepEqual([converted.orderId, exchangeOf(converted)], ['EUR', exchangeOf(orders[0] ?? {})]);
      assert.deepEqual(
        exchangeOf(converted).map(([, value]) => value),
        expected,
      );
      assert.deepEqual([other.orderId, exchangeOf(other).map(([, value]) => value)], ['USD', ['', '', '', '', '']]);
    }
  });

  test('escapes text that a spreadsheet would run as a formula, but not numbers', async () => {
    const file = await create({ list: 'products', rows: 'all', query: 'search=SUM' });
    const { text } = await send('GET', `/exports/${file.body.id}/file`);
    assert.match(text, /,'=SUM\(A1\),/);
  });

  test('exists for every list, with columns that do not repeat', async () => {
    for (const list of exportNames) {
      const created = await create({ list, rows: 'all' });
      assert.equal(created.status, 201, `${list}: ${created.text}`);
      const { text } = await send('GET', `/exports/${created.body.id}/file`);
      const [header = ''] = text.split('\r\n');
      const names = header.split(',');
      assert.ok(names.includes('id'), `${list}: ${header}`);
      assert.equal(new Set(names).size, names.length, `${list}: ${header}`);
      if (names.some((name) => name.endsWith('Cents'))) assert.ok(names.includes('currency'), list);
      assert.equal(exportedLists[list].name, list);
    }
  });

  test('rejects filters that the list does not have, and a selection without rows', async () => {
    const unknown = await create({ list: 'products', rows: 'all', query: 'colour=red' });
    assert.deepEqual([unknown.status, unknown.body.details[0].path], [400, ['query', 'colour']], unknown.text);
    const invalid = await create({ list: 'commissions', rows: 'all', query: 'status=lost' });
    assert.deepEqual([invalid.status, invalid.body.details[0].path[0]], [400, 'query'], invalid.text);
    assert.equal((await create({ list: 'products', rows: 'selected' })).status, 400);
  });

  test('needs the permission of the list, belongs to who requested it, and is in the audit log', async () => {
    const viewer = await service.asMember('viewer');
    const rejected = await viewer.request('POST', `${base}/exports`, { body: { list: 'affiliates', rows: 'all' } });
    assert.deepEqual([rejected.status, rejected.body.code], [403, 'permission_required'], rejected.text);
    const allowed = await viewer.request('POST', `${base}/exports`, { body: { list: 'products', rows: 'all' } });
    assert.equal(allowed.status, 201, allowed.text);
    for (const path of ['', '/file']) assert.equal((await send('GET', `/exports/${allowed.body.id}${path}`)).status, 404);
    assert.equal((await send('POST', `/exports/${allowed.body.id}/cancel`, {})).status, 404);
    await viewer.request('GET', `${base}/exports/${allowed.body.id}/file`);
    const { auditEvents } = (
      await service.request('GET', `${service.program.path}/audit-events?subjectId=${service.program.programId}&limit=2`)
    ).body;
    assert.deepEqual(
      auditEvents.map(({ action }: { action: string }) => action),
      ['export.downloaded', 'list.exported'],
    );
  });

  test('expires after a week, and is then deleted', async () => {
    const { body } = await create({ list: 'products', rows: 'all' });
    await service.pool.query(`update background_tasks set created_at = created_at - interval '7 days' where id = $1`, [body.id]);
    await service.pool.query(`update background_task_outputs set created_at = created_at - interval '8 days' where task_id = $1`, [
      body.id,
    ]);
    const file = await send('GET', `/exports/${body.id}/file`);
    assert.deepEqual([file.status, file.body.code], [422, 'export_expired'], file.text);
    await deleteOldOutputs.run(service.ctx, {}, { isLast: false });
    const left = await service.pool.query('select from background_task_outputs where task_id = $1', [body.id]);
    assert.equal(left.rowCount, 0);
  });
});

describe('an export of more than 10,000 rows', () => {
  const add = `insert into customers (program_id, id, changes, created_at, updated_at)
    select $1, gen_random_uuid(), 0, now() + n * interval '1 second', now() from generate_series(1, 10001) as n`;

  test('continues in the background, and can be cancelled, which deletes what is written', async () => {
    await service.pool.query(add, [service.program.programId]);
    const { body } = await create({ list: 'customers', rows: 'all' });
    assert.deepEqual([body.status, body.done, body.total], ['queued', 0, 10_001]);
    const early = await send('GET', `/exports/${body.id}/file`);
    assert.deepEqual([early.status, early.body.code], [422, 'export_not_finished'], early.text);
    const cancelled = await send('POST', `/exports/${body.id}/cancel`, {});
    assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled'], cancelled.text);
    await service.drain();
    assert.equal((await service.pool.query('select from background_task_outputs where task_id = $1', [body.id])).rowCount, 0);
    assert.equal((await send('POST', `/exports/${body.id}/cancel`, {})).body.code, 'task_finished');
  });

  test('finishes with all rows, and is enqueued again when its process ended', async () => {
    const { body } = await create({ list: 'customers', rows: 'all' });
    await service.relay();
    await service.pool.query(`delete from pgboss.job where name = 'exports.run'`);
    service.clock.advance({ minutes: 2 });
    await resumeExports.run(service.ctx, {}, { isLast: false });
    await service.drain();
    const finished = await send('GET', `/exports/${body.id}`);
    assert.deepEqual([finished.body.status, finished.body.total], ['succeeded', 10_001]);
    const lines = parse((await send('GET', `/exports/${body.id}/file`)).text, { columns: true }) as Line[];
    assert.equal(new Set(lines.map(({ id }) => id)).size, 10_001);
  });

  test('counts its matches when it begins, and not with each step', async () => {
    const { programId } = service.program;
    let counts = 0;
    const db = service.ctx.db.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('count(*)')) counts += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const ctx = { ...service.ctx, db };
    const reader = { programId, currency: 'USD' };
    const first = await readSlice(ctx, exportedLists.customers, reader, { query: {}, after: null, limit: 500 });
    counts = 0;
    const second = await readSlice(ctx, exportedLists.customers, reader, { query: {}, after: first.next, limit: 500 });
    assert.deepEqual([second.rows.length, counts], [500, 0]);
  });
});
