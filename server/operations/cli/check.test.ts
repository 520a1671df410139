// `doctor` finds what keeps an installation from working as intended.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Installation, openInstallation } from '../../../test/support/operator.ts';
import { recordUntrustedProxy } from '../../platform/http/proxies/untrusted-proxies.ts';

describe('doctor', () => {
  let place: Installation;
  before(async () => {
    place = await openInstallation();
  });
  after(() => place.close());

  test('reports a proxy that is not trusted, with the setting to change', async () => {
    assert.equal((await place.tributary('doctor')).code, 0);
    await recordUntrustedProxy(place.ctx, '172.18.0.5');
    const { code, stderr } = await place.tributary('doctor');
    assert.equal(code, 1);
    assert.match(stderr, /Proxy .*172\.18\.0\.5.*set TRUSTED_PROXIES=172\.18\.0\.5 /);
    const corrected = await place.tributaryWith({ TRUSTED_PROXIES: '172.18.0.0/16' }, 'doctor');
    assert.deepEqual([corrected.code, /Proxy .*trusted: 172\.18\.0\.0\/16/.test(corrected.stderr)], [0, true], corrected.stderr);
  });
});

test('compose.yaml passes the settings of a service behind a proxy', () => {
  const compose = readFileSync('compose.yaml', 'utf8');
  for (const name of ['PUBLIC_URL', 'TRUSTED_PROXIES', 'ALERT_EMAIL', 'SMTP_URL']) assert.match(compose, new RegExp(`^ {4}${name}: `, 'm'));
});
