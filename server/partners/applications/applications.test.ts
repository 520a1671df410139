// From the join form to an affiliate: only a confirmed address counts, and what an application changes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { type Applicant, aForm, apply, confirm, openJoinForm } from '../../../test/support/join/applicant.ts';
import { openVisitor } from '../../../test/support/visitor.ts';

let service: TestService;
let path: string;
let applicants = 0;

before(async () => {
  service = await openTestService();
  path = await openForm();
});
after(() => service.close());

/** The clock advances between tests, which ends sessions. */
const newOwner = () => service.asMember('owner');
const openForm = async (settings = {}) => openJoinForm(await newOwner(), service.program, settings);
const newEmail = () => `applicant-${++applicants}@example.com`;

async function affiliateOf(email: string, { programId }: TestProgram = service.program) {
  const { rows } = await service.pool.query('select * from affiliates where program_id = $1 and email_key = lower($2)', [programId, email]);
  return rows[0];
}

async function applicationsOf(affiliateId: string) {
  const { body, text } = await (await newOwner()).request(
    'GET',
    `/app/programs/${service.program.programId}/applications?affiliateId=${affiliateId}&sort=confirmedAt`,
  );
  assert.ok(body.applications, text);
  return body.applications;
}

async function emailsTo(email: string): Promise<string[]> {
  const { rows } = await service.pool.query('select kind from emails where to_address = $1 order by created_at, id', [email]);
  return rows.map(({ kind }) => kind);
}

const outcomes = async (affiliateId: string) => (await applicationsOf(affiliateId)).map((each: { outcome: string }) => each.outcome);

async function setStatus(id: string, status: string): Promise<void> {
  const changed = await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { status } });
  assert.equal(changed.status, 200, changed.text);
}

