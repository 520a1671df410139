import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe('an error of the web framework', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  test('413 states the body limit of the endpoint', async () => {
    const { key, path: programPath } = service.program;
    const json = { 'content-type': 'application/json' };
    for (const [url, limit] of [
      [`${programPath}/affiliates`, '64 kB'],
      ['/v1/conversions/batch', '1 MB'],
      [`${programPath}/products/import`, '1 MB'],
      [`/v1/providers/${service.program.programId}/events`, '1 MB'],
    ] as const) {
      const { status, body } = await service.request('POST', url, { body: `"${'x'.repeat(1024 * 1024)}"`, key, headers: json });
      assert.equal(status, 413, url);
      assert.equal(body.error, `The request body is too large: the limit of this endpoint is ${limit}.`, url);
    }
  });
});
