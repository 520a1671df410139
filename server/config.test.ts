import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidSettings, readConfig } from './config.ts';

test('reports every invalid setting with its value, not only the first', () => {
  const environment = { PORT: 'eighty', DATABASE_URL: 'mysql://x', API_RATE_LIMIT: '-1', TRIBUTARY_DEMO: 'yes', PUBLIC_URL: 'example.com' };
  assert.throws(
    () => readConfig(environment),
    (error) =>
      error instanceof InvalidSettings &&
      Object.entries(environment).every(([name, value]) => error.message.includes(`${name} `) && error.message.includes(`"${value}"`)),
  );
});

test('an unset or empty setting has its default value', () => {
  const config = readConfig({ PORT: '' });
  assert.deepEqual(
    [config.port, config.host, config.apiRateLimit, config.demo, config.databaseUrl],
    [3000, '127.0.0.1', 6000, true, undefined],
  );
});
