// The request log: what a program's API keys sent, without secrets and personal data, and never at the cost of a request.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/time/wait.ts';
import { startRequestLog } from './collect.ts';
import { deleteOldRequests } from './delete-old.ts';
import type { LoggedRequest } from './describe-request.ts';

let service: TestService;
before(async () => {
  service = await openTestService({ environment: { REQUEST_LOG_DAYS: '7' } });
});
after(() => service.close());

const list = async (query = '', key = service.program.key) =>
  (await service.request('GET', `${service.program.path}/requests${query}`, { key })).body;
/** The logged request with this request id, with its body. */
async function find(requestId: string) {
  let row: { id: string } | undefined;
  await until(`${requestId} is logged`, async () => {
    [row] = (await list(`?requestId=${requestId}`)).requests;
    return row !== undefined;
  });
  return (await service.request('GET', `${service.program.path}/requests/${row?.id}`)).body;
}
const send = (requestId: string, method: string, path: string, body?: unknown) =>
  service.request(method, path, { body, headers: { 'x-request-id': requestId } });

describe('a request of an API key', () => {
  test('is found by its request id, with its masked body', async () => {
    const ada = await anAffiliate(service, { status: 'active' });
    const body = {
      orderId: 'FF-1',
      amountCents: 4980,
      affiliateId: ada.id,
      customer: { email: 'grace@example.com', externalId: 'c-77' },
      metadata: { phone: '+49 170 1234567' },
      items: [{ sku: 'TEA', name: 'Tea', amountCents: 4980 }],
      unknown: 'Grace Hopper',
    };
    assert.equal((await send('order-0001', 'POST', '/v1/conversions', body)).status, 201);
    const { id, apiKeyId, durationMs, createdAt, ...logged } = await find('order-0001');
    assert.deepEqual(logged, {
      requestId: 'order-0001',
      operation: 'conversions.report',
      method: 'POST',
      path: '/v1/conversions',
      httpStatus: 201,
      errorCode: null,
      errorMessage: null,
      body: {
        orderId: 'FF-1',
        amountCents: 4980,
        affiliateId: ada.id,
        customer: { email: '***', externalId: '***' },
        metadata: '***',
        items: [{ sku: 'TEA', name: 'Tea', amountCents: 4980 }],
      },
      isBodyOmitted: false,
    });
    assert.ok(durationMs >= 0 && createdAt <= service.clock.now().toISOString());
    const { rows } = await service.pool.query('select scopes from api_keys where id = $1', [apiKeyId]);
    assert.deepEqual(rows[0].scopes, ['read', 'write']);
  });

  test('that failed has the message, with each field that was wrong', async () => {
    await send('wrong-0001', 'POST', '/v1/conversions', { amountCents: 'grace', customer: { email: 'grace' } });
    const { httpStatus, errorCode, errorMessage, body } = await find('wrong-0001');
    assert.deepEqual([httpStatus, errorCode], [400, 'invalid_request']);
    assert.deepEqual(body, { amountCents: '***', customer: { email: '***' } });
    for (const line of ['orderId is required', 'customer.email must be an email address'])
      assert.ok(errorMessage.split('\n').includes(line), line);
    const { requests } = await list('?httpStatusMin=400');
    assert.ok(requests.length > 0 && requests.every((one: { httpStatus: number }) => one.httpStatus >= 400));
  });

  test('has the ids in its path and the masked query', async () => {
    const ada = await anAffiliate(service, { email: 'ada@lovelace.example' });
    await send('path-0001', 'GET', `${service.program.path}/affiliates?search=lovelace&status=active&limit=5`);
    await send('path-0002', 'GET', `${service.program.path}/affiliates/${ada.id}`);
    await send('path-0003', 'GET', `${service.program.path}/affiliates/ada@lovelace.example`);
    const paths = [(await find('path-0001')).path, (await find('path-0002')).path, (await find('path-0003')).path];
    const { path } = service.program;
    assert.deepEqual(paths, [
      `${path}/affiliates?search=***&status=active&limit=5`,
      `${path}/affiliates/${ada.id}`,
      `${path}/affiliates/:id`,
    ]);
  });

  test('with a body that is too large, or no object, is logged without it', async () => {
    await send('large-0001', 'POST', '/v1/conversions', { orderId: 'FF-2', amountCents: 1, metadata: { text: 'x'.repeat(17_000) } });
    await send('array-0001', 'POST', '/v1/conversions', [1]);
    for (const requestId of ['large-0001', 'array-0001']) {
      const { body, isBodyOmitted } = await find(requestId);
      assert.deepEqual([body, isBodyOmitted], [null, true]);
    }
  });

  test('belongs to the program of the key', async () => {
    const { id } = await find('order-0001');
    const { body } = await service.request('GET', `${service.foreign.path}/requests`, { key: service.foreign.key });
    assert.equal(
      body.requests.some(({ requestId }: { requestId: string }) => requestId === 'order-0001'),
      false,
    );
    const { status } = await service.request('GET', `${service.foreign.path}/requests/${id}`, { key: service.foreign.key });
    assert.equal(status, 404);
  });
});

