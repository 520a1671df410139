// The commands of the API against the real service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Command } from 'commander';
import { type CommandLine, createTerminal, openCommandLine } from '../../../../test/support/command-line/command-line.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { addNoun } from './commands.ts';
import { readDocument } from './document.ts';
import { listNouns, listOperations } from './operation.ts';

const ada = ['--email', 'ada@example.com', '--first-name', 'Ada', '--last-name', 'Lovelace'];
const unknownId = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';

test('every operation of openapi.json has exactly one command, with one option per field', () => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, Record<string, { operationId: string }>> };
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  const cli = new Command('tributary');
  for (const noun of listNouns(readDocument())) addNoun(cli, noun, createTerminal({ stdout: '', stderr: '' }, {}));
  const commands = cli.commands.flatMap((noun) => noun.commands.map((verb) => `${noun.name()} ${verb.name()}`));
  assert.equal(new Set(commands).size, ids.length);
  const operations = listOperations(readDocument());
  assert.deepEqual(operations.map(({ id }) => id).sort(), ids.sort());
  for (const { id, noun, verb, query, body } of operations) {
    assert.ok(commands.includes(`${noun} ${verb}`), id);
    const flags = [...query, ...body].map(({ flag }) => flag);
    assert.equal(new Set(flags).size, flags.length, id);
  }
});

describe('commands of the API', () => {
  let service: TestService;
  let cli: CommandLine;
  before(async () => {
    service = await openTestService();
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' });
    cli = await openCommandLine({ TRIBUTARY_URL: url, TRIBUTARY_API_KEY: service.program.key });
  });
  after(async () => {
    await cli.close();
    await service.close();
  });

  test('an object is created, read, changed and listed, as JSON for scripts', async () => {
    const created = await cli.run(['groups', 'create', '--name', 'Gold', '--hold-days', '14']);
    const group = JSON.parse(created.stdout);
    assert.deepEqual([created.code, group.name, group.holdDays], [0, 'Gold', 14]);
    const changed = await cli.run(['groups', 'update', group.id, '--data', '{"name": "Silver", "holdDays": 7}', '--hold-days', 'null']);
    assert.deepEqual([JSON.parse(changed.stdout).name, JSON.parse(changed.stdout).holdDays], ['Silver', null]);
    const read = await cli.run(['groups', 'get', group.id]);
    assert.equal(JSON.parse(read.stdout).name, 'Silver');
    const { body } = await service.request('GET', `${service.program.path}/groups`);
    assert.deepEqual(JSON.parse((await cli.run(['groups', 'list'])).stdout), body);
  });

  test('--all follows every page', async () => {
    for (const name of ['One', 'Two', 'Three']) await cli.run(['groups', 'create', '--name', `Page ${name}`]);
    const { groups } = JSON.parse((await cli.run(['groups', 'list', '--search', 'Page', '--all', '--limit', '1'])).stdout);
    assert.equal(groups.length, 3);
  });

  test('a webhook is deleted only once that is confirmed', async () => {
    const created = await cli.run([
      'webhooks',
      'create',
      '--webhook-url',
      'https://hooks.example/a',
      '--event-types',
      'affiliate.approved',
    ]);
    const { id } = JSON.parse(created.stdout);
    assert.deepEqual((await cli.run(['webhooks', 'delete', id])).code, 2);
    const declined = await cli.run(['webhooks', 'delete', id], { answer: 'n' });
    assert.deepEqual([declined.code, /Nothing was sent/.test(declined.stderr)], [1, true]);
    assert.equal((await cli.run(['webhooks', 'get', id])).code, 0);
    assert.equal((await cli.run(['webhooks', 'delete', id, '--yes'])).code, 0);
    assert.equal((await cli.run(['webhooks', 'get', id])).code, 3);
  });

  test('the exit code says what went wrong, and the message what to do', async () => {
    assert.equal((await cli.run(['affiliates', 'create', ...ada])).code, 0);
    const cases: [code: number, args: string[], says: RegExp][] = [
      [2, ['affiliates', 'create', '--email', 'x@example.com'], /Missing --first-name/],
      [2, ['affiliates', 'create', ...ada, '--email', 'nonsense'], /--email/],
      [2, ['affiliates', 'list', '--status', 'nonsense'], /Allowed choices/],
      [3, ['affiliates', 'get', unknownId], /not_found, request .*\n.*affiliates list/],
      [4, ['affiliates', 'list', '--key', 'trb_live_wrong'], /tributary login/],
      [4, ['groups', 'create', '--name', 'X', '--key', service.program.readKey], /scopes/],
      [5, ['affiliates', 'create', ...ada], /request /],
      [6, ['affiliates', 'list', '--url', 'http://127.0.0.1:1'], /can't be reached/],
    ];
    for (const [code, args, says] of cases) {
      const outcome = await cli.run(args);
      assert.equal(outcome.code, code, `${args.join(' ')}: ${outcome.stderr}`);
      assert.match(outcome.stderr, says);
    }
  });

  test('a table fits the terminal, shows amounts with their currency, and no control characters', async () => {
    await cli.run(['affiliates', 'create', '--email', 'esc@example.com', '--first-name', 'Eve', '--last-name', 'Example']);
    await service.pool.query(`update affiliates set first_name = E'E\\x1b[31mve' where email = 'esc@example.com'`);
    for (const columns of [80, 160]) {
      const { stdout } = await cli.run(['affiliates', 'list'], { isInteractive: true, columns });
      assert.ok(stdout.split('\n').every((line) => line.length <= columns));
      assert.match(stdout, /^ID .*NAME .*EMAIL .*STATUS/);
      assert.ok(!stdout.includes('\x1b'));
      if (columns === 160) assert.match(stdout, /\$0\.00/);
    }
    const chosen = await cli.run(['affiliates', 'list', '--columns', 'email,commissionCents'], { isInteractive: true });
    assert.match(chosen.stdout, /^EMAIL +COMMISSION\n/);
    const json = await cli.run(['affiliates', 'list', '--json'], { isInteractive: true });
    assert.equal(JSON.parse(json.stdout).affiliates.length, 2);
  });

  test('--dry-run shows the request and writes nothing', async () => {
    const count = async () => JSON.parse((await cli.run(['groups', 'list'])).stdout).total;
    const present = await count();
    const shown = JSON.parse((await cli.run(['groups', 'create', '--name', 'Never', '--dry-run'])).stdout);
    assert.deepEqual([shown.request.method, shown.request.body, await count()], ['POST', { name: 'Never' }, present]);
  });

  test('--dry-run shows what the API says would happen', async () => {
    const csv = 'externalId,name,priceCents,checkoutUrl\ntea-1,Sleep tea,1490,https://brand.example/tea\n';
    const dry = await cli.run(['products', 'import', '--data', '-', '--dry-run'], { input: JSON.stringify({ csv }) });
    assert.equal(typeof JSON.parse(dry.stdout).preview, 'object');
    assert.equal(JSON.parse((await cli.run(['products', 'list'])).stdout).total, 0);
  });

  test('money moves only once that is confirmed', async () => {
    const unconfirmed = await cli.run(['payouts', 'dispatch']);
    assert.deepEqual([unconfirmed.code, /--yes/.test(unconfirmed.stderr)], [2, true]);
    assert.equal((await cli.run(['payouts', 'dispatch', '--yes'])).code, 5);
  });
});