describe('an application', () => {
  test('creates a pending affiliate with its answers once the address is confirmed, and signs the applicant in', async () => {
    const email = newEmail();
    const applicant = await apply(service, path, aForm(email));
    assert.equal(await affiliateOf(email), undefined);
    const shown = await applicant.browser.get(applicant.link);
    assert.deepEqual([shown.status, shown.text.includes(email)], [200, true]);
    assert.equal(await affiliateOf(email), undefined);
    const confirmed = await confirm(applicant);
    assert.deepEqual([confirmed.status, confirmed.headers.location], [303, `/portal/${service.program.programId}`]);
    const affiliate = await affiliateOf(email);
    assert.deepEqual([affiliate.status, affiliate.first_name, affiliate.invited_at], ['pending', 'Ada', null]);
    const [application] = await applicationsOf(affiliate.id);
    assert.deepEqual([application.outcome, application.termsVersion, application.autoApproval], ['created', 1, null]);
    assert.deepEqual(
      application.answers.map(({ questionId, answer }: Record<string, string>) => [questionId, answer]),
      [
        ['site', 'https://ada.example'],
        ['kind', 'Clinician'],
        ['about', 'Sleep.'],
      ],
    );
    const account = await applicant.browser.json('GET', `/app/portal/${service.program.programId}/account`);
    assert.deepEqual([account.status, account.body.status], [200, 'pending']);
    assert.deepEqual(await emailsTo(email), ['application_received']);
    const one = await (await newOwner()).request('GET', `/app/programs/${service.program.programId}/applications/${application.id}`);
    assert.deepEqual(one.body, application);
    const { rows } = await service.pool.query('select action, actor_kind, after from audit_log where subject_id = $1 order by id', [
      affiliate.id,
    ]);
    assert.deepEqual(
      rows.map(({ action, actor_kind }) => [action, actor_kind]),
      [
        ['affiliate.applied', 'user'],
        ['affiliate.claimed', 'user'],
      ],
    );
    assert.equal(rows[0].after.termsVersion, 1);
  });

  test('is confirmed with the code in the browser that sent it, and in no other', async () => {
    const email = newEmail();
    const applicant = await apply(service, path, aForm(email));
    const { code } = applicant;
    assert.equal((await openVisitor(service.app).post(`${path}/code`, { code })).status, 400);
    const wrong = await applicant.browser.post(`${path}/code`, { code: code === '000000' ? '111111' : '000000' });
    assert.deepEqual([wrong.status, /incorrect/.test(wrong.text)], [400, true]);
    assert.equal((await applicant.browser.post(`${path}/code`, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status, 303);
    assert.equal((await affiliateOf(email)).status, 'pending');
  });

  test('has no effect without the proof: other programs, sign-in, reuse, expiry, and another address', async () => {
    const applicant = await apply(service, path, aForm(newEmail()));
    const token = applicant.link.split('/').at(-1) ?? '';
    const foreignOwner = await service.asMember('owner', { program: service.foreign });
    const foreignPath = await openJoinForm(foreignOwner, service.foreign);
    assert.equal((await applicant.browser.post(`${foreignPath}/confirm/${token}`, {})).status, 404);
    assert.equal((await applicant.browser.post(`/enter/${token}`, {})).status, 404);
    assert.equal(await affiliateOf(applicant.email), undefined);
    service.clock.advance({ seconds: 24 * 60 * 60 });
    assert.equal((await confirm(applicant)).status, 410);
    assert.equal(await affiliateOf(applicant.email), undefined);
    const used = await apply(service, path, aForm(newEmail()));
    assert.equal((await confirm(used)).status, 303);
    const again = await openVisitor(service.app).post(used.link, {});
    assert.deepEqual([again.status, again.headers['set-cookie']], [410, undefined]);
  });

  test('is deleted when it is never confirmed', async () => {
    const applicant = await apply(service, path, aForm(newEmail()));
    service.clock.advance({ seconds: 3 * 24 * 60 * 60 });
    const { deleteUnconfirmedApplications } = await import('./delete-unconfirmed.ts');
    await deleteUnconfirmedApplications.run(service.ctx, {}, { isLast: false });
    const { rows } = await service.pool.query('select 1 from applications where email = $1', [applicant.email]);
    assert.equal(rows.length, 0);
  });
});

describe('who applies again', () => {
  async function reapply(email: string, form: Record<string, string> = {}): Promise<Applicant> {
    const applicant = await apply(service, path, aForm(email, form));
    assert.equal((await confirm(applicant)).status, 303);
    return applicant;
  }

  test('and is pending stays one affiliate, with the newest answers first', async () => {
    const email = newEmail();
    await reapply(email);
    service.clock.advance({ seconds: 60 });
    await reapply(email.toUpperCase(), { q_about: 'Food.' });
    const affiliate = await affiliateOf(email);
    assert.deepEqual(await outcomes(affiliate.id), ['created', 'updated']);
    assert.equal((await applicationsOf(affiliate.id))[1].answers[2].answer, 'Food.');
  });

  test('and was invited claims the affiliate, which stays pending', async () => {
    const { id, email } = await anAffiliate(service, { email: newEmail() });
    await reapply(email);
    assert.deepEqual([(await affiliateOf(email)).status, await outcomes(id)], ['pending', ['updated']]);
  });

  for (const status of ['active', 'suspended'] as const) {
    test(`and is ${status} changes nothing, and gets to the portal`, async () => {
      const { id, email } = await anAffiliate(service, { email: newEmail() });
      await setStatus(id, status);
      const { browser } = await reapply(email);
      assert.deepEqual([(await affiliateOf(email)).status, await outcomes(id)], [status, ['unchanged']]);
      const account = await browser.json('GET', `/app/portal/${service.program.programId}/account`);
      assert.equal(account.body.status, status);
      assert.ok(!(await emailsTo(email)).includes('application_received'));
    });
  }

  test('and was rejected is pending again after 30 days, not before', async () => {
    const { id, email } = await anAffiliate(service, { email: newEmail() });
    await setStatus(id, 'rejected');
    await reapply(email);
    assert.deepEqual([(await affiliateOf(email)).status, await outcomes(id)], ['rejected', ['unchanged']]);
    service.clock.advance({ seconds: 30 * 24 * 60 * 60 });
    await reapply(email);
    assert.deepEqual([(await affiliateOf(email)).status, await outcomes(id)], ['pending', ['unchanged', 'returned']]);
  });

  test('and was archived is pending again, and can sign in', async () => {
    const { id, email } = await anAffiliate(service, { email: newEmail() });
    await setStatus(id, 'archived');
    const { browser } = await reapply(email);
    assert.deepEqual([(await affiliateOf(email)).status, await outcomes(id)], ['pending', ['returned']]);
    const account = await browser.json('GET', `/app/portal/${service.program.programId}/account`);
    assert.equal(account.body.status, 'pending');
  });

  test('does not touch the affiliate of another user', async () => {
    const { id, email } = await anAffiliate(service, { email: newEmail() });
    await service.asAffiliate({ id, email });
    const renamed = newEmail();
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { email: renamed } });
    const { browser } = await reapply(renamed);
    assert.deepEqual(await outcomes(id), ['unchanged']);
    assert.equal((await browser.json('GET', `/app/portal/${service.program.programId}/account`)).status, 404);
  });
});

