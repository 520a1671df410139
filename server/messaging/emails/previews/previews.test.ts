import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { sampleIds } from './samples.ts';

describe('previews of emails', () => {
  let service: TestService;
  let owner: TestMember;
  let path: string;
  before(async () => {
    service = await openTestService();
    owner = await service.asMember('owner');
    path = `/app/programs/${service.program.programId}`;
  });
  after(() => service.close());

  test('show every email as it is sent, and send nothing', async () => {
    for (const email of sampleIds) {
      const preview = await owner.request('GET', `${path}/email-preview?email=${email}&locale=de`);
      assert.equal(preview.status, 200, preview.text);
      const page = await owner.request('GET', `${path}/email-preview/page?email=${email}&locale=de`);
      assert.match(page.text, /<html lang="de">/);
    }
    const { rows } = await service.pool.query('select count(*)::int as n from emails');
    assert.deepEqual([rows[0].n, service.mails.length], [0, 0]);
  });

  test('follow the settings of the program; a frame runs no script and loads only the logo', async () => {
    const body = { senderName: 'Röst', replyTo: 'hallo@brand.example', color: '#7A1FA2', logoUrl: 'https://cdn.brand.example/a/logo.png' };
    assert.equal((await owner.request('PATCH', `${path}/brand`, { body })).status, 200);
    const preview = await owner.request('GET', `${path}/email-preview?email=approval`);
    assert.deepEqual([preview.body.from.name, preview.body.replyTo.address], ['Röst', 'hallo@brand.example']);
    const page = await owner.request('GET', `${path}/email-preview/page?email=approval&scheme=dark`);
    assert.ok(page.text.includes('#7A1FA2') && page.text.includes('@media (min-width:0)'));
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https:\/\/cdn\.brand\.example; /);
    const security = await owner.request('GET', `${path}/email-preview?email=sign_in`);
    assert.deepEqual([security.body.look, security.body.delivery, security.body.replyTo], ['service', 'always', null]);
  });

  test('are for members who may change settings', async () => {
    const viewer = await service.asMember('viewer');
    assert.equal((await viewer.request('GET', `${path}/email-preview`)).status, 403);
  });
});
