// What owners read when an API key was created, rotated or revoked, in their language: never the key, and nothing to do
// that can't be done anymore.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';

describe('the emails about API keys', () => {
  let service: TestService;
  let owner: TestMember;
  let german: TestMember;
  let path: string;
  before(async () => {
    service = await openTestService();
    owner = await service.asMember('owner', { name: 'Dana <b>Calder</b>' });
    german = await service.asMember('owner', { name: 'Mei Tanaka' });
    assert.equal((await german.request('PATCH', '/app/me', { body: { locale: 'de' } })).status, 200);
    path = `/app/programs/${service.program.programId}/api-keys`;
  });
  after(() => service.close());

  /** The newest email to this user about a key. */
  async function read(user: TestMember, subject: RegExp) {
    await service.drain();
    const found = service.mails.filter((mail) => mail.to === user.email && subject.test(mail.subject));
    assert.equal(found.length, 1, found.map((mail) => mail.subject).join());
    return found[0] ?? assert.fail();
  }
  const expectAll = (text: string, sentences: readonly RegExp[]) => {
    for (const sentence of sentences) assert.match(text, sentence);
  };

  test('created: who did it, when, what the key can do and until when; the key itself is in no email', async () => {
    const expiresAt = new Date(service.clock.now().getTime() + 90 * 86_400_000).toISOString();
    const created = await owner.request('POST', path, { body: { name: '<i>Web</i> store', scopes: ['read', 'write'], expiresAt } });
    assert.equal(created.status, 201, created.text);
    const mail = await read(owner, /: An API key was created$/);
    expectAll(mail.text, [/on .+, by Dana <b>Calder<\/b>\./, /It can read and write\. It expires on /, /revoke the key immediately/]);
    expectAll(mail.text, [/<i>Web<\/i> store/, new RegExp(`/console/${service.program.programId}/settings/api-keys`)]);
    assert.ok(mail.html.includes('&lt;i&gt;Web&lt;/i&gt; store') && !mail.html.includes('<i>Web'), 'the name is text');
    const translated = await read(german, /: Ein API-Schlüssel wurde erstellt$/);
    expectAll(translated.text, [/durch: Dana/, /Er kann lesen und schreiben\. Er läuft ab am /, /widerrufe den Schlüssel sofort/]);
    for (const { text, html, subject } of service.mails) assert.ok(!`${text}${html}${subject}`.includes(created.body.key));
    assert.equal(mail.unsubscribeUrl, undefined);
  });

  test('rotated: a key that can only read and does not expire says so', async () => {
    const { id } = (await owner.request('POST', path, { body: { name: 'Reports', scopes: ['read'] } })).body;
    const rotated = await owner.request('POST', `${path}/${id}/rotate`, { body: {} });
    assert.equal(rotated.status, 200);
    const mail = await read(owner, /: An API key was rotated$/);
    expectAll(mail.text, [/It can read\. It does not expire\./, /Reports/, /If you expected this, no action is needed\./]);
    assert.ok(!mail.text.includes(rotated.body.key));
    expectAll((await read(german, /: Ein API-Schlüssel wurde erneuert$/)).text, [/Er kann lesen\. Er läuft nicht ab\./]);
  });

  test('revoked: does not ask to revoke the key again', async () => {
    const { id } = (await owner.request('POST', path, { body: { name: 'Old store', scopes: ['read', 'write'] } })).body;
    assert.equal((await owner.request('POST', `${path}/${id}/revoke`)).status, 200);
    const mail = await read(owner, /: An API key was revoked$/);
    expectAll(mail.text, [/Old store/, /check the members of the program and the audit log/]);
    assert.doesNotMatch(mail.text, /revoke the key|It can read/);
    const translated = await read(german, /: Ein API-Schlüssel wurde widerrufen$/);
    assert.doesNotMatch(translated.text, /widerrufe den Schlüssel|Er kann/);
    assert.match(translated.text, /prüfe die Mitglieder des Programms und das Audit-Protokoll/);
  });
});
