// Commands as an operator types them: a mistake is reported in one sentence that says how to correct it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Installation, openInstallation } from '../support/operator.ts';
import { until } from '../support/time/wait.ts';

describe('import affiliates', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  async function runImport(csv: string | null, name = 'affiliates.csv') {
    const file = join(place.folder, name);
    if (csv !== null) writeFileSync(file, csv);
    const { code, stderr, stdout } = await place.tributary('import', 'affiliates', file, '--program', place.asService.program.programId);
    assert.doesNotMatch(stderr + stdout, /\n\s+at /, 'no stack trace');
    return { code, stderr, stdout, file };
  }

  test('the error for a missing file, or a folder, names it', async () => {
    const missing = await runImport(null, 'missing.csv');
    assert.deepEqual([missing.code, missing.stderr], [1, `error: ${missing.file} does not exist.\n`]);
    mkdirSync(join(place.folder, 'folder.csv'));
    const folder = await runImport(null, 'folder.csv');
    assert.deepEqual([folder.code, folder.stderr], [1, `error: ${folder.file} is a folder, not a file.\n`]);
  });

  test('a missing column and an unknown column are named, and nothing is imported', async () => {
    const missing = await runImport('email,given,lastName\na@example.com,A,B\n');
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /Unknown column "given"\. Missing column "firstName"\. Columns: email, name, firstName, /);
    const empty = await runImport('');
    assert.match(empty.stderr, /Missing columns "email", "firstName"\. /);
    assert.deepEqual(await place.ctx.db.selectFrom('affiliates').select('id').execute(), []);
  });

  test('the error for a CSV syntax error names the line', async () => {
    const { code, stderr } = await runImport('email,firstName,lastName\na@example.com,A,B\nb@example.com,"B\n');
    assert.equal(code, 1);
    assert.match(stderr, /line 3/i);
  });

  test('an exported file can be imported again: its other columns are ignored', async () => {
    const { stdout } = await place.tributary('export', 'affiliates', '--program', place.asService.program.programId);
    const { code, stdout: report } = await runImport(stdout);
    assert.equal(code, 0, report);
    assert.match(report, /0 invited, 1 already existed, 0 rejected/);
  });
});

describe('program create', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  test('prints the default commission, and that recruiting affiliates pays nothing until a rule of level 2 exists', async () => {
    const { stdout } = await place.tributary('program', 'create', '--name', 'Brand');
    assert.match(stdout, /10% of every order/);
    assert.match(stdout, /"level": 2/);
    const noCommission = await place.tributary('program', 'create', '--name', 'Brand', '--commission', '0');
    assert.match(noCommission.stdout, /none, until you add a commission rule/);
    const markup = await place.tributary('program', 'create', '--name', '<script>alert(1)</script>');
    assert.deepEqual([markup.code !== 0, /--name must not contain < or >/.test(markup.stderr)], [true, true], markup.stderr);
    const json = await place.tributary('program', 'create', '--name', 'Brand', '--json');
    assert.deepEqual(Object.keys(JSON.parse(json.stdout)), ['programId', 'apiKey']);
  });

  test('is in the audit log of the new program', async () => {
    const { stdout } = await place.tributary('program', 'create', '--name', 'Audited', '--currency', 'EUR', '--json');
    const { programId } = JSON.parse(stdout);
    const audit = place.ctx.db.selectFrom('auditLog').select(['action', 'actorKind', 'after']).where('programId', '=', programId);
    const { actorKind, after: fields } = await audit.where('action', '=', 'program.created').executeTakeFirstOrThrow();
    const { name, currency } = fields as { name: string; currency: string };
    assert.deepEqual([actorKind, name, currency], ['command', 'Audited', 'EUR']);
  });
});

