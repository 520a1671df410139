import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('a request', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.request(method, `${service.program.path}/${path}`, { body, headers });
  const readDetails = (response: { body: { details?: { path: string[]; message: string }[] } }) =>
    Object.fromEntries((response.body.details ?? []).map(({ path, message }) => [path.join('.'), message]));

  test('with an unknown query parameter is rejected', async () => {
    const response = await send('GET', 'affiliates?state=active&limit=1');
    assert.equal(response.status, 400);
    assert.match(readDetails(response).state ?? '', /^is not a query parameter of this endpoint; the parameters are: status, groupId, /);
    const none = await service.request('GET', '/v1/me?verbose=1');
    assert.deepEqual([none.status, readDetails(none)], [400, { verbose: 'is not a query parameter of this endpoint' }]);
  });

  test('returns what is wrong with each value, and "is required" only for a missing one', async () => {
    const response = await send('POST', 'affiliates', { email: 5, firstName: ['Ada'], autoApprove: 'yes' });
    assert.equal(response.status, 400);
    assert.deepEqual(readDetails(response), {
      email: 'must be a string',
      firstName: 'must be a string',
      lastName: 'is required',
      autoApprove: 'must be a boolean',
    });
    const product = await send('POST', 'products', { name: 'Soap', priceCents: '12.50', checkoutUrl: 'https://brand.example/soap' });
    assert.equal(readDetails(product).priceCents, 'must be an integer amount in cents');
  });

  test('without a body is accepted if every field is optional, even with a JSON content type', async () => {
    const group = await send('POST', 'groups', { name: 'Silver' });
    const empty = await send('PATCH', `groups/${group.body.id}`, '', { 'content-type': 'application/json' });
    assert.deepEqual([empty.status, empty.body.name], [200, 'Silver']);
    assert.equal((await send('PATCH', `groups/${group.body.id}`)).status, 200);
    const required = await send('POST', 'groups', '', { 'content-type': 'application/json' });
    assert.deepEqual([required.status, readDetails(required)], [400, { '': 'is required' }]);
  });
});
