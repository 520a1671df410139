// How many domain files one order runs through: files of server/ outside of platform/ in which a function is executed
// between the request and its response, by V8's own coverage.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { anAffiliate, anOrder, aRule } from './support/builders.ts';
import { openTestService, type TestService } from './support/harness.ts';

const maxFiles = 25;

let service: TestService;

before(async () => {
  service = await openTestService();
});
after(() => service.close());

test('an order runs through at most 25 domain files', async () => {
  const { id: affiliateId } = await anAffiliate(service, { status: 'active' });
  await aRule(service, { rate: 10 });
  await anOrder(service, { affiliateId });
  const executed = await listExecuted(() => anOrder(service, { affiliateId, customer: { externalId: 'c-1' } }));
  const domain = executed.filter((path) => path.startsWith('server/') && !path.startsWith('server/platform/'));
  assert.ok(domain.includes('server/earning/conversions/report.ts'), domain.join('\n'));
  assert.ok(domain.length <= maxFiles, `${domain.length} files:\n${domain.join('\n')}`);
});

/** The files with functions that are executed while `run` runs. */
async function listExecuted(run: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // What was executed before is reported once and then no longer.
  await session.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const files = result.filter(({ url, functions }) => url.startsWith('file://') && functions.some(({ ranges }) => ranges[0]?.count));
  return files.map(({ url }) => relative(process.cwd(), fileURLToPath(url))).sort();
}
