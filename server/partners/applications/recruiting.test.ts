// Recruiting links: who applies with one gets the affiliate as upline, and what the link never does.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { type Applicant, aForm, apply, confirm, openJoinForm } from '../../../test/support/join/applicant.ts';
import { openVisitor } from '../../../test/support/visitor.ts';

let service: TestService;
let owner: TestMember;
let path: string;
let ruleId: string;
let una: Awaited<ReturnType<typeof anAffiliate>>;
let unaMember: TestMember;
let serial = 0;

before(async () => {
  service = await openTestService();
  owner = await service.asMember('owner');
  path = await openJoinForm(owner, service.program);
  await aRule(service, { rate: 10 });
  ruleId = await aRule(service, { level: 2, rate: 2 });
  una = await anAffiliate(service, { firstName: 'Una', lastName: 'Marsh', email: 'una@example.com', status: 'active' });
  unaMember = await service.asAffiliate(una);
});
after(() => service.close());

const newEmail = () => `recruit-${++serial}@example.com`;
const update = async (id: string, body: object) => {
  const { status, text } = await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body });
  assert.equal(status, 200, text);
};
const changeRule = async (body: object) => {
  const { status, text } = await service.request('PATCH', `${service.program.path}/commission-rules/${ruleId}`, { body });
  assert.equal(status, 200, text);
};
const readLinks = async () =>
  (await unaMember.request('GET', `/app/portal/${service.program.programId}/links`, { key: null })).body.recruiting;
const applyWith = (from: string, email: string, fields: Record<string, string> = {}) =>
  apply(service, path, aForm(email, { from, ...fields }));

async function join(from: string, email = newEmail()): Promise<{ id: string; parentAffiliateId: string | null; status: string }> {
  assert.equal((await confirm(await applyWith(from, email))).status, 303);
  return affiliateOf(email);
}

async function affiliateOf(email: string) {
  const { rows } = await service.pool.query(
    'select id, status, parent_affiliate_id as "parentAffiliateId" from affiliates where program_id = $1 and email_key = $2',
    [service.program.programId, email],
  );
  return rows[0];
}

