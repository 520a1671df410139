// The client against the HTTP server: names, lists, outcomes, files and errors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { aGroup, anAffiliate, anOrder } from '../test/support/builders.ts';
import { openTestService, type TestService } from '../test/support/harness.ts';
import { observeClient } from '../test/support/sdk/observe-client.ts';
import { createClient, TributaryError } from './index.ts';

type Documented = { operationId: string; security?: object[]; requestBody?: object };

let service: TestService;
before(async () => {
  service = await openTestService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => service?.close());

describe('the methods', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, Record<string, Documented>> };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

  test('are those of openapi.json, each with its method and path', async () => {
    const called = operations.filter(({ operation }) => operation.security?.length !== 0);
    const left = operations.filter((each) => !called.includes(each)).map(({ operation }) => operation.operationId);
    assert.deepEqual(left.sort(), ['domains.checkCertificate', 'links.follow', 'links.followInProgram', 'providers.deliverEvents']);
    assert.ok(called.length > 140, `${called.length} operations`);
    for (const { path, method, operation } of called) {
      const [noun = '', verb = ''] = operation.operationId.split('.');
      const requests: string[] = [];
      const client = createClient({
        url: 'http://tributary.test',
        programId: 'p-1',
        fetch: async (url, init) => {
          requests.push(`${init.method} ${new URL(url).pathname}`);
          return Response.json({}, { status: 500 });
        },
        maxRetries: 0,
      }) as unknown as Record<string, Record<string, (...args: unknown[]) => { page?(): Promise<unknown> } & Promise<unknown>>>;
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== 'programId');
      const result = client[noun]?.[verb]?.(...names.map((_, index) => `v/${index}`));
      await assert.rejects(Promise.resolve(result?.page?.() ?? result), TributaryError);
      const expected = names.reduce<string>((text, name, index) => text.replace(`{${name}}`, `v%2F${index}`), path);
      assert.deepEqual(requests, [`${method} ${expected.replace('{programId}', 'p-1')}`], operation.operationId);
    }
  });

  test('look up the program of the key, once', async () => {
    const { sent, client } = observeClient(service, { programId: undefined as never });
    await Promise.all([client.groups.list().page(), client.programs.get()]);
    await client.programs.get();
    assert.equal(sent.filter(({ path }) => path === '/v1/me').length, 1);
  });

  test('reject an empty id before they send a request', async () => {
    const { sent, client } = observeClient(service);
    await assert.rejects(client.affiliates.get(''), TypeError);
    assert.deepEqual(sent, []);
  });
});

describe('a list', () => {
  test('paged by cursor is read to its end, in its order', async () => {
    for (let index = 0; index < 5; index += 1) await aGroup(service, `Tier ${index}`);
    const { sent, client } = observeClient(service);
    const names: string[] = [];
    for await (const group of client.groups.list({ limit: 2, sort: 'name', search: 'Tier' })) names.push(group.name);
    assert.deepEqual(names, ['Tier 0', 'Tier 1', 'Tier 2', 'Tier 3', 'Tier 4']);
    assert.equal(sent.length, 3);
    const page = await client.groups.list({ limit: 2, search: 'Tier' }).page();
    assert.deepEqual([page.groups.length, page.total], [2, 5]);
  });

  test('requests no page that is not needed', async () => {
    const { sent, client } = observeClient(service);
    for await (const _ of client.groups.list({ limit: 2 })) break;
    assert.equal(sent.length, 1);
  });

  test('paged by offset repeats no row when rows are added in the meantime', async () => {
    for (let index = 0; index < 5; index += 1) await anAffiliate(service, { lastName: 'Paged' });
    const { sent, client } = observeClient(service);
    const ids: string[] = [];
    for await (const affiliate of client.affiliates.list({ limit: 2, search: 'Paged' })) {
      ids.push(affiliate.id);
      if (ids.length === 1) await anAffiliate(service, { lastName: 'Paged' });
    }
    assert.deepEqual([ids.length, new Set(ids).size], [5, 5]);
    assert.ok(sent.length <= 6, `${sent.length} pages`);
    assert.equal((await client.affiliates.list({ search: 'Paged' }).all()).length, 6);
    assert.equal((await client.affiliates.list({ limit: 2, offset: 3, search: 'Paged' }).all()).length, 3);
    assert.equal((await client.affiliates.list({ limit: 1, search: 'Paged' }).all()).length, 6);
  });

  test('paged by offset leaves out no row when rows before it are removed in the meantime', async () => {
    const all = await Promise.all(Array.from({ length: 9 }, () => anAffiliate(service, { lastName: 'Leaving', status: 'active' })));
    const { client } = observeClient(service);
    const read: string[] = [];
    for await (const { id } of client.affiliates.list({ limit: 3, search: 'Leaving', status: ['active'] })) {
      read.push(id);
      if (read.length === 3) for (const each of read) await client.affiliates.update(each, { status: 'suspended' });
    }
    assert.deepEqual(read.toSorted(), all.map(({ id }) => id).toSorted());
  });

  test('of events has the type of each event', async () => {
    const { client } = observeClient(service);
    await aGroup(service, 'Gold');
    for await (const event of client.events.list()) {
      if (event.type !== 'group.changed') continue;
      const { name, createdAt }: { name: string; createdAt: string } = { name: event.data.name, createdAt: event.createdAt };
      assert.ok(name !== '' && createdAt !== '');
      return;
    }
    assert.fail('there is no event of a group');
  });
});