describe('simultaneous confirmations', () => {
  test('of one link have one effect', async () => {
    const applicant = await apply(service, path, aForm(newEmail()));
    const answers = await Promise.all(Array.from({ length: 6 }, () => openVisitor(service.app).post(applicant.link, {})));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 410, 410, 410, 410, 410]);
  });

  test('of several forms with one address create one affiliate', async () => {
    const email = newEmail();
    const sent = [];
    for (let index = 0; index < 4; index += 1) sent.push(await apply(service, path, aForm(email)));
    const answers = await Promise.all(sent.map(confirm));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    const { id } = await affiliateOf(email);
    assert.deepEqual((await outcomes(id)).sort(), ['created', 'updated', 'updated', 'updated']);
  });

  test('with an invitation of the same address create one affiliate', async () => {
    for (let round = 0; round < 8; round += 1) {
      const email = newEmail();
      const applicant = await apply(service, path, aForm(email));
      const body = { email, firstName: 'Ada', lastName: 'L' };
      const [confirmed, invited] = await Promise.all([
        confirm(applicant),
        service.request('POST', `${service.program.path}/affiliates`, { body }),
      ]);
      assert.equal(confirmed.status, 303);
      assert.ok(invited.status === 201 || invited.status === 409, invited.text);
      const { rows } = await service.pool.query('select 1 from affiliates where email = $1', [email]);
      assert.equal(rows.length, 1);
    }
  });
});

describe('a rule for automatic approval', () => {
  const setRule = (autoApproval: object) => openForm({ autoApproval });
  after(() => setRule({ mode: 'none' }));

  test('approves an application that meets it, and records why', async () => {
    await setRule({ mode: 'matching', answers: [{ questionId: 'kind', options: ['Clinician'] }] });
    const email = newEmail();
    await confirm(await apply(service, path, aForm(email)));
    const affiliate = await affiliateOf(email);
    const [{ autoApproval }] = await applicationsOf(affiliate.id);
    const reason = { rule: 'matching', emailDomain: null, answers: [{ question: 'What describes you best?', answer: 'Clinician' }] };
    assert.deepEqual([affiliate.status, autoApproval], ['active', reason]);
    const { rows } = await service.pool.query(`select after from audit_log where subject_id = $1 and action = 'affiliate.applied'`, [
      affiliate.id,
    ]);
    assert.deepEqual([rows[0].after.status, rows[0].after.autoApproval], ['active', reason]);
    assert.deepEqual(await emailsTo(email), ['approval']);
    const summary = await (await newOwner()).request(
      'GET',
      `/app/programs/${service.program.programId}/affiliates/${affiliate.id}/summary`,
    );
    assert.deepEqual([summary.status, summary.body.statusChangedBy], [200, null]);
    const other = newEmail();
    await confirm(await apply(service, path, aForm(other, { q_kind: 'Creator' })));
    assert.equal((await affiliateOf(other)).status, 'pending');
  });

  test('never approves who was archived, or an application to a form that was closed in the meantime', async () => {
    await setRule({ mode: 'all' });
    const { id, email } = await anAffiliate(service, { email: newEmail() });
    await setStatus(id, 'archived');
    await confirm(await apply(service, path, aForm(email)));
    assert.equal((await affiliateOf(email)).status, 'pending');
    const late = await apply(service, path, aForm(newEmail()));
    await openForm({ isOpen: false });
    assert.equal((await confirm(late)).status, 303);
    assert.equal((await affiliateOf(late.email)).status, 'pending');
  });
});

test('a user with an authenticator app applies, and signs in with both factors', async () => {
  await openForm();
  const email = newEmail();
  const first = await apply(service, path, aForm(email));
  const { userId } = await service.asAffiliate({ id: '', email });
  await service.pool.query(`insert into second_factors (user_id, secret, confirmed_at, created_at) values ($1, '\\x00', now(), now())`, [
    userId,
  ]);
  const confirmed = await confirm(first);
  assert.deepEqual([confirmed.status, confirmed.headers['set-cookie']], [303, undefined]);
  assert.match(String(confirmed.headers.location), /^\/sign-in\?next=/);
  assert.equal((await affiliateOf(email)).status, 'pending');
  assert.equal(await first.browser.isSignedIn(), false);
});