describe('a recruiting link', () => {
  test('names the affiliate on the join page, in the application and in the audit log, and makes them the upline', async () => {
    const link = await readLinks();
    assert.equal(new URL(link.url).search, `?from=${una.referralCode}`);
    const page = await openVisitor(service.app).get(`${path}?from=${una.referralCode.toLowerCase()}`);
    assert.match(page.text, /Una invites you to apply\./);
    assert.ok(page.text.includes(`<input type="hidden" name="from" value="${una.referralCode}">`));
    assert.match(page.text, /noindex/);
    assert.doesNotMatch(page.text, /Marsh|una@example/);
    assert.doesNotMatch(String(page.headers['set-cookie']), new RegExp(una.referralCode, 'i'));
    const email = newEmail();
    const applicant = await applyWith(una.referralCode, email);
    assert.deepEqual([await affiliateOf(email), (await readLinks()).applied], [undefined, 0]);
    assert.equal((await confirm(applicant)).status, 303);
    const { id, status, parentAffiliateId } = await affiliateOf(email);
    assert.deepEqual([status, parentAffiliateId], ['pending', una.id]);
    const list = await owner.request('GET', `/app/programs/${service.program.programId}/applications?affiliateId=${id}`);
    const recruiter = { id: una.id, firstName: 'Una', lastName: 'Marsh' };
    assert.deepEqual(list.body.applications[0].recruiter, recruiter);
    const one = await owner.request('GET', `/app/programs/${service.program.programId}/applications/${list.body.applications[0].id}`);
    assert.deepEqual(one.body.recruiter, recruiter);
    const { rows } = await service.pool.query(`select after from audit_log where subject_id = $1 and action = 'affiliate.applied'`, [id]);
    assert.deepEqual([rows[0].after.parentAffiliateId, rows[0].after.recruiterId], [una.id, una.id]);
    assert.deepEqual([(await readLinks()).applied, (await readLinks()).active], [1, 0]);
    await update(id, { status: 'active' });
    assert.deepEqual([(await readLinks()).applied, (await readLinks()).active], [1, 1]);
    const order = await anOrder(service, { affiliateId: id, amountCents: 10_000 });
    const earned = order.commissions.map((one: { affiliateId: string; amountCents: number }) => [one.affiliateId, one.amountCents]);
    assert.deepEqual(
      new Map(earned),
      new Map([
        [id, 1000],
        [una.id, 200],
      ]),
    );
  });

  test('is ignored without an error if its code is unknown, a vanity slug, of another program, or of an inactive affiliate', async () => {
    const foreign = await anAffiliate(service, { status: 'active' }, service.foreign);
    await aRule(service, { level: 2, rate: 2 }, service.foreign);
    const suspended = await anAffiliate(service, { status: 'suspended' });
    await update(una.id, { vanitySlug: 'una' });
    for (const code of ['UNKNOWN1', 'una', `${una.referralCode}' or '1'='1`, foreign.referralCode, suspended.referralCode, '']) {
      const page = await openVisitor(service.app).get(`${path}?from=${encodeURIComponent(code)}`);
      assert.deepEqual([page.status, /invites you|name="from"/.test(page.text)], [200, false], code);
    }
    for (const code of ['UNKNOWN1', suspended.referralCode]) assert.equal((await join(code)).parentAffiliateId, null, code);
    const twice = await openVisitor(service.app).get(`${path}?from=${una.referralCode}&from=x`);
    assert.deepEqual([twice.status, /invites you/.test(twice.text)], [200, false]);
  });

  test('does not count if the affiliate is suspended before the address is confirmed', async () => {
    const email = newEmail();
    const applicant = await applyWith(una.referralCode, email);
    await update(una.id, { status: 'suspended' });
    assert.equal((await confirm(applicant)).status, 303);
    assert.equal((await affiliateOf(email)).parentAffiliateId, null);
    await update(una.id, { status: 'active' });
  });

  test('is carried through mistakes, the code, a wrong code and the way back to the form', async () => {
    const browser = openVisitor(service.app);
    const field = `<input type="hidden" name="from" value="${una.referralCode}">`;
    const mistake = await browser.post(path, aForm('no address', { from: una.referralCode }));
    assert.deepEqual([mistake.status, mistake.text.includes(field), /Una invites/.test(mistake.text)], [400, true, true]);
    const sent = await browser.post(path, aForm(newEmail(), { from: una.referralCode }));
    const back = `href="${path}?from=${una.referralCode}"`;
    assert.deepEqual([sent.text.includes(field), sent.text.includes(back)], [true, true]);
    const wrong = await browser.post(`${path}/code`, { code: '000000', from: una.referralCode });
    assert.deepEqual([wrong.status, wrong.text.includes(field), wrong.text.includes(back)], [400, true, true]);
    const expired = await applyWith(una.referralCode, newEmail());
    service.clock.advance({ seconds: 24 * 60 * 60 });
    unaMember = await service.asAffiliate(una);
    const gone = await expired.browser.get(expired.link);
    assert.deepEqual([gone.status, gone.text.includes(back)], [410, true]);
    const email = newEmail();
    const { browser: own, code } = await applyWith(una.referralCode, email);
    assert.equal((await own.post(`${path}/code`, { code })).status, 303);
    assert.equal((await affiliateOf(email)).parentAffiliateId, una.id);
  });

  test('sets the upline of a pending affiliate who applies again, and never replaces one or sets one that was removed', async () => {
    const eve = await anAffiliate(service, { firstName: 'Eve', status: 'active' });
    const email = newEmail();
    const { id } = await join('', email);
    assert.deepEqual((await join(una.referralCode, email)).parentAffiliateId, una.id);
    assert.equal((await join(eve.referralCode, email)).parentAffiliateId, una.id);
    const before = (await readLinks()).applied;
    await update(id, { parentAffiliateId: null });
    assert.equal((await readLinks()).applied, before - 1);
    assert.equal((await join(una.referralCode, email)).parentAffiliateId, null);
    await update(id, { parentAffiliateId: eve.id });
    assert.equal((await join(una.referralCode, email)).parentAffiliateId, eve.id);
    const { rows } = await service.pool.query(
      `select after ->> 'parentAffiliateId' as upline, actor_kind from audit_log where subject_id = $1 and after ? 'parentAffiliateId' order by id`,
      [id],
    );
    assert.deepEqual(rows, [
      { upline: null, actor_kind: 'user' },
      { upline: una.id, actor_kind: 'user' },
      { upline: null, actor_kind: 'api_key' },
      { upline: eve.id, actor_kind: 'api_key' },
    ]);
  });

  test('changes nothing for its own affiliate, and creates no cycle', async () => {
    assert.equal((await join(una.referralCode, una.email)).parentAffiliateId, null);
    const above = await anAffiliate(service, { email: newEmail(), status: 'active' });
    const below = await anAffiliate(service, { status: 'active', parentAffiliateId: above.id });
    await update(above.id, { status: 'archived' });
    const returned = await join(below.referralCode, above.email);
    assert.deepEqual([returned.status, returned.parentAffiliateId], ['pending', null]);
  });

  test('makes one upline when both confirmations of an applicant arrive together', async () => {
    const email = newEmail();
    const applicants: Applicant[] = [await applyWith(una.referralCode, email), await applyWith(una.referralCode, email)];
    const statuses = await Promise.all(applicants.map(async (applicant) => (await confirm(applicant)).status));
    assert.deepEqual(statuses, [303, 303]);
    assert.equal((await affiliateOf(email)).parentAffiliateId, una.id);
  });
});

