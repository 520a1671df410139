// Profiles, which key is sent where, and what is repeated.
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type CommandLine, openCommandLine } from '../../../../test/support/command-line/command-line.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { resolveConnection } from './connection.ts';
import { readProfiles } from './profiles.ts';
import { send } from './send.ts';

describe('profiles', () => {
  let service: TestService;
  let cli: CommandLine;
  let url: string;
  before(async () => {
    service = await openTestService();
    url = await service.app.listen({ port: 0, host: '127.0.0.1' });
    cli = await openCommandLine({});
  });
  after(async () => {
    await cli.close();
    await service.close();
  });

  test('a profile is stored in a file that only its owner can read, once the installation accepts its key', async () => {
    const wrong = await cli.run(['login', 'shop', '--url', url, '--key', 'trb_live_wrong']);
    assert.equal(wrong.code, 4);
    assert.deepEqual((await readProfiles({ XDG_CONFIG_HOME: cli.folder })).profiles, {});
    const added = await cli.run(['profiles', 'add', 'shop', '--url', url], { input: `${service.program.key}\n` });
    assert.equal(added.code, 0, added.stderr);
    const { mode } = await stat(join(cli.folder, 'tributary', 'profiles.json'));
    assert.equal(mode & 0o777, 0o600);
    assert.equal((await stat(join(cli.folder, 'tributary'))).mode & 0o777, 0o700);
  });

  test('the profile in use serves every command, and another one can be named', async () => {
    await cli.run(['login', 'shop', '--url', url, '--key', service.program.key]);
    await cli.run(['login', 'other', '--url', url, '--key', service.foreign.key]);
    const programOf = async (...args: string[]) => JSON.parse((await cli.run(['me', ...args])).stdout).programId;
    assert.equal(await programOf(), service.foreign.programId);
    assert.equal(await programOf('--profile', 'shop'), service.program.programId);
    await cli.run(['profiles', 'use', 'shop']);
    assert.equal(await programOf(), service.program.programId);
    const listed = await cli.run(['profiles']);
    assert.ok(!listed.stdout.includes(service.program.key));
    assert.deepEqual(
      JSON.parse(listed.stdout).map(({ name }: { name: string }) => name),
      ['shop', 'other'],
    );
    assert.equal((await cli.run(['me', '--profile', 'nonsense'])).code, 1);
  });

  test('the key of a profile is sent only to its own installation', async () => {
    await cli.run(['login', 'shop', '--url', url, '--key', service.program.key]);
    const env = { XDG_CONFIG_HOME: cli.folder, DATA_DIR: cli.folder };
    assert.equal((await resolveConnection({ env }, { url: 'https://elsewhere.example' })).key, null);
    assert.equal((await resolveConnection({ env }, { url: `${url}/v1/` })).key, service.program.key);
    assert.equal((await resolveConnection({ env: { ...env, TRIBUTARY_API_KEY: 'trb_live_1' } }, {})).key, 'trb_live_1');
  });

  test('open prints the address of a screen', async () => {
    await cli.run(['login', 'shop', '--url', url, '--key', service.program.key]);
    const console = `${url}/console/${service.program.programId}`;
    assert.equal((await cli.run(['open'])).stdout, `${console}\n`);
    assert.equal((await cli.run(['open', 'payouts'])).stdout, `${console}/payouts\n`);
    assert.equal((await cli.run(['open', 'affiliate', 'a1'])).stdout, `${console}/affiliates/a1\n`);
    assert.equal((await cli.run(['open', 'affiliate'])).code, 2);
    assert.equal((await cli.run(['open', 'nonsense'])).code, 2);
  });
});

test('a request that was limited is repeated, and one that can have an effect twice is not', async () => {
  const statuses: number[] = [];
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.method ?? '');
    response.writeHead(statuses.shift() ?? 200, { 'retry-after': '0', 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k', program: null };
  const post = { method: 'POST', path: '/', headers: {}, body: '{}', isRepeatable: false };
  try {
    statuses.push(429, 503);
    assert.equal((await send(connection, { ...post, method: 'GET', body: undefined, isRepeatable: true })).status, 200);
    statuses.push(429);
    assert.equal((await send(connection, post)).status, 200);
    statuses.push(500);
    await assert.rejects(send(connection, post), { exitCode: 1 });
    assert.deepEqual(seen, ['GET', 'GET', 'GET', 'POST', 'POST', 'POST']);
  } finally {
    server.close();
  }
});