describe('key', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  const getMe = (key: string) => place.asService.request('GET', '/v1/me', { key });
  async function createKey(...options: string[]): Promise<{ apiKey: string; keyId: string }> {
    const program = ['--program', place.asService.program.programId];
    const { code, stdout, stderr } = await place.tributary('key', 'create', ...program, '--scopes', 'read', '--json', ...options);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }
  /** Sends requests until one is rejected. */
  async function countAllowed(key: string, limit: number): Promise<number> {
    for (let sent = 0; sent < limit; sent += 1) if ((await getMe(key)).status === 429) return sent;
    return limit;
  }

  /** A process knows a changed limit within a second. Sends requests until one counts against the limit, or none does. */
  async function untilLimited(key: string, isLimited: boolean): Promise<number | null> {
    let limit: number | null = null;
    await until('the limit has changed', async () => {
      const { status, body, headers } = await getMe(key);
      if (status === 429) return false;
      limit = body.apiKey.rateLimitPerMinute;
      return String(headers['ratelimit-policy']).includes('q=6;') === isLimited;
    });
    return limit;
  }

  test('create --rate-limit limits the key: GET /v1/me shows the limit, and requests beyond it receive 429', async () => {
    const { apiKey } = await createKey('--rate-limit', '3');
    const { status, body } = await getMe(apiKey);
    assert.deepEqual([status, body.apiKey.rateLimitPerMinute], [200, 3]);
    // A burst of a third of the limit is allowed on top of it.
    assert.equal(await countAllowed(apiKey, 10), 3);
    const rejected = await getMe(apiKey);
    assert.deepEqual([rejected.status, rejected.body.code], [429, 'rate_limited']);
    assert.match(String(rejected.headers['retry-after']), /^\d+$/);
  });

  test('update --rate-limit changes the limit of an existing key, and `default` removes it', async () => {
    const { apiKey, keyId } = await createKey();
    assert.equal((await getMe(apiKey)).body.apiKey.rateLimitPerMinute, null);
    const updated = await place.tributary('key', 'update', keyId, '--rate-limit', '6', '--json');
    assert.equal(JSON.parse(updated.stdout).rateLimitPerMinute, 6);
    assert.equal(await untilLimited(apiKey, true), 6);
    assert.equal(await countAllowed(apiKey, 20), 7);
    const removed = await place.tributary('key', 'update', keyId, '--rate-limit', 'default');
    assert.match(removed.stdout, /default \(API_RATE_LIMIT\)/);
    assert.equal(await untilLimited(apiKey, false), null);
    assert.equal(await countAllowed(apiKey, 20), 20);
    const changes = await place.ctx.db.selectFrom('auditLog').select(['before', 'after']).where('action', '=', 'api_key.updated').execute();
    assert.deepEqual(changes.length, 2);
  });

  test('an invalid limit and an unknown key are rejected', async () => {
    const { keyId } = await createKey();
    const invalid = await place.tributary('key', 'update', keyId, '--rate-limit', '0');
    assert.deepEqual([invalid.code, invalid.stderr], [2, 'error: --rate-limit must be a whole number from 1 to 9999999, not "0".\n']);
    const unknown = await place.tributary('key', 'update', place.asService.program.programId, '--rate-limit', '5');
    assert.deepEqual([unknown.code, unknown.stderr], [2, 'error: No API key has this id. See `key list`.\n']);
  });

  test('list shows the limit of each key and never a key or its hash', async () => {
    const { apiKey } = await createKey('--rate-limit', '42', '--name', 'Web shop');
    const { stdout } = await place.tributary('key', 'list', '--program', place.asService.program.programId);
    assert.match(stdout, /Web shop .* read .* 42\/min .* active/);
    const json = await place.tributary('key', 'list', '--program', place.asService.program.programId, '--json');
    for (const text of [stdout, json.stdout]) assert.ok(!text.includes(apiKey) && !/hash/i.test(text));
  });
});

describe('an installation', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  test('program list --json contains no secrets', async () => {
    const [program] = JSON.parse((await place.tributary('program', 'list', '--json')).stdout);
    assert.deepEqual(Object.keys(program), ['id', 'name', 'mode', 'currency', 'timezone', 'websiteUrl', 'createdAt']);
  });

  test('a server whose port is in use ends with one sentence', { timeout: 120_000 }, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const settings = { DATA_DIR: join(place.folder, 'second'), PORT: String(port), LOG_LEVEL: 'error' };
      const { code, stderr } = await place.tributaryWith(settings, 'serve');
      assert.equal(code, 1);
      const printed = stderr.split('\n').filter((line) => !/^ {2}[✓·] /.test(line));
      assert.deepEqual(printed, [`error: Port ${port} is in use. Stop the process that uses it, or set PORT to another port.`, '']);
    } finally {
      other.close();
    }
  });
});
