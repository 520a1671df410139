// Requests and wrong codes of others never keep a user from signing in, and no page claims an email that was not sent.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { prepareAttempts, type SignInAttempts, wrongCodeFor } from '../../../../test/support/sign-in-attempts.ts';
import { openVisitor, readSignInEmail, type Visitor } from '../../../../test/support/visitor.ts';
import { transact } from '../../../platform/db/transact.ts';
import { findOrCreateUser } from '../users/user.ts';

let service: TestService;
let attempts: SignInAttempts;
let victims = 0;

before(async () => {
  service = await openTestService();
  attempts = prepareAttempts(service);
});
after(() => service.close());

async function newVictim(): Promise<string> {
  victims += 1;
  const email = `locked-${victims}@brand.example`;
  await transact(service.ctx, (tx) => findOrCreateUser(tx, { email, name: 'Ada' }));
  return email;
}

/** Requests an email, and returns the status of the page with what was sent. */
async function request(browser: Visitor, email: string) {
  const before = service.mails.length;
  const page = await browser.post('/sign-in', { email });
  await service.drain();
  const [mail] = service.mails.slice(before).filter(({ text }) => text.includes('/enter/'));
  return { ...page, sent: mail ? readSignInEmail(mail) : null };
}

describe('an attacker in one network', () => {
  test('who requests eight emails and enters ten wrong codes for each leaves the victim a link and a code', async () => {
    const [attacker, email] = [attempts.visit(), await newVictim()];
    const links: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const { sent } = await request(attacker, email);
      if (!sent) continue;
      links.push(sent.path);
      const code = wrongCodeFor(sent.code ?? '000000');
      for (let guess = 0; guess < 10; guess += 1) await attempts.elsewhere(attacker).post('/sign-in/code', { code });
    }
    assert.equal(links.length, 5);
    const victim = attempts.visit();
    const own = await request(victim, email);
    assert.deepEqual([own.status, own.sent !== null], [200, true]);
    for (const path of links) assert.equal((await victim.get(path)).status, 200, 'a link outlives its code');
    assert.equal((await victim.post('/enter/unknown', {})).status, 404);
    assert.equal((await victim.post(links[0] ?? '', {})).status, 303);
  });

  test('cannot use up the codes of a network from which the user signed in before', async () => {
    const email = await newVictim();
    const home = openVisitor(service.app, { ip: '198.51.100.7' });
    await home.post((await request(home, email)).sent?.path ?? '', {});
    const attacker = attempts.visit();
    for (let round = 0; round < 3; round += 1) {
      const { sent } = await request(attacker, email);
      const code = wrongCodeFor(sent?.code ?? '000000');
      for (let guess = 0; guess < 10; guess += 1) await attempts.elsewhere(attacker).post('/sign-in/code', { code });
    }
    assert.equal((await request(attempts.visit(), email)).sent?.code, null, 'elsewhere, only links remain');
    const again = openVisitor(service.app, { ip: '198.51.100.9' });
    const { sent } = await request(again, email);
    assert.equal((await again.post('/sign-in/code', { code: sent?.code ?? '' })).status, 303);
  });

  test('and the victim in the same network have their own limits, by their browsers', async () => {
    const email = await newVictim();
    const [attacker, victim] = [openVisitor(service.app, { ip: '203.0.113.4' }), openVisitor(service.app, { ip: '203.0.113.4' })];
    for (let round = 0; round < 6; round += 1) await request(attacker, email);
    await victim.get('/sign-in');
    assert.ok((await request(victim, email)).sent);
  });

  test('sees that no email was sent, whether or not the address has an account', async () => {
    const pages: string[] = [];
    for (const email of [await newVictim(), 'unknown@brand.example']) {
      const browser = attempts.visit();
      for (let round = 0; round < 5; round += 1) assert.equal((await request(browser, email)).status, 200);
      const rejected = await request(browser, email);
      assert.deepEqual([rejected.status, rejected.sent], [429, null]);
      assert.match(rejected.text, /No email was sent/);
      pages.push(rejected.text.replaceAll(email, ''));
      const json = await browser.json('POST', '/app/sign-in', { email });
      assert.deepEqual([json.status, json.body.code], [429, 'rate_limited']);
    }
    assert.equal(pages[0], pages[1]);
  });
});

test('many networks together send ten emails in ten minutes, and then their links work', async () => {
  const email = await newVictim();
  const sent: string[] = [];
  for (let round = 0; round < 14; round += 1) {
    const answer = await request(attempts.visit(), email);
    assert.match(answer.text, /its mailbox has a sign-in email from the last 15 minutes/);
    if (answer.sent) sent.push(answer.sent.path);
  }
  assert.equal(sent.length, 10);
  const victim = attempts.visit();
  assert.equal((await request(victim, email)).sent, null);
  assert.equal((await victim.post(sent.at(-1) ?? '', {})).status, 303);
  assert.ok((await request(attempts.visit(), email)).sent, 'used links make room');
});

test('a link does not work after a newer one or its code was used; a newer one works after an older one', async () => {
  for (const useCode of [false, true]) {
    const email = await newVictim();
    const [first, second, third] = [attempts.visit(), attempts.visit(), attempts.visit()];
    const older = (await request(first, email)).sent;
    service.clock.advance({ seconds: 1 });
    const newer = (await request(second, email)).sent;
    service.clock.advance({ seconds: 1 });
    const newest = (await request(third, email)).sent;
    const used = useCode ? await second.post('/sign-in/code', { code: newer?.code ?? '' }) : await second.post(newer?.path ?? '', {});
    assert.equal(used.status, 303);
    assert.equal((await attempts.visit().post(older?.path ?? '', {})).status, 410);
    assert.equal((await first.post('/sign-in/code', { code: older?.code ?? '' })).status, 400);
    assert.equal((await third.post(newest?.path ?? '', {})).status, 303);
  }
});

test('requests of others do not use up the codes that confirm an identity', async () => {
  const email = await newVictim();
  const user = attempts.visit();
  await user.post((await request(user, email)).sent?.path ?? '', {});
  const attacker = attempts.visit();
  for (let round = 0; round < 5; round += 1) await request(attacker, email);
  const before = service.mails.length;
  assert.equal((await user.json('POST', '/app/confirm/email')).status, 202);
  await service.drain();
  assert.match(service.mails.slice(before).at(-1)?.subject ?? '', /confirmation code/);
});
