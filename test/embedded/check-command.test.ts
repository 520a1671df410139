// `doctor` finds what keeps an installation from working as intended.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { recordUntrustedProxy } from '../../server/platform/http/proxies/untrusted-proxies.ts';
import { type Installation, openInstallation } from '../support/operator.ts';

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

  test('tries the mail server, and warns of a sender that receivers reject', async () => {
    const closed = await place.tributaryWith({ SMTP_URL: 'smtp://127.0.0.1:9' }, 'doctor');
    assert.equal(closed.code, 1);
    assert.match(closed.stderr, /Email .*can't be used: .*ECONNREFUSED/);
    const mails = new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    await new Promise<void>((resolve) => mails.listen(0, '127.0.0.1', resolve));
    const { port } = mails.server.address() as { port: number };
    try {
      const local = await place.tributaryWith({ SMTP_URL: `smtp://127.0.0.1:${port}` }, 'doctor');
      assert.match(local.stderr, /Email .*MAIL_FROM is Tributary <no-reply@localhost>/);
      const sender = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Fern <team@fernandfield.com>' };
      assert.match((await place.tributaryWith(sender, 'doctor')).stderr, /Email .*responds/);
    } finally {
      await new Promise<void>((resolve) => mails.close(resolve));
    }
  });

  test('warns of a public address without https', async () => {
    const { code, stderr } = await place.tributaryWith({ PUBLIC_URL: 'http://shop.example' }, 'doctor');
    assert.equal(code, 1);
    assert.match(stderr, /Address .*PUBLIC_URL is http:\/\/shop\.example: .*unencrypted/);
    const secure = await place.tributaryWith({ PUBLIC_URL: 'https://shop.example' }, 'doctor');
    assert.match(secure.stderr, /Address .*https:\/\/shop\.example/);
  });
});

test('compose.yaml passes the settings of a service behind a proxy', () => {
  const compose = readFileSync('compose.yaml', 'utf8');
  for (const name of ['PUBLIC_URL', 'TRUSTED_PROXIES', 'ALERT_EMAIL', 'SMTP_URL']) assert.match(compose, new RegExp(`^ {4}${name}: `, 'm'));
});
