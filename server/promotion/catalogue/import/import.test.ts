import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aGroup } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

type Outcome = { row: number; status: string; id?: string; details?: { path: string[]; message: string }[] };

describe('importing products', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const send = (csv: unknown) => service.request('POST', `${service.program.path}/products/import`, { body: { csv } });
  const header = 'externalId,name,priceCents,checkoutUrl';
  const url = 'https://shop.example/x';
  const product = async (id: string | undefined) => (await service.request('GET', `${service.program.path}/products/${id}`)).body;
  const statuses = (body: { rows: Outcome[] }) => body.rows.map(({ row, status }) => `${row} ${status}`);
  const auditRows = async () =>
    (await service.pool.query(`select action, subject_id, before, after from audit_log where action like 'product.%'`)).rows;

  test('creates and updates products by external id, and reports the outcome of each row', async () => {
    const first = await send(`\ufeff${header},sku,category\r\na1,"Tea, green",100,${url},S1,Tea\r\na2,Cup,200,${url},,\r\n`);
    assert.equal(first.status, 200);
    assert.deepEqual(statuses(first.body), ['2 created', '3 created']);
    const second = await send(`externalId,priceCents,category\na1,150,\na2,200,\n`);
    assert.deepEqual(statuses(second.body), ['2 updated', '3 unchanged']);
    assert.deepEqual({ ...second.body, rows: [] }, { created: 0, updated: 1, unchanged: 1, invalid: 0, rows: [] });
    const tea = await product(first.body.rows[0].id);
    assert.deepEqual([second.body.rows[0].id, tea.name, tea.priceCents, tea.sku, tea.category], [tea.id, 'Tea, green', 150, 'S1', null]);
    const audited = (await auditRows()).filter(({ subject_id }) => subject_id === tea.id);
    assert.deepEqual(
      audited.map(({ action }) => action),
      ['product.created', 'product.updated'],
    );
    assert.deepEqual(
      [audited[1]?.before, audited[1]?.after],
      [
        { priceCents: 100, category: 'Tea' },
        { priceCents: 150, category: null },
      ],
    );
    assert.equal((await service.request('GET', `${service.program.path}/products?search=s1`)).body.total, 1);
  });

  test('a dry run reports what the import would do to each row, and changes nothing', async () => {
    const existing = await send(`${header}\nd1,Kept,100,${url}\nd2,Changed,200,${url}\n`);
    assert.equal(existing.body.created, 2);
    const before = { products: (await service.request('GET', `${service.program.path}/products`)).body, audit: await auditRows() };
    const csv = `${header}\nd1,Kept,100,${url}\nd2,Changed,250,${url}\nd3,New,300,${url}\nd4,Fraction,1.5,${url}\nd3,Twice,1,${url}\n`;
    const dry = await service.request('POST', `${service.program.path}/products/import`, { body: { csv, dryRun: true } });
    assert.equal(dry.status, 200);
    assert.deepEqual(statuses(dry.body), ['2 unchanged', '3 updated', '4 created', '5 invalid', '6 invalid']);
    assert.deepEqual(
      dry.body.rows.map(({ externalId }: { externalId: string }) => externalId),
      ['d1', 'd2', 'd3', 'd4', 'd3'],
    );
    assert.equal(dry.body.rows[2].id, undefined);
    const after = { products: (await service.request('GET', `${service.program.path}/products`)).body, audit: await auditRows() };
    assert.deepEqual(after, before);
    const run = await send(csv);
    assert.deepEqual(statuses(run.body), statuses(dry.body));
  });

  test('an invalid row is reported with its faults and does not stop the others', async () => {
    const { status, body } = await send(
      [
        `${header},status,extra`,
        `b1,Good,100,${url},draft,x`,
        `b2,,100,${url},,`,
        `b3,Fraction,1.5,${url},,`,
        'b4,Script,1,javascript:1,,',
        `b5,Odd,1,${url},gone,`,
        `,Nameless,1,${url},,`,
        `b1,Twice,1,${url},,`,
        'b6,Short',
        '',
        `b7,Last,99,${url},,`,
      ].join('\n'),
    );
    assert.equal(status, 200);
    assert.deepEqual(statuses(body), [...['2 created'], ...[3, 4, 5, 6, 7, 8, 9].map((row) => `${row} invalid`), '11 created']);
    const fault = (row: number) => body.rows.find((outcome: Outcome) => outcome.row === row).details[0];
    assert.deepEqual(
      [3, 4, 5, 6, 7, 8].map((row) => fault(row).path[0]),
      ['name', 'priceCents', 'checkoutUrl', 'status', 'externalId', 'externalId'],
    );
    assert.match(fault(8).message, /row 2/);
    assert.match(fault(9).message, /2 cells; the header has 6/);
  });

  test('sets the allowed groups; a group of another program makes the row invalid', async () => {
    const [gold, foreign] = [await aGroup(service), await aGroup(service, 'Theirs', service.foreign)];
    const { body } = await send(
      `${header},allowedGroupIds\nc1,A,1,${url},${gold}\nc2,B,1,${url},"${gold} ${foreign}"\nc3,C,1,${url},\nc4,D,1,${url},x\n`,
    );
    assert.deepEqual(statuses(body), ['2 created', '3 invalid', '4 created', '5 invalid']);
    assert.deepEqual((await product(body.rows[0].id)).allowedGroupIds, [gold]);
    await send('externalId,allowedGroupIds\nc1,\n');
    assert.deepEqual((await product(body.rows[0].id)).allowedGroupIds, [gold]);
    assert.equal((await send(`externalId,allowedGroupIds\nc3,${gold}\n`)).body.updated, 1);
  });

  for (const [fault, csv] of [
    ['no text', 5],
    ['an empty text', ''],
    ['a header without externalId', 'name,priceCents\nA,1\n'],
    ['a repeated column', 'externalId,name,name\na,b,c\n'],
    ['an unclosed quote', 'externalId,name\n"a,b\n'],
    ['more than 2,000 rows', `externalId\n${'x\n'.repeat(2001)}`],
  ] as const) {
    test(`rejects ${fault}: 400 naming csv`, async () => {
      const { status, body } = await send(csv);
      assert.deepEqual([status, body.details?.[0].path], [400, ['csv']], JSON.stringify(body));
    });
  }

  test('accepts 2,000 rows in one request; more than a megabyte is 413', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => `big${index},Thing ${index},${index},${url}`);
    const before = process.cpuUsage();
    const { body } = await send(`${header}\n${rows.join('\n')}`);
    assert.equal(body.created, 2000);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 8_000_000, 'microseconds of processor time, which other processes do not change');
    assert.equal((await send(`externalId\n${'x'.repeat(1024 * 1024)}`)).status, 413);
  });

  test('ten simultaneous imports of the same new products create each product once, and all succeed', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `race${index},Racer,1,${url}`);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => send(`${header}\n${(turn % 2 ? rows : rows.toReversed()).join('\n')}`)),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal(
      responses.reduce((sum, { body }) => sum + body.created, 0),
      30,
    );
    assert.ok(responses.every(({ body }) => body.invalid === 0 && body.created + body.unchanged === 30));
    const created = (await auditRows()).filter(({ action, after }) => action === 'product.created' && after.externalId.startsWith('race'));
    assert.equal(created.length, 30);
  });
});
