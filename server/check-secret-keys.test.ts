// All processes on a database must have the same secret keys, because each decrypts what another has encrypted.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTemporaryDatabase, type TemporaryDatabase } from '../scripts/temporary-database.ts';
import { createProgram } from './accounts/programs/create.ts';
import { openService, type Service } from './compose.ts';
import { readConfig } from './config.ts';
import { buildApp } from './main.ts';
import { transact } from './platform/db/transact.ts';

describe('a server that starts', () => {
  const [key, otherKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  let database: TemporaryDatabase;
  let folder: string;
  let running: Service;
  before(async () => {
    database = await openTemporaryDatabase('keys', { settings: {} });
    folder = await mkdtemp(join(tmpdir(), 'tributary-keys-'));
    running = await open({ SECRET_KEYS: key });
  });
  after(async () => {
    await running.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  function open(environment: Record<string, string>): Promise<Service> {
    const { host, user, database: name } = database.connection;
    const DATABASE_URL = `postgres://${user}@${encodeURIComponent(host)}/${name}`;
    const config = readConfig({ DATABASE_URL, DATA_DIR: folder, LOG_LEVEL: 'silent', ...environment });
    return openService(config, { role: 'server', name: 'serve' });
  }

  /** Starts and stops as `serve` does. */
  async function start(environment: Record<string, string>): Promise<void> {
    await (await open(environment)).close();
  }

  /** Stores a provider with an encrypted secret. */
  async function storeSecret({ ctx }: Service): Promise<void> {
    const fresh = { name: 'Brand', mode: 'live' as const, currency: 'USD', timezone: 'UTC', websiteUrl: null };
    const { programId, apiKey } = await transact(ctx, (tx) => createProgram(tx, fresh, { kind: 'command', id: 'test' }));
    const app = await buildApp(ctx);
    const created = await app.inject({
      method: 'POST',
      url: `/v1/programs/${programId}/providers`,
      headers: { host: 'api.test', authorization: `Bearer ${apiKey}` },
      payload: { type: 'stripe', name: 'Shop', config: {}, secrets: { webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
    });
    await app.close();
    assert.equal(created.statusCode, 201, created.body);
  }

  test('fails to start while a process with a different key runs, whether from SECRET_KEYS or from a key file', async () => {
    await assert.rejects(start({ SECRET_KEYS: otherKey }), /Another process on this database uses a different secret key.*SECRET_KEYS/s);
    await assert.rejects(start({}), /Another process on this database uses a different secret key.*secret-keys/s);
  });

  test('starts next to a process with the same key, even with an additional key', async () => {
    await start({ SECRET_KEYS: key });
    await start({ SECRET_KEYS: `${key},${otherKey}` });
  });

  test('starts with a different key if the database contains no encrypted values', async () => {
    await running.close();
    await start({ SECRET_KEYS: otherKey });
    running = await open({ SECRET_KEYS: key });
  });

  test('fails to start if stored values were encrypted with a key that it lacks', async () => {
    await storeSecret(running);
    await running.close();
    await assert.rejects(start({ SECRET_KEYS: otherKey }), /encrypted with the secret key [0-9a-f]{8}, which is not among/);
    running = await open({ SECRET_KEYS: `${otherKey},${key}` });
  });
});

test('every process in compose.yaml has the same keys', () => {
  const compose = readFileSync('compose.yaml', 'utf8');
  const [, shared = ''] = /^x-tributary: &tributary\n([\s\S]*?)\n\n/m.exec(compose) ?? [];
  assert.match(shared, /SECRET_KEYS: \$\{SECRET_KEYS:\?/);
  for (const service of ['serve', 'worker']) {
    const [, own = ''] = new RegExp(`^  ${service}:\\n((?:    .*\\n)*)`, 'm').exec(compose) ?? [];
    assert.match(own, /<<: \*tributary/, service);
    assert.doesNotMatch(own, /volumes|environment/, service);
  }
});
