// The portal on a custom domain: whose brand it shows, where emails lead, and what a session that starts there admits to.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { environment, openZone, type Zone } from '../../../test/support/domains/zone.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { openVisitor, readSignInEmail, type Visitor } from '../../../test/support/visitor.ts';

let service: TestService;
let zone: Zone;
let acme: TestProgram;
const host = 'partners.acme.com';
const headers = { host, origin: `http://${host}` };
before(async () => {
  service = await openTestService({ environment });
  zone = openZone(service);
  acme = await service.newProgram('Acme');
  await zone.activate(host, 'portal', acme);
});
after(() => service.close());

/** An owner of one program who is an affiliate of two programs. */
async function anOwnerWhoIsAffiliate() {
  const owner = await service.asMember('owner', { hasPasskey: false });
  for (const program of [acme, service.foreign]) {
    const affiliate = await anAffiliate(service, { email: owner.email, status: 'active' }, program);
    await service.asAffiliate({ id: affiliate.id, email: owner.email }, program);
  }
  service.mails.length = 0;
  return owner;
}

async function requestEmail(visitor: Visitor, email: string) {
  await visitor.post('/sign-in', { email }, headers);
  await service.drain();
  const mail = service.mails.at(-1) ?? assert.fail('no email was sent');
  return { mail, ...readSignInEmail(mail) };
}

/** What a session admits to: the portals of both programs, the console, and changes of how the user signs in. */
async function readAccess(visitor: Visitor, given: Record<string, string>) {
  const paths = [
    `/app/portal/${acme.programId}/account`,
    `/app/portal/${service.foreign.programId}/account`,
    `${service.program.path}/affiliates`,
    '/app/passkeys',
    '/app/sessions',
    '/app/second-factor',
  ];
  return Promise.all(paths.map(async (path) => (await visitor.json('GET', path, undefined, given)).status));
}
const onlyPortal = [200, 404, 404, 404, 404, 404];

test('the host is the portal of its program, with its name, and serves nothing else', async () => {
  const visitor = openVisitor(service.app);
  const root = await visitor.get('/', headers);
  assert.deepEqual([root.status, root.headers.location], [302, `/portal/${acme.programId}`]);
  const page = await visitor.get('/sign-in', headers);
  assert.match(page.text, /<title>Sign in · Acme<\/title>/);
  assert.match(page.text, /<header><bdi>Acme<\/bdi><\/header>/);
  for (const path of ['/console', '/v1/me', '/docs', '/set-up/x', '/sign-in/sso', '/embed/widget.js'])
    assert.equal((await visitor.get(path, { ...headers, accept: 'text/html' })).status, 404, path);
  const installation = await visitor.get(`/sign-in?next=/portal/${acme.programId}`);
  assert.match(installation.text, /<title>Sign in · Acme<\/title>/);
  assert.match((await visitor.get('/sign-in')).text, /<title>Sign in · Tributary<\/title>/);
});

test('signing in there by email leads there, and admits to the portal of this program only', async () => {
  const [visitor, owner] = [openVisitor(service.app), await anOwnerWhoIsAffiliate()];
  const { mail, path } = await requestEmail(visitor, owner.email);
  assert.match(mail.text, new RegExp(`https://${host}/enter/`));
  assert.equal(typeof mail.from === 'object' && mail.from.name, 'Acme');
  const entered = await visitor.post(path, {}, headers);
  assert.equal(entered.status, 303);
  assert.ok(decodeURIComponent(String(entered.headers.location)).endsWith(`/portal/${acme.programId}`), String(entered.headers.location));
  assert.deepEqual(await readAccess(visitor, headers), onlyPortal);
  // A stolen cookie admits to nothing more at another address.
  assert.deepEqual(await readAccess(visitor, {}), onlyPortal);
  const { body: me } = await visitor.json('GET', '/app/me', undefined, headers);
  assert.deepEqual([me.programs, me.organizations, me.session.isOnSite], [[], [], true]);
  assert.deepEqual(
    me.affiliateAccounts.map(({ programId }: { programId: string }) => programId),
    [acme.programId],
  );
  const console = await visitor.get('/sign-in?next=/console', headers);
  assert.deepEqual([console.status, console.headers.location], [303, `/portal/${acme.programId}`]);
});

test('its link and its code are limited in the same way, wherever they are used', async () => {
  const [visitor, owner] = [openVisitor(service.app), await anOwnerWhoIsAffiliate()];
  const { token } = await requestEmail(visitor, owner.email);
  const thief = openVisitor(service.app);
  const entered = await thief.json('POST', '/app/enter', { token });
  assert.deepEqual([entered.status, entered.body.redirectPath], [200, `/portal/${acme.programId}`]);
  assert.deepEqual(await readAccess(thief, {}), onlyPortal);
  const { code } = await requestEmail(visitor, owner.email);
  assert.equal((await visitor.json('POST', '/app/enter/code', { code })).status, 200);
  assert.deepEqual(await readAccess(visitor, {}), onlyPortal);
});

test('a link of the installation that is used there is limited as well', async () => {
  const [visitor, owner] = [openVisitor(service.app), await anOwnerWhoIsAffiliate()];
  await visitor.post('/sign-in', { email: owner.email });
  await service.drain();
  const { path } = readSignInEmail(service.mails.at(-1) ?? assert.fail());
  assert.equal((await visitor.post(path, {}, headers)).status, 303);
  assert.deepEqual(await readAccess(visitor, headers), onlyPortal);
});

test('invitations of affiliates lead there, and their sessions are limited', async () => {
  service.mails.length = 0;
  const body = { firstName: 'Ada', lastName: 'L', email: 'ada@affiliate.example', sendInvite: true, autoApprove: true };
  await service.request('POST', `${acme.path}/affiliates`, { body, key: acme.key });
  await service.drain();
  const invitation = service.mails.find(({ text }) => text.includes('/enter/')) ?? assert.fail('no invitation');
  assert.match(invitation.text, new RegExp(`https://${host}/enter/`));
  const visitor = openVisitor(service.app);
  assert.equal((await visitor.post(readSignInEmail(invitation).path, {}, headers)).status, 303);
  assert.deepEqual(await readAccess(visitor, headers), onlyPortal);
});

test('emails about commissions and bounties lead there', async () => {
  const send = (path: string, body: object) => service.request('POST', `${acme.path}/${path}`, { body, key: acme.key });
  const { id: affiliateId } = await anAffiliate(service, { email: 'bea@affiliate.example', status: 'active' }, acme);
  await send('commission-rules', { name: 'Default', type: 'percentage', rate: 15, notifyAffiliates: true });
  const bounty = { name: 'Review', description: 'Write.', milestone: 'content', rewardCents: 2500 };
  const { id: bountyId } = (await send('bounties', bounty)).body;
  const { id } = (await send('bounty-submissions', { bountyId, affiliateId, url: 'https://blog.example.com/1' })).body;
  await send(`bounty-submissions/${id}/decide`, { decision: 'approved' });
  await service.drain();
  const { rows } = await service.pool.query(
    `select text_body from emails where affiliate_id = $1 and kind in ('rate_changed', 'bounty_decision') order by kind`,
    [affiliateId],
  );
  const linked = rows.map(({ text_body: text }) => /https?:\/\/\S+/.exec(text)?.[0]);
  const portal = `https://${host}/portal/${acme.programId}`;
  assert.deepEqual(linked, [`${portal}/bounties`, `${portal}/rates`]);
});
