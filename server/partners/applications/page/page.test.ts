// The join page as visitors get it: mistakes, spam, limits, and what it reveals.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { aForm, openJoinForm } from '../../../../test/support/join/applicant.ts';
import { openVisitor, type VisitedPage } from '../../../../test/support/visitor.ts';
import { textOn } from './layout.ts';

let service: TestService;
let owner: TestMember;
let path: string;

before(async () => {
  service = await openTestService();
  owner = await service.asMember('owner');
  path = await openJoinForm(owner, service.program, { intro: 'Recommend <b>us</b>.' });
});
after(() => service.close());

const visit = () => openVisitor(service.app);
const countApplications = async () => (await service.pool.query('select 1 from applications')).rows.length;

/** What can differ between two responses without saying anything about an address. */
const withoutNonces = ({ status, text, headers }: VisitedPage) => ({
  status,
  text,
  headers: Object.entries(headers).filter(([name]) => !/^(date|x-request-id|set-cookie)$/.test(name)),
});

describe('the join page', () => {
  test('shows the program, its questions and terms, and escapes all of them', async () => {
    const { status, text, headers } = await visit().get(path);
    assert.equal(status, 200);
    for (const part of ['Fern &amp; Field', 'Recommend &lt;b&gt;us&lt;/b&gt;.', 'Where would you recommend us?', 'Disclose that you earn'])
      assert.ok(text.includes(part), part);
    assert.ok(!text.includes('<script'));
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self' https:;/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.ok(Buffer.byteLength(text) < 20_000, `${Buffer.byteLength(text)} bytes`);
  });

  test('names what every order earns, and nothing if a term of the rule limits it', async () => {
    const { path: program } = service.program;
    const ruleId = await aRule(service, { rate: 12.5 });
    const limits = [{ excludeCouponOrders: true }, { durationMonths: 12 }, { maxOccurrences: 3 }, { maxPerOrderCents: 900 }];
    const shows = async () => /12\.5/.test((await visit().get(path)).text);
    assert.equal(await shows(), true);
    for (const limit of limits) {
      const [name = ''] = Object.keys(limit);
      const update = (body: object) => service.request('PATCH', `${program}/commission-rules/${ruleId}`, { body });
      assert.equal((await update(limit)).status, 200);
      assert.equal(await shows(), false, name);
      await update({ [name]: name === 'excludeCouponOrders' ? false : null });
    }
    assert.equal(await shows(), true);
  });

  test('keeps what was typed, with one message per field', async () => {
    const before = await countApplications();
    const typed = { firstName: '', email: 'not an "address"', q_site: 'no address', q_kind: 'Astronaut', q_about: '<i>kept</i>' };
    const { status, text } = await visit().post(path, { ...aForm('a@example.com'), ...typed, acceptTerms: '' });
    assert.equal(status, 400);
    assert.ok(
      text.includes('value="not an &quot;address&quot;"') && text.includes('&lt;i&gt;kept&lt;/i&gt;') && text.includes('value="Lindqvist"'),
    );
    const failed = [...text.matchAll(/class="error" id="(\w+)-error"/g)].map(([, name]) => name);
    assert.deepEqual(failed, ['firstName', 'email', 'q_site', 'q_kind', 'acceptTerms']);
    assert.match(text, /5 answers need a change/);
    assert.equal(await countApplications(), before);
  });

  test('accepts only the terms that were shown', async () => {
    const { status, text } = await visit().post(path, aForm('a@example.com', { termsVersion: '7' }));
    assert.deepEqual([status, /terms have changed/.test(text), /value="yes" required checked/.test(text)], [400, true, false]);
  });

  test('answers alike whether an address is known, unknown, or a member’s', async () => {
    const active = await anAffiliate(service, { email: 'active@example.com', status: 'active' });
    const archived = await anAffiliate(service, { email: 'archived@example.com', status: 'archived' });
    const answers = [];
    for (const email of [active.email, archived.email, owner.email, 'unknown@example.com', 'unknown@example.com'])
      answers.push(withoutNonces(await visit().post(path, aForm(email))));
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.status, 200);
    await service.drain();
    const subjects = service.mails.filter(({ subject }) => /^Confirm your application/.test(subject)).map(({ to }) => to);
    assert.deepEqual(new Set(subjects), new Set([active.email, archived.email, owner.email, 'unknown@example.com']));
  });

  test('sends to the address that is stored, not to one that is compared as equal', async () => {
    await anAffiliate(service, { email: 'Case@example.com' });
    await visit().post(path, aForm('cASE@example.com'));
    await service.drain();
    assert.equal(service.mails.at(-1)?.to, 'Case@example.com');
  });

  test('answers a program that fills the hidden field as everyone, and stores nothing', async () => {
    const before = await countApplications();
    const trapped = await visit().post(path, aForm('spam@example.com', { contact_me_at: 'x' }));
    const normal = await visit().post(path, aForm('person@example.com'));
    assert.deepEqual(withoutNonces(trapped), withoutNonces(normal));
    await service.drain();
    assert.equal(await countApplications(), before + 1);
    assert.ok(service.mails.every(({ to }) => to !== 'spam@example.com'));
  });

  test('accepts twenty forms from a network in 15 minutes', async () => {
    const statuses = [];
    for (let index = 0; index < 22; index += 1) {
      const browser = openVisitor(service.app, { ip: '198.51.100.7' });
      statuses.push((await browser.post(path, aForm(`flood-${index}@example.com`))).status);
    }
    assert.deepEqual(statuses, [...Array(20).fill(200), 429, 429]);
  });

  test('accepts forms from itself only', async () => {
    const before = await countApplications();
    for (const headers of [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, { origin: 'null' }] as Record<
      string,
      string
    >[])
      assert.equal((await visit().post(path, aForm('csrf@example.com'), headers)).status, 403);
    assert.equal(await countApplications(), before);
  });

  test('is the same neutral 404 for an unknown program and one that never had a form', async () => {
    const unknown = await visit().get('/join/unknown-program');
    const formless = await visit().get('/join/other-brand');
    assert.deepEqual(withoutNonces(unknown), withoutNonces(formless));
    assert.deepEqual([unknown.status, unknown.text.includes('Other Brand')], [404, false]);
    for (const address of ['/join/', '/join/%00', '/join/a/b/c/d', `/join/${'x'.repeat(200)}`])
      assert.equal((await visit().get(address)).status, 404, address);
  });

  test('is in German for a German browser', async () => {
    const { text } = await visit().get(path, { 'accept-language': 'de-CH,de;q=0.9' });
    assert.match(text, /<html lang="de">/);
    assert.match(text, /Bewerbung senden/);
    assert.match(text, /50,00\s\$/);
  });

  test('says that it is closed, and accepts nothing then', async () => {
    await openJoinForm(owner, service.program, { isOpen: false });
    const before = await countApplications();
    const shown = await visit().get(path);
    assert.deepEqual([shown.status, /Applications are closed/.test(shown.text), shown.text.includes('<form')], [200, true, false]);
    const sent = await visit().post(path, aForm('late@example.com'));
    assert.deepEqual([sent.status, await countApplications()], [200, before]);
  });
});

test('text on the color of a brand is readable', () => {
  assert.deepEqual(['#000000', '#0B5F59', '#FFE600', '#FFFFFF', '#777777'].map(textOn), ['#fff', '#fff', '#000', '#000', '#000']);
});

test('without a mail server, the page says that applications are not possible', async () => {
  const silent = await openTestService({ withMail: false });
  try {
    const form = await openJoinForm(await silent.asMember('owner'), silent.program);
    assert.match((await openVisitor(silent.app).get(form)).text, /no mail server/);
    const sent = await openVisitor(silent.app).post(form, aForm('a@example.com'));
    assert.match(sent.text, /no mail server/);
    assert.equal((await silent.pool.query('select 1 from applications')).rows.length, 0);
  } finally {
    await silent.close();
  }
});