describe('an outcome', () => {
  test('of a first report is its data, and of another one 409 with the first', async () => {
    const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
    const { client } = observeClient(service);
    const first = await client.conversions.report({ orderId: 'c-1', amountCents: 5000, affiliateId });
    assert.ok(first.ok);
    assert.deepEqual([first.status, first.data.amountCents], [201, 5000]);
    const again = await client.conversions.report({ orderId: 'c-1', amountCents: 5000, affiliateId });
    assert.ok(!again.ok && again.code === 'order_recorded');
    assert.deepEqual([again.status, again.body.conversionId, again.body.matchesOriginal], [409, first.data.id, true]);
  });

  test('of an order without an affiliate, and of a dispatch with nothing due, is 422', async () => {
    const { client } = observeClient(service);
    const order = await client.conversions.report({ orderId: 'c-2', amountCents: 5000 });
    assert.ok(!order.ok && order.status === 422);
    assert.deepEqual([order.code, order.body.orderId], ['no_affiliate_to_credit', 'c-2']);
    const { id: providerId } = await client.providers.create({ type: 'manual', name: 'Bank' });
    const dispatched = await client.payouts.dispatch({ providerId });
    assert.ok(!dispatched.ok && dispatched.code === 'nothing_due');
    assert.match(dispatched.requestId ?? '', /./);
  });
});

test('a file is a Blob, and JSON where the format is JSON', async () => {
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  await anOrder(service, { orderId: 'f-1', affiliateId });
  const { client } = observeClient(service);
  const file = await client.affiliates.statement(affiliateId, { month: '2026-03', format: 'csv' });
  assert.ok(file instanceof Blob);
  assert.ok((await file.text()).includes('\n'));
  const statement = await client.affiliates.statement(affiliateId, { month: '2026-03' });
  assert.equal(statement.month, '2026-03');
});

describe('an error', () => {
  const caught = async (promise: Promise<unknown>): Promise<TributaryError> => {
    const error = await promise.then(
      () => null,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof TributaryError);
    return error;
  };

  test('names the status, the code, the invalid fields and the request', async () => {
    const { client } = observeClient(service);
    const error = await caught(client.affiliates.invite({ email: 'not an address', firstName: 'Ada', lastName: 'Lovelace' }));
    assert.deepEqual([error.status, error.code, error.details[0]?.path], [400, 'invalid_request', ['email']]);
    assert.equal(error.requestId, error.body.requestId);
    assert.ok(error.message.length > 0);
    const { client: reader } = observeClient(service, { apiKey: service.program.readKey });
    assert.equal((await caught(reader.groups.create({ name: 'Gold' }))).code, 'missing_scope');
  });

  test('of an operation without typed outcomes is thrown for every other status', async () => {
    const { client } = observeClient(service);
    assert.equal((await caught(client.groups.get(service.program.programId))).status, 404);
    const outdated = await caught(client.programs.update({ name: 'New' }, { headers: { 'if-match': '"1999"' } }));
    assert.deepEqual([outdated.status, outdated.code], [412, 'stale_program']);
  });
});
