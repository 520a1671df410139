// Custom domains over HTTP: how one becomes active, who owns a host, and what its addresses do.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { environment, openZone, targetHost, type Zone } from '../../../test/support/domains/zone.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { transact } from '../../platform/db/transact.ts';
import { reviewPage } from '../landing-pages/review.ts';
import { checkDueDomains } from './check.ts';

let service: TestService;
let zone: Zone;
before(async () => {
  service = await openTestService({ environment });
  zone = openZone(service);
});
after(() => service.close());

const create = (host: string, purpose = 'links', { path, key }: TestProgram = service.program) =>
  service.request('POST', `${path}/domains`, { body: { host, purpose }, key });
const check = (id: string, { path, key }: TestProgram = service.program) => service.request('POST', `${path}/domains/${id}/check`, { key });
const get = async (id: string, { path, key }: TestProgram = service.program) =>
  (await service.request('GET', `${path}/domains/${id}`, { key })).body;
const visit = (host: string, path: string) => service.request('GET', path, { key: null, headers: { host, 'user-agent': browser } });
const maySecure = async (domain: string) => (await service.request('GET', `/v1/certificate-check?domain=${domain}`, { key: null })).status;
const browser = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36';
const newProgram = async () => {
  const program = await service.newProgram('Acme');
  await service.request('PATCH', program.path, { body: { websiteUrl: 'https://acme.example' }, key: program.key });
  return program;
};

describe('a domain', () => {
  test('shows the records to create, and becomes active once both are found', async () => {
    const created = await create(' Go.Acme.COM ');
    assert.equal(created.status, 201, created.text);
    const { id, host, status, problem, isDefault, records } = created.body;
    assert.deepEqual([host, status, problem, isDefault], ['go.acme.com', 'pending', null, false]);
    const { programId } = service.program;
    const proof = `program=${programId}`;
    assert.deepEqual(records, [
      { type: 'CNAME', name: 'go.acme.com', value: targetHost, found: [], isCorrect: false },
      { type: 'TXT', name: '_tributary.go.acme.com', value: proof, found: [], isCorrect: false },
    ]);
    zone.set('_tributary.go.acme.com', 'TXT', ['something', proof]);
    zone.set('go.acme.com', 'A', ['198.51.100.7']);
    const elsewhere = (await check(id)).body;
    assert.deepEqual([elsewhere.status, elsewhere.problem], ['misconfigured', 'address_different']);
    assert.deepEqual(
      [elsewhere.records[0].found, elsewhere.records[1].isCorrect, elsewhere.addresses],
      [['198.51.100.7'], true, ['203.0.113.10']],
    );
    assert.equal(await maySecure('go.acme.com'), 404);
    zone.set('go.acme.com', 'A', ['203.0.113.10']);
    const active = (await check(id)).body;
    assert.deepEqual([active.status, active.problem, active.isDefault, active.url], ['active', null, true, 'https://go.acme.com']);
    assert.deepEqual([await maySecure('go.acme.com'), await maySecure('GO.acme.com'), await maySecure('acme.com')], [200, 200, 404]);
    const { body } = await service.request('GET', `${service.program.path}/audit-events?action=domain.status_changed`);
    assert.deepEqual(
      body.auditEvents.map(({ after: { status, problem } }: { after: { status: string; problem: string } }) => [status, problem]),
      [
        ['active', null],
        ['misconfigured', 'address_different'],
      ],
    );
    const { rows } = await service.pool.query(
      `select type, data ->> 'host' as host, data ->> 'problem' as problem, previous from events
       where program_id = $1 and object_id = $2 order by object_sequence`,
      [programId, id],
    );
    assert.deepEqual(rows, [
      { type: 'domain.failed', host: 'go.acme.com', problem: 'address_different', previous: { status: 'pending' } },
      { type: 'domain.verified', host: 'go.acme.com', problem: null, previous: { status: 'misconfigured' } },
    ]);
  });

  test('is checked soon after it was added and again by the schedule; name servers without an answer change nothing', async () => {
    zone.point('soon.acme.com', service.program);
    const { body: added } = await create('soon.acme.com');
    await service.relay();
    await service.drain();
    assert.equal((await get(added.id)).status, 'active');
    zone.set('soon.acme.com', 'CNAME', []);
    zone.isDown = true;
    service.clock.advance({ minutes: 361 });
    await checkDueDomains.run(service.ctx, {}, { isLast: true });
    assert.equal((await get(added.id)).status, 'active');
    const unanswered = await check(added.id);
    assert.deepEqual([unanswered.status, unanswered.body.code], [400, 'dns_unavailable']);
    zone.isDown = false;
    service.clock.advance({ minutes: 361 });
    await checkDueDomains.run(service.ctx, {}, { isLast: true });
    const broken = await get(added.id);
    assert.deepEqual([broken.status, broken.problem, await maySecure('soon.acme.com')], ['misconfigured', 'address_missing', 404]);
    zone.set('soon.acme.com', 'CNAME', [targetHost]);
    service.clock.advance({ minutes: 61 });
    await checkDueDomains.run(service.ctx, {}, { isLast: true });
    assert.equal((await get(added.id)).status, 'active');
  });

  test('is rejected if it is no host name, the address of the installation, or present', async () => {
    for (const host of ['localhost', 'https://acme.com', 'acme.com/x', '10.0.0.1', targetHost, '127.0.0.1']) {
      const rejected = await create(host);
      assert.deepEqual([rejected.status, rejected.body.details[0].path], [400, ['host']], host);
    }
    await create('twice.acme.com');
    const again = await create('TWICE.acme.com', 'storefronts');
    assert.deepEqual([again.status, again.body.code], [409, 'domain_exists']);
  });
});