describe('the portal offers the link', () => {
  test('with what it earns: the rate, what it is of, and its limits', async () => {
    const plain = { type: 'percentage', amountCents: null, per: 'order', trigger: 'every', durationMonths: null, isLimited: false };
    const terms = async () => {
      const { rate, hasOtherRates, leadCents } = await readLinks();
      return { rate, hasOtherRates, leadCents };
    };
    assert.deepEqual(await terms(), { rate: { ...plain, rate: 2, basis: 'order' }, hasOtherRates: false, leadCents: null });
    await changeRule({ rate: 25, basis: 'commission', trigger: 'first', durationMonths: 6, maxPerOrderCents: 500 });
    const first = { ...plain, rate: 25, basis: 'commission', trigger: 'first', durationMonths: 6, isLimited: true };
    assert.deepEqual((await terms()).rate, first);
    await changeRule({ rate: 2, basis: 'order', trigger: 'every', durationMonths: null, maxPerOrderCents: null });
    await aRule(service, { level: 2, event: 'lead', type: 'flat', amountCents: 150 });
    await aRule(service, { level: 2, rate: 5, category: 'Tea' });
    assert.deepEqual(await terms(), { rate: { ...plain, rate: 2, basis: 'order' }, hasOtherRates: true, leadCents: 150 });
  });

  test('only with an open join page and a rule of level 2 in effect that pays the affiliate', async () => {
    const program = await service.newProgram('Without a second level');
    const someone = await anAffiliate(service, { status: 'active' }, program);
    const member = await service.asAffiliate(someone, program);
    const recruiting = async () => (await member.request('GET', `/app/portal/${program.programId}/links`, { key: null })).body.recruiting;
    const boss = await service.asMember('owner', { program });
    const form = await openJoinForm(boss, program);
    assert.equal(await recruiting(), null);
    const tomorrow = new Date(service.clock.now().getTime() + 86_400_000).toISOString();
    const later = await aRule(service, { level: 2, rate: 2, effectiveFrom: tomorrow }, program);
    const other = await anAffiliate(service, { status: 'active' }, program);
    await aRule(service, { level: 2, rate: 2, affiliateId: other.id }, program);
    assert.equal(await recruiting(), null);
    const page = await openVisitor(service.app).get(`${form}?from=${someone.referralCode}`);
    assert.doesNotMatch(page.text, /invites you/);
    const begun = await service.request('PATCH', `${program.path}/commission-rules/${later}`, {
      key: program.key,
      body: { effectiveFrom: null },
    });
    assert.equal(begun.status, 200, begun.text);
    assert.equal((await recruiting()).rate.rate, 2);
    await openJoinForm(boss, program, { isOpen: false });
    assert.equal(await recruiting(), null);
  });
});
