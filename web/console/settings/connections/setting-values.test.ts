// What a connection's form sends: only what was filled in or changed, and never a secret that was not typed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getConnectable, listConnectable, type Provider, settingNames } from './catalogue.ts';
import { settingsAt, toChangedSettings, toFormDetails, toNewSettings, toValues, withMode, withoutSecrets } from './setting-values.ts';

const paddle = getConnectable('paddle');
const stored = {
  type: 'paddle',
  kind: 'commerce',
  name: 'Web checkout',
  mode: 'live',
  config: { apiUrl: 'https://api.paddle.com' },
  configuredSecrets: ['apiKey', 'webhookSecret'],
} as Provider;

describe('the settings of a connection', () => {
  test('a new one has the address of its mode, which follows a change of the mode unless it was edited', () => {
    const values = toValues(paddle, null, 'live', 'Paddle');
    assert.deepEqual([values.apiUrl, values.name, values.mode], ['https://api.paddle.com', 'Paddle', 'live']);
    assert.deepEqual(withMode(paddle, values, 'test'), { mode: 'test', apiUrl: 'https://sandbox-api.paddle.com' });
    assert.deepEqual(withMode(paddle, { ...values, apiUrl: 'https://proxy.example' }, 'test'), { mode: 'test' });
    assert.deepEqual(withMode(getConnectable('stripe'), values, 'test'), { mode: 'test' });
  });

  test('only settings that were filled in are sent for a new one, without spaces around them', () => {
    const values = { ...toValues(paddle, null, 'live', 'Paddle'), apiKey: ' pdl_live_key ' };
    assert.deepEqual(toNewSettings(settingsAt(paddle, 'create'), values), {
      config: { apiUrl: 'https://api.paddle.com' },
      secrets: { apiKey: 'pdl_live_key' },
    });
  });

  test('only changes are sent afterwards: an empty secret keeps its value, and an emptied setting is removed', () => {
    const saved = toValues(paddle, stored, 'live', '');
    assert.deepEqual([saved.apiKey, saved.webhookSecret, saved.apiUrl], ['', '', 'https://api.paddle.com']);
    const changed = { ...saved, apiUrl: '', webhookSecret: 'pdl_ntfset_2' };
    assert.deepEqual(toChangedSettings(paddle.settings, changed, saved), {
      config: { apiUrl: null },
      secrets: { webhookSecret: 'pdl_ntfset_2' },
    });
  });

  test('a stored secret does not stay in the form', () => {
    const values = { ...toValues(paddle, stored, 'live', ''), apiKey: 'pdl_live_key', name: 'Checkout' };
    const cleared = withoutSecrets(paddle, values);
    assert.deepEqual([cleared.apiKey, cleared.apiUrl, cleared.name], ['', 'https://api.paddle.com', 'Checkout']);
  });

  test('messages of the server reach the fields', () => {
    assert.deepEqual(toFormDetails([{ path: ['body', 'secrets', 'apiKey'], message: 'm' }]), [{ path: ['apiKey'], message: 'm' }]);
    assert.deepEqual(toFormDetails([{ path: 'name', message: 'm' }]), [{ path: ['name'], message: 'm' }]);
  });

  test('a generated secret is not asked for at first, and can be replaced later, such as after archiving', () => {
    for (const connectable of [...listConnectable('payout', 'test'), ...listConnectable('commerce', 'test')]) {
      const { generates, settings } = connectable;
      if (generates === undefined) continue;
      assert.deepEqual(
        settings.filter(({ name }) => name === generates).map(({ part, at }) => [part, at]),
        [['secrets', 'edit']],
      );
    }
  });

  test('each type is listed once, and each setting is asked for somewhere', () => {
    const all = [...listConnectable('payout', 'test'), ...listConnectable('commerce', 'test')];
    assert.equal(new Set(all.map(({ type }) => type)).size, all.length);
    const asked = new Set(all.flatMap(({ settings }) => settings.map(({ name }) => name)));
    assert.deepEqual([...asked].sort(), [...settingNames].sort());
  });
});