describe('the owner of a host', () => {
  test('is one of two programs that prove it at the same time', async () => {
    const programs = [await newProgram(), await newProgram()] as const;
    const proofs = programs.map(({ programId }) => `program=${programId}`);
    for (let round = 0; round < 5; round += 1) {
      const host = `race${round}.acme.com`;
      zone.set(host, 'CNAME', [targetHost]);
      zone.set(`_tributary.${host}`, 'TXT', proofs);
      const ids = await Promise.all(programs.map(async (program) => (await create(host, 'links', program)).body.id as string));
      const checked = await Promise.all(ids.map((id, index) => check(id, programs[index])));
      assert.deepEqual(checked.map(({ body }) => body.status).sort(), ['active', 'misconfigured']);
      assert.deepEqual(checked.map(({ body }) => body.problem).sort(), [null, 'taken'].sort());
      const { rows } = await service.pool.query('select program_id from program_hosts where host = $1', [host]);
      const owner = checked.findIndex(({ body }) => body.status === 'active');
      assert.deepEqual(rows, [{ program_id: programs[owner]?.programId }]);
    }
  });

  test('changes only when another program has the record and the owner does not', async () => {
    const [first, second] = [await newProgram(), await newProgram()];
    const host = 'sold.acme.com';
    const kept = await zone.activate(host, 'links', first);
    const wanted = (await create(host, 'links', second)).body;
    assert.equal((await check(wanted.id, second)).body.problem, 'taken');
    zone.set(`_tributary.${host}`, 'TXT', [`program=${first.programId}`, `program=${second.programId}`]);
    assert.equal((await check(wanted.id, second)).body.problem, 'taken');
    zone.set(`_tributary.${host}`, 'TXT', []);
    assert.equal((await check(kept.id, first)).body.status, 'active');
    zone.set(`_tributary.${host}`, 'TXT', [`program=${second.programId}`]);
    assert.equal((await check(wanted.id, second)).body.status, 'active');
    const lost = (await check(kept.id, first)).body;
    assert.deepEqual([lost.status, lost.problem, lost.isDefault], ['misconfigured', 'taken', false]);
    const removed = await service.request('DELETE', `${first.path}/domains/${kept.id}`, { key: first.key });
    assert.equal(removed.status, 200);
    assert.equal((await get(wanted.id, second)).status, 'active');
  });
});

