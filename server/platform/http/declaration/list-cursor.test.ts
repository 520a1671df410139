// Following `nextCursor` returns every row of a list exactly once, in the order of the list, while others are added.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { aCoupon, aGroup, anAffiliate, anOrder, aProduct, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';

type Parameter = { name: string; schema: { enum?: string[] } };
type Document = { paths: Record<string, { get?: { parameters?: Parameter[] } }> };

let service: TestService;
before(async () => {
  service = await openTestService();
  await aRule(service, { rate: 10 });
  for (let index = 0; index < 3; index += 1) await fill(index);
});
after(() => service.close());

const post = async (path: string, body: object) => {
  const { status, text } = await service.request('POST', path, { body });
  assert.ok(status < 300 || status === 422, text);
};

/** Rows for most lists. Every second order has the same amount and time as the one before it. */
async function fill(index: number): Promise<void> {
  const { path } = service.program;
  const { id, email } = await anAffiliate(service, { status: 'active' });
  await aGroup(service, `Group ${index}`);
  await aProduct(service, { name: `Product ${index}` });
  await aCoupon(service, { affiliateId: id, code: `CODE${index}` });
  await aRule(service, { name: `Rule ${index}`, affiliateId: id, rate: 10 });
  for (const customer of [{ externalId: `c-${index}` }, { email }]) {
    const { orderId } = await anOrder(service, { affiliateId: id, amountCents: 1000 * (index % 2) + 500, customer });
    await post('/v1/refunds', { refundId: `re-${orderId}`, orderId, amountCents: 10 });
  }
  await post('/v1/conversions', { orderId: `lost-${index}`, amountCents: 100, couponCode: 'NONE' });
  await post('/v1/leads', { externalId: `lead-${index}`, affiliateId: id, customer: { externalId: `l-${index}` } });
  await post(`${path}/commissions`, { affiliateId: id, amountCents: 700, note: 'Bonus' });
  await post(`${path}/payouts/dispatch`, { affiliateIds: [id] });
  await post(`${path}/webhooks`, { url: `https://hooks.example.com/${index}`, eventTypes: ['*'] });
  if (index !== 1) service.clock.advance({ seconds: 5 });
}

/** The lists of the API that have a cursor, with their orders. */
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
const lists = Object.entries(paths).flatMap(([path, { get }]) => {
  const find = (name: string) => get?.parameters?.find((parameter) => parameter.name === name);
  const isCounted = find('offset') !== undefined && find('cursor') !== undefined;
  return isCounted && /^\/v1\/programs\/{programId}\/[^{]+$/.test(path) ? [{ path, sorts: find('sort')?.schema.enum ?? [] }] : [];
});

const read = async (path: string, query: string) => {
  const { status, body, text } = await service.request('GET', `${path.replace('/v1/programs/{programId}', service.program.path)}?${query}`);
  assert.equal(status, 200, `${path} ${query}: ${text}`);
  const rows = Object.values(body).find((value) => Array.isArray(value)) as { id: string }[];
  return { ids: rows.map(({ id }) => id), nextCursor: body.nextCursor as string | null };
};

async function follow(path: string, sort: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await read(path, `limit=2&sort=${sort}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    assert.ok(page.ids.length <= 2 && seen.length < 1000);
    seen.push(...page.ids);
    cursor = page.nextCursor;
  }
  return seen;
}

describe('following nextCursor', () => {
  test('returns every row of every list once, in each of its orders', async () => {
    let filled = 0;
    for (const { path, sorts } of lists) {
      const { ids } = await read(path, 'limit=200');
      filled += ids.length > 2 ? 1 : 0;
      for (const sort of sorts)
        assert.deepEqual(await follow(path, sort), (await read(path, `limit=200&sort=${sort}`)).ids, `${path} ${sort}`);
    }
    assert.ok(lists.length >= 20 && filled >= 12, `${filled} of ${lists.length} lists have several pages`);
  });

  test('skips and repeats nothing when rows are added before the first page', async () => {
    for (const noun of ['commissions', 'conversions']) {
      const path = `/v1/programs/{programId}/${noun}`;
      const { ids: all } = await read(path, 'limit=200');
      const first = await read(path, 'limit=3');
      await fill(10 + (noun === 'commissions' ? 0 : 1));
      const rest = await read(path, `limit=200&cursor=${first.nextCursor}`);
      assert.deepEqual([...first.ids, ...rest.ids], all);
    }
  });

  test('rejects a cursor of another order and one that was changed', async () => {
    const path = `${service.program.path}/commissions`;
    const { nextCursor } = (await service.request('GET', `${path}?limit=1`)).body;
    const other = await service.request('GET', `${path}?sort=amountCents&cursor=${nextCursor}`);
    const message = 'must be used with the same `sort` as the request that returned it';
    assert.deepEqual([other.status, other.body.details], [400, [{ path: ['cursor'], message }]]);
    const id = '01980a54-1c23-7d11-a2b3-8c7d6e5f4a3b';
    for (const changed of ['x', ['-createdAt', '2026-02-30T00:00:00.000000', id], ['-createdAt', '5', id], ['amountCents', 'x', id], []]) {
      const cursor = Buffer.from(JSON.stringify(changed)).toString('base64url');
      const { status, body } = await service.request('GET', `${path}?cursor=${cursor}`);
      assert.deepEqual([status, body.details?.[0].message], [400, 'must be a `nextCursor` from this list'], JSON.stringify(changed));
    }
  });
});
