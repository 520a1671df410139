// Five hundred attempts to claim an invited affiliate without the email that the invitation was sent in. Each category
// states how many it makes. After each, the affiliate has no user, or the one who proved the address; and its link still works
// for the owner of the mailbox unless it was used.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { findOrCreateUser } from '../../server/accounts/identity/users/user.ts';
import { createVerification } from '../../server/accounts/identity/verification/create.ts';
import { transact } from '../../server/platform/db/transact.ts';
import { openTestService, type TestProgram, type TestService } from '../support/harness.ts';
import { wrongCodeFor } from '../support/sign-in-attempts.ts';
import { openVisitor, readSignInEmail, type Visitor } from '../support/visitor.ts';

type Invited = { id: string; email: string; token: string; path: string; program: TestProgram };

let service: TestService;
let total = 0;
let invitations = 0;

before(async () => {
  service = await openTestService();
});
after(async () => {
  await service.close();
  assert.ok(total >= 500, `${total} attempts`);
});

const visit = (options = {}): Visitor => openVisitor(service.app, options);

/** An affiliate whose invitation was emailed and not opened yet. */
async function invite(program = service.program, email = `ada-${++invitations}@brand.example`): Promise<Invited> {
  const body = { email, firstName: 'Ada', lastName: 'Lindqvist' };
  const { status, body: created } = await service.request('POST', `${program.path}/affiliates`, { body, key: program.key });
  assert.equal(status, 201);
  await service.drain();
  const mail = service.mails.findLast(({ to }) => to === email);
  assert.ok(mail);
  const { token, path } = readSignInEmail(mail);
  return { id: created.id, email, token, path, program };
}

/** The user of an affiliate; null until it is claimed. */
async function findOwner({ id }: Invited): Promise<string | null> {
  const found = await service.ctx.db.selectFrom('affiliateAccounts').select('userId').where('affiliateId', '=', id).executeTakeFirst();
  return found?.userId ?? null;
}

/** Makes an attempt several times; the owner of the affiliate must not change. */
async function attempt(times: number, invited: Invited, make: (index: number) => Promise<unknown>): Promise<void> {
  const owner = await findOwner(invited);
  for (let index = 0; index < times; index += 1) {
    await make(index);
    assert.equal(await findOwner(invited), owner, `attempt ${index}`);
  }
  total += times;
}

/** Signs a user in who controls this address, with the emailed code. */
async function signInAs(email: string): Promise<Visitor> {
  await transact(service.ctx, (tx) => findOrCreateUser(tx, { email, name: 'Mallory' }));
  const browser = visit();
  const code = await requestCode(browser, email);
  assert.equal((await browser.post('/sign-in/code', { code })).status, 303);
  return browser;
}

async function requestCode(browser: Visitor, email: string): Promise<string> {
  await browser.post('/sign-in', { email });
  await service.drain();
  const mail = service.mails.at(-1);
  assert.ok(mail);
  return readSignInEmail(mail).code ?? '';
}

const portalOf = ({ program }: Invited): string => `/app/portal/${program.programId}/account`;

/** The proof that the affiliate was still there to be claimed. */
async function claim(invited: Invited): Promise<Visitor> {
  const browser = visit();
  const { status } = await browser.post(invited.path, {});
  // The link only accepts the invitation of an existing user, who then signs in.
  if (status === 200) await browser.post('/sign-in/code', { code: await requestCode(browser, invited.email) });
  else assert.equal(status, 303);
  assert.equal((await browser.json('GET', portalOf(invited))).status, 200);
  return browser;
}