test('nothing else is logged: clicks, redirects, people, and callers without a valid key', async () => {
  const ada = await anAffiliate(service, { status: 'active' });
  const dana = await service.asMember('developer');
  const headers = { 'x-request-id': 'other-0001' };
  await service.request('POST', '/v1/clicks', { body: { referralCode: ada.referralCode }, headers });
  await service.request('GET', `/r/${ada.referralCode}`, { key: null, headers });
  await dana.request('GET', `${service.program.path}/affiliates`, { key: null, headers });
  await service.request('GET', '/v1/me', { key: 'trb_live_wrong', headers });
  // Requests are written in the order of their responses.
  await send('after-0001', 'GET', '/v1/me');
  await find('after-0001');
  assert.deepEqual((await list('?requestId=other-0001')).requests, []);
});

test('no secret and nothing about a person is in the log', async () => {
  const { path } = service.program;
  const grace = { email: 'grace@hopper.example', firstName: 'Grace', lastName: 'Hopper' };
  const invited = await send('person-0001', 'POST', `${path}/affiliates`, { ...grace, externalId: 'hopper-1', metadata: { hopper: 'x' } });
  const { id } = invited.body;
  await send('person-0002', 'PATCH', `${path}/affiliates/${id}`, { lastName: 'Murray Hopper', tags: ['hopper'] });
  await send('person-0003', 'POST', `${path}/affiliates/${id}/payout-details`, {
    method: 'bank_transfer',
    holder: 'Grace Hopper',
    iban: 'DE89370400440532013000',
    country: 'DE',
  });
  await send('person-0004', 'POST', `${path}/affiliates/${id}/tax-form`, {
    form: 'w9',
    firstName: 'Grace',
    lastName: 'Hopper',
    ssn: '123456789',
  });
  await send('person-0005', 'POST', `${path}/providers`, {
    type: 'stripe',
    config: {},
    secrets: { secretKey: 'sk_hopper', webhookSecret: 'whsec_hopper' },
  });
  await send('person-0006', 'GET', `${path}/affiliates?email=grace@hopper.example&hopper=1`);
  await find('person-0006');
  const { rows } = await service.pool.query(
    "select row.request_id, row::text as text from logged_requests as row where request_id like 'person-%'",
  );
  assert.equal(rows.length, 6);
  for (const { request_id, text } of rows) assert.doesNotMatch(text, /grace|hopper|DE8937|123456789/i, request_id);
});

test('requests are deleted after seven days', async () => {
  await find('order-0001');
  service.clock.advance({ days: 6 });
  await deleteOldRequests.run(service.ctx, {}, { isLast: false });
  assert.equal((await list('?requestId=order-0001')).total, 1);
  service.clock.advance({ days: 2 });
  await deleteOldRequests.run(service.ctx, {}, { isLast: false });
  assert.equal((await list('?requestId=order-0001')).total, 0);
});

describe('the collected requests', () => {
  const aRequest = (programId: string) => ({ programId }) as LoggedRequest;

  test('are limited: further ones are dropped and counted, and later ones are written again', async () => {
    const written: number[] = [];
    const dropped: number[] = [];
    const log = startRequestLog({
      write: async (_, { length }) => void written.push(length),
      onDropped: (count) => void dropped.push(count),
    });
    for (let index = 0; index < 2003; index += 1) log.add(aRequest('p'));
    await until('the first batch is written', () => dropped.length > 0 && written.length > 0);
    log.add(aRequest('p'));
    await log.close();
    assert.deepEqual([written, dropped], [[2000, 1], [3]]);
  });

  test('of one program are written when those of another fail, and the failed ones are counted', async () => {
    const written: string[] = [];
    const dropped: [number, unknown][] = [];
    const failure = new Error('The database does not respond.');
    const log = startRequestLog({
      async write(programId) {
        if (programId === 'failing') throw failure;
        written.push(programId);
      },
      onDropped: (count, cause) => void dropped.push([count, cause]),
    });
    for (const programId of ['failing', 'other', 'failing']) log.add(aRequest(programId));
    await log.close();
    assert.deepEqual([written, dropped], [['other'], [[2, failure]]]);
  });
});