describe('links on a domain', () => {
  test('redirect by code and slug of the program, and everything else leads to its website', async () => {
    const [program, other] = [await newProgram(), await newProgram()];
    const affiliate = await anAffiliate(service, { status: 'active' }, program);
    await service.request('PATCH', `${program.path}/affiliates/${affiliate.id}`, { body: { vanitySlug: 'ada' }, key: program.key });
    const stranger = await anAffiliate(service, { status: 'active' }, other);
    await zone.activate('links.acme.com', 'links', program);
    const { body } = await service.request('GET', `${program.path}/affiliates/${affiliate.id}`, { key: program.key });
    assert.equal(body.linkUrl, 'https://links.acme.com/ada');
    for (const name of ['ada', affiliate.referralCode]) {
      const followed = await visit('LINKS.acme.com:443', `/${name}?sub1=x`);
      assert.equal(followed.status, 302);
      assert.match(String(followed.headers.location), new RegExp(`^https://acme\\.example/\\?.*=${affiliate.referralCode}`));
      assert.match(String(followed.headers['set-cookie']), /^trb_vid=/);
    }
    const { rows } = await service.pool.query('select sub_ids from clicks where program_id = $1', [program.programId]);
    assert.deepEqual(rows, [{ sub_ids: ['x'] }, { sub_ids: ['x'] }]);
    for (const path of ['/', `/${stranger.referralCode}`, '/unknown', '/console', '/app/me', '/v1/me', '/sign-in', '/a/b']) {
      const followed = await visit('links.acme.com', path);
      assert.deepEqual([followed.status, followed.headers.location], [302, 'https://acme.example/'], path);
    }
    assert.equal((await visit('links.acme.com', `/r/${affiliate.referralCode}`)).status, 302);
    assert.equal((await visit('unknown.acme.com', '/ada')).status, 404);
    assert.equal((await visit('unknown.acme.com', `/r/${affiliate.referralCode}`)).status, 302);
  });

  test('continue on the address of the installation after the domain was deleted', async () => {
    const program = await newProgram();
    const affiliate = await anAffiliate(service, { status: 'active' }, program);
    const { id } = await zone.activate('gone.acme.com', 'links', program);
    assert.equal((await visit('gone.acme.com', `/${affiliate.referralCode}`)).status, 302);
    const deleted = await service.request('DELETE', `${program.path}/domains/${id}`, { key: program.key });
    assert.equal(deleted.status, 200);
    service.clock.advance({ seconds: 2 });
    assert.deepEqual([(await visit('gone.acme.com', `/${affiliate.referralCode}`)).status, await maySecure('gone.acme.com')], [404, 404]);
    assert.equal((await visit('127.0.0.1', `/r/${affiliate.referralCode}`)).status, 302);
    const { body } = await service.request('GET', `${program.path}/affiliates/${affiliate.id}`, { key: program.key });
    assert.match(body.linkUrl, new RegExp(`/r/${affiliate.referralCode}$`));
  });

  test('are built with the default domain, which can be another one', async () => {
    const program = await newProgram();
    const affiliate = await anAffiliate(service, { status: 'active' }, program);
    const patch = (id: string, body: object) => service.request('PATCH', `${program.path}/domains/${id}`, { body, key: program.key });
    const linkUrl = async () =>
      (await service.request('GET', `${program.path}/affiliates/${affiliate.id}`, { key: program.key })).body.linkUrl;
    await zone.activate('one.acme.com', 'links', program);
    const two = await zone.activate('two.acme.com', 'links', program);
    assert.equal(await linkUrl(), `https://one.acme.com/${affiliate.referralCode}`);
    assert.equal((await patch(two.id, { isDefault: true })).body.isDefault, true);
    assert.equal(await linkUrl(), `https://two.acme.com/${affiliate.referralCode}`);
    const inactive = (await create('three.acme.com', 'links', program)).body;
    assert.equal((await patch(inactive.id, { isDefault: true })).body.code, 'domain_inactive');
    const { body } = await service.request('GET', `${program.path}/domains?status=active&sort=host`, { key: program.key });
    assert.deepEqual(
      body.domains.map(({ host, isDefault }: { host: string; isDefault: boolean }) => [host, isDefault]),
      [
        ['one.acme.com', false],
        ['two.acme.com', true],
      ],
    );
  });
});

describe('landing pages on a domain', () => {
  test('have their address and their canonical URL there, and continue at the address of the installation', async () => {
    const program = await newProgram();
    const { id } = await anAffiliate(service, { status: 'active' }, program);
    const page = { affiliateId: id, pageTitle: 'Ada recommends', isPublished: true };
    const written = await service.request('POST', `${program.path}/landing-pages/ada`, { body: page, key: program.key });
    assert.equal(written.status, 201, written.text);
    const review = { programId: program.programId, slug: 'ada', revision: 1, verdict: 'approved' as const };
    await transact(service.ctx, (tx) => reviewPage(tx, { ...review, actor: { kind: 'command', id: 'test' } }));
    const { slug } = (await service.request('GET', program.path, { key: program.key })).body;
    await zone.activate('shop.acme.com', 'storefronts', program);
    const shown = await visit('shop.acme.com', '/ada');
    assert.equal(shown.status, 200, shown.text);
    assert.match(shown.text, /<link rel="canonical" href="https:\/\/shop\.acme\.com\/ada">/);
    assert.match(shown.text, /content="https:\/\/shop\.acme\.com\/ada\/og\.png\?v=/);
    assert.equal((await visit('shop.acme.com', '/ada/og.png')).headers['content-type'], 'image/png');
    const former = await visit('127.0.0.1', `/s/${slug}/ada`);
    assert.equal(former.status, 200);
    assert.match(former.text, /<link rel="canonical" href="https:\/\/shop\.acme\.com\/ada">/);
    const upper = await visit('shop.acme.com', '/ADA');
    assert.deepEqual([upper.status, upper.headers.location], [301, '/ada']);
    const root = await visit('shop.acme.com', '/');
    assert.deepEqual([root.status, root.headers.location], [302, 'https://acme.example']);
    for (const path of ['/unknown', '/console', '/app/me', '/v1/me', `/s/${slug}/ada`]) {
      const missing = await visit('shop.acme.com', path);
      assert.equal(missing.status, 404, path);
      assert.match(missing.text, /This page isn’t available/, path);
    }
  });
});