describe('without the emailed proof, no attempt claims an affiliate', () => {
  test('signing up first: 60 requests of a user with another address, before and after the claim', async () => {
    const invited = await invite();
    const mallory = await signInAs('mallory@elsewhere.example');
    await attempt(30, invited, async (index) => {
      if (index % 3 === 0) await mallory.json('PATCH', '/app/me', { email: invited.email, name: 'Ada' });
      if (index % 3 === 1) await mallory.post('/sign-in', { email: invited.email });
      assert.equal((await mallory.json('GET', portalOf(invited))).status, 404);
    });
    await claim(invited);
    await attempt(30, invited, async () => assert.equal((await mallory.json('GET', portalOf(invited))).status, 404));
  });

  test('a user who was created with the address: 20 links of the command line, which prove nothing about the mailbox', async () => {
    const invited = await invite();
    const { user } = await transact(service.ctx, (tx) => findOrCreateUser(tx, { email: invited.email, name: 'Not Ada' }));
    await attempt(20, invited, async () => {
      const link = { purpose: 'command' as const, email: user.email, emailKey: user.emailKey, userId: user.id };
      const { token } = await transact(service.ctx, (tx) => createVerification(tx, link));
      const browser = visit();
      assert.equal((await browser.post(`/enter/${token}`, {})).status, 303);
      assert.equal((await browser.json('GET', portalOf(invited))).status, 404);
    });
    await claim(invited);
  });

  test('reuse: 40 uses of the link after it was used', async () => {
    const invited = await invite();
    await claim(invited);
    await attempt(40, invited, async (index) => {
      const browser = visit();
      if (index % 2) await browser.post(invited.path, {});
      else await browser.json('POST', '/app/enter', { token: invited.token });
      assert.equal(await browser.isSignedIn(), false);
    });
  });

  test('expiry: 30 uses of the link after 30 days', async () => {
    const invited = await invite();
    service.clock.advance({ days: 30 });
    await attempt(30, invited, async () => assert.notEqual((await visit().post(invited.path, {})).status, 303));
    assert.equal(await findOwner(invited), null);
  });

  test('scanners: 50 fetches of the link, which still works afterwards', async () => {
    const invited = await invite();
    const agents = ['Mozilla/5.0 (compatible; bingbot/2.0)', 'Slackbot-LinkExpanding 1.0', 'Barracuda Sentinel', 'curl/8.5'];
    await attempt(30, invited, (index) => visit({ userAgent: agents[index % agents.length] }).get(invited.path));
    await attempt(10, invited, () => visit().get(invited.path, { 'sec-purpose': 'prefetch;prerender' }));
    const methods = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const;
    await attempt(10, invited, async (index) =>
      service.app.inject({ method: methods[index % methods.length] ?? 'HEAD', url: invited.path, headers: { host: 'api.test' } }),
    );
    await claim(invited);
  });

  test('another browser: 30 entries of the right code where it was not requested', async () => {
    const invited = await invite();
    const code = await requestCode(visit(), invited.email);
    assert.match(code, /^\d{6}$/);
    await attempt(30, invited, async (index) => {
      if (index % 2) await visit().post('/sign-in/code', { code, email: invited.email });
      else await visit().json('POST', '/app/enter/code', { code });
    });
    await claim(invited);
  });

  test('guessed codes: 40 in the browser that asked, of which ten are compared', async () => {
    const invited = await invite();
    const browser = visit();
    const code = await requestCode(browser, invited.email);
    await attempt(39, invited, (index) => elsewhere(browser).post('/sign-in/code', { code: wrongCodeFor(code, index + 1) }));
    await attempt(1, invited, () => elsewhere(browser).post('/sign-in/code', { code }));
    assert.equal(await findOwner(invited), null);
  });

  test('look-alike addresses: 60 users who control one sign in, and none is the affiliate', async () => {
    const invited = await invite();
    const lookAlikes = [
      invited.email.replace('a', '\u0430'), // Cyrillic
      invited.email.replace('brand', 'br\u0430nd'),
      invited.email.replace('brand', 'bra\u0578d'), // Armenian
      invited.email.replace('ada', 'a\u0501a'), // Komi
      invited.email.replace('ada', 'adа'),
      invited.email.replace('@', '+x@'),
      invited.email.replace('-', '.'),
      invited.email.replace('-', ''),
      invited.email.replace('.example', '.examp1e'),
      invited.email.replace('brand', 'brаnd.brand'),
    ];
    await attempt(60, invited, async (index) => {
      const email = lookAlikes[index % lookAlikes.length] ?? '';
      const browser = visit();
      const before = service.mails.length;
      await browser.post('/sign-in', { email });
      await service.drain();
      for (const { to } of service.mails.slice(before)) assert.notEqual(to, invited.email);
      const user = await service.asAffiliate({ id: '', email }).catch(() => null);
      if (user)
        assert.equal((await service.request('GET', portalOf(invited), { key: null, headers: { cookie: user.cookie } })).status, 404);
    });
    await claim(invited);
  });

  test('other cases and Unicode forms: 40 requests send the email only to the stored address', async () => {
    const invited = await invite();
    const forms = [
      invited.email.toUpperCase(),
      invited.email.replace('ada', 'Ada'),
      invited.email.replace('brand', 'BRAND'),
      invited.email.replace('brand', '\uff42rand'),
      `${invited.email} `,
    ];
    const before = service.mails.length;
    await attempt(40, invited, (index) => visit().post('/sign-in', { email: forms[index % forms.length] ?? '' }));
    await service.drain();
    for (const { to } of service.mails.slice(before)) assert.equal(to, invited.email);
    await claim(invited);
  });

  test('two programs: 40 requests of the affiliate of one program to the portal of the other', async () => {
    const invited = await invite();
    const other = await invite(service.foreign);
    const browser = await claim(other);
    await attempt(40, invited, async (index) => {
      const headers = { 'tributary-program': index % 2 ? invited.program.programId : other.program.programId };
      assert.equal((await browser.json('GET', portalOf(invited), undefined, headers)).status, 404);
    });
    await claim(invited);
  });

  test('archived affiliates: 30 sign-ins with the right address', async () => {
    const invited = await invite();
    const archived = await service.request('PATCH', `${invited.program.path}/affiliates/${invited.id}`, { body: { status: 'archived' } });
    assert.equal(archived.status, 200, archived.text);
    await attempt(30, invited, async (index) => {
      const browser = visit();
      if (index % 3 === 0) await browser.post(invited.path, {});
      if (index % 3 === 1) await browser.post('/sign-in', { email: invited.email });
      assert.notEqual((await browser.json('GET', portalOf(invited))).status, 200);
    });
    assert.equal(await findOwner(invited), null);
  });

  test('malformed links: 40 that are truncated, extended, swapped or hashed', async () => {
    const [invited, other] = [await invite(), await invite()];
    const { token } = invited;
    const stored = await service.ctx.db
      .selectFrom('emailVerifications')
      .select(['id', 'tokenHash'])
      .where('email', '=', invited.email)
      .executeTakeFirstOrThrow();
    const malformed = [
      token.slice(1),
      token.slice(0, -1),
      `${token}A`,
      token.toLowerCase(),
      token.split('').reverse().join(''),
      `${token.slice(0, 21)}${other.token.slice(21)}`,
      stored.tokenHash.toString('base64url'),
      stored.tokenHash.toString('hex'),
      stored.id,
      'link-hidden',
    ];
    await attempt(40, invited, (index) => visit().post(`/enter/${encodeURIComponent(malformed[index % malformed.length] ?? '')}`, {}));
    await claim(invited);
  });

  test('other sites: 40 posts of the right link and code from elsewhere', async () => {
    const invited = await invite();
    const browser = visit();
    const code = await requestCode(browser, invited.email);
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    await attempt(40, invited, async (index) => {
      if (index % 2) await browser.post(invited.path, {}, headers);
      else await elsewhere(browser).post('/sign-in/code', { code }, headers);
    });
    await claim(invited);
  });

  test('what the program stores: 20 readings of the emailed invitation contain no link', async () => {
    const invited = await invite();
    const member = await service.asMember('owner');
    const path = `/app/programs/${invited.program.programId}/emails`;
    await attempt(20, invited, async () => {
      const list = await member.request('GET', `${path}?limit=50`);
      const { id } = list.body.emails.find((email: { to: string }) => email.to === invited.email) ?? list.body.emails[0];
      const [email, preview] = [await member.request('GET', `${path}/${id}`), await member.request('GET', `${path}/${id}/preview`)];
      for (const { text } of [list, email, preview]) assert.ok(!text.includes(invited.token));
    });
    const { rows } = await service.pool.query('select text_body, html_body from emails');
    assert.ok(rows.every((row) => !`${row.text_body}${row.html_body}`.includes(invited.token)));
    await claim(invited);
  });

  test('forged sessions: 20 cookies that were never issued', async () => {
    const invited = await invite();
    await claim(invited);
    await attempt(20, invited, async () => {
      const browser = visit();
      browser.cookies.set('trb', randomBytes(32).toString('base64url'));
      assert.equal((await browser.json('GET', portalOf(invited))).status, 401);
    });
  });
});

/** The same browser in another network, so that the limits per network don't hide the others. */
function elsewhere({ cookies }: Visitor): Visitor {
  const browser = visit();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}
