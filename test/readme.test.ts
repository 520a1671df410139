// The README is run: its calls, as a newcomer pastes them, give the answers that it shows.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openTestService, type TestService } from './support/harness.ts';

const readme = readFileSync('README.md', 'utf8');
const calls = [...readme.matchAll(/```sh\n(curl [\s\S]*?)```\n```json\n([\s\S]*?)```/g)].map(([, call = '', answer = '']) => ({
  call,
  answer,
}));

/** Names of the top-level fields of an answer that is shown shortened. */
function fieldsOf(shown: string): string[] {
  const flat = shown.replace(/\{[^{}]*\}/g, (inner, at: number) => (at === 0 ? inner : '{}')).replace(/\{[^{}]*\}(?!\s*$)/g, '{}');
  return [...flat.matchAll(/"(\w+)":/g)].map(([, name = '']) => name);
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('the README', () => {
  let service: TestService;
  let affiliateId = '';
  before(async () => {
    service = await openTestService();
    await service.app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => service.close());

  test('shows seven calls', () => assert.equal(calls.length, 7));

  for (const [index, { call, answer }] of calls.entries()) {
    test(`call ${index + 1} answers with the fields that are shown`, { skip: !hasCurl }, async () => {
      const { port } = service.app.server.address() as AddressInfo;
      const env = { ...process.env, API: `http://127.0.0.1:${port}/v1`, KEY: service.program.key, PROGRAM: service.program.programId };
      const script = call.replaceAll('01980a51-…', affiliateId).replaceAll('curl ', 'curl -s --fail-with-body ');
      const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
      const body = JSON.parse(stdout);
      if (body.referralCode) affiliateId = body.id;
      const shown = fieldsOf(answer);
      // An answer that ends in "… }" shows some of its fields.
      const isWhole = !/…\s*\}\s*$/.test(answer);
      assert.deepEqual(isWhole ? Object.keys(body) : shown.filter((field) => field in body), shown);
      for (const [, field = '', value = ''] of answer.matchAll(/"(\w+Cents|rate)": (\d[\d.]*)/g))
        assert.equal(body[field], Number(value), field);
    });
  }

  test('every command and every setting that it names exists', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['server/cli/main.ts', '--help']);
    const table = readme.slice(readme.indexOf('| Command'), readme.indexOf('## Settings'));
    const commands = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z]+)/g)].map(([, name = '']) => name),
    );
    assert.ok(commands.length > 10);
    for (const name of commands) assert.match(stdout, new RegExp(`^  ${name}\\b`, 'm'));
  });
});
