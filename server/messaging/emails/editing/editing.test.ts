// Programs edit what emails to affiliates say, and switch some of them off.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { sendPayoutPaid } from '../kinds/payouts/paid.ts';
import { locales } from '../look/look.ts';
import { type EditableEmail, editableEmails, editableNames } from './editable.ts';
import { findUnknown } from './text.ts';

let service: TestService;
let program: TestProgram;
let owner: TestMember;
let path: string;
before(async () => {
  service = await openTestService();
});
beforeEach(async () => {
  program = await service.newProgram(`Fern ${Math.random()}`);
  owner = await service.asMember('owner', { program });
  path = `/app/programs/${program.programId}`;
});
after(() => service.close());

const text = { subject: 'Money from {program}', heading: 'Hooray, {firstName}', body: 'You got {amount}.\nEnjoy {unused' };
const edited = { email: 'payout_paid', locale: 'en', ...text };
const actionsOf = async (): Promise<{ action: string; before: object; after: object }[]> => {
  const query = `select action, before, after from audit_log where program_id = $1 and action like 'email.%' order by created_at, id`;
  return (await service.pool.query(query, [program.programId])).rows;
};

/** The email about a payout to a new affiliate. */
async function payEmail(firstName = 'Ada') {
  const { id, email } = await anAffiliate(service, { status: 'active', firstName }, program);
  const { programId } = program;
  await transact(service.ctx, async (tx) => {
    const actor = { kind: 'schedule' as const, id: 'test' };
    const changeId = await recordChange(tx, { programId, actor, action: 'payout.paid', subjectId: id });
    await sendPayoutPaid(tx, { programId, changeId, affiliateId: id, amountCents: 12_850, currency: 'USD' });
  });
  await service.drain();
  return service.mails.find(({ to, subject }) => to === email && !/approved/.test(subject));
}

describe('the text of an email', () => {
  test('has a default in both languages with the placeholders of the email only', async () => {
    const { body } = await owner.request('GET', `${path}/email-settings`);
    assert.deepEqual(
      body.emails.map(({ email }: { email: string }) => email),
      editableNames,
    );
    for (const name of editableNames) {
      const { placeholders, toDefault } = editableEmails[name as EditableEmail];
      for (const locale of locales) {
        for (const part of Object.values(toDefault(locale))) assert.deepEqual(findUnknown(part, placeholders), [], `${name} ${part}`);
      }
    }
  });

  test('that was edited is in emails of its language, with the values of the recipient; restoring it is one request', async () => {
    const saved = await owner.request('PATCH', `${path}/email-texts`, { body: edited });
    assert.deepEqual([saved.status, saved.body.texts.en], [200, { ...text, isEdited: true }], saved.text);
    assert.equal(saved.body.texts.de.isEdited, false);
    const mail = await payEmail('{amount}');
    assert.match(mail?.subject ?? '', /^Money from Fern/);
    assert.match(mail?.text ?? '', /Hooray, \{amount\}\n\nYou got \$128\.50\.\n\nEnjoy \{unused\n/);
    assert.match(mail?.html ?? '', /You got \$128\.50\./);
    const restored = await owner.request('POST', `${path}/email-texts/restore`, { body: { email: 'payout_paid', locale: 'en' } });
    assert.deepEqual([restored.status, restored.body.texts.en.isEdited], [200, false]);
    assert.match((await payEmail())?.subject ?? '', /paid you \$128\.50$/);
    const actions = await actionsOf();
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['email.text_edited', 'email.text_restored'],
    );
    assert.deepEqual(actions[0]?.after, edited);
    assert.deepEqual(actions[1]?.before, edited);
  });

  test('with an unknown placeholder is rejected, naming the part that contains it and the known placeholders', async () => {
    const body = { ...edited, subject: '{amonut}', body: 'Hello {month}' };
    for (const request of [
      owner.request('PATCH', `${path}/email-texts`, { body }),
      owner.request('POST', `${path}/email-texts/test`, { body }),
    ]) {
      const { status, body: problem } = await request;
      const possible = '{program}, {firstName}, {amount}';
      assert.equal(status, 400);
      assert.deepEqual(problem.details, [
        { path: ['subject'], message: `must not contain the placeholder {amonut}; possible are ${possible}` },
        { path: ['body'], message: `must not contain the placeholder {month}; possible are ${possible}` },
      ]);
    }
    const empty = await owner.request('PATCH', `${path}/email-texts`, { body: { ...edited, body: ' \n ' } });
    assert.deepEqual(empty.body.details, [{ path: ['body'], message: 'must not be empty' }]);
    assert.deepEqual(await actionsOf(), []);
  });

  test('contains markup as text', async () => {
    const body = { ...edited, heading: '<img src=x onerror=alert(1)>', body: '<script>alert(1)</script>' };
    assert.equal((await owner.request('PATCH', `${path}/email-texts`, { body })).status, 200);
    const html = (await payEmail())?.html ?? '';
    assert.ok(html.includes('&lt;script&gt;') && !html.includes('<script') && !html.includes('<img src=x'));
  });

  test('is not editable for emails about security, nor by members without the permission', async () => {
    for (const email of ['sign_in', 'payout_details_changed', 'security_notice', 'member_invitation', 'application_confirmation']) {
      assert.equal((await owner.request('PATCH', `${path}/email-texts`, { body: { ...edited, email } })).status, 400, email);
      assert.equal((await owner.request('PATCH', `${path}/email-switches`, { body: { email, isOn: false } })).status, 400, email);
    }
    const viewer = await service.asMember('viewer', { program });
    assert.equal((await viewer.request('PATCH', `${path}/email-texts`, { body: edited })).status, 403);
    assert.equal((await viewer.request('GET', `${path}/email-settings`)).status, 403);
  });

  test('can be previewed before it is stored, and as it is stored', async () => {
    const draft = new URLSearchParams({ ...text, email: 'payout_paid' });
    const preview = await owner.request('GET', `${path}/email-preview?${draft}`);
    assert.match(preview.body.subject, /^Money from Fern/);
    assert.match((await owner.request('GET', `${path}/email-preview/page?${draft}&scheme=dark`)).text, /Hooray, Ada/);
    assert.match((await owner.request('GET', `${path}/email-preview?email=payout_paid`)).body.subject, /paid you/);
    assert.equal((await owner.request('PATCH', `${path}/email-texts`, { body: edited })).status, 200);
    assert.match((await owner.request('GET', `${path}/email-preview?email=payout_paid`)).body.subject, /^Money from Fern/);
  });
});

describe('a test email', () => {
  test('goes to the member who asks for it, with the text of the request, which is not stored', async () => {
    const sent = await owner.request('POST', `${path}/email-texts/test`, { body: { ...edited, email: 'invitation' } });
    assert.equal(sent.status, 400, sent.text);
    const invitation = { ...edited, email: 'invitation', subject: 'Join {program}', body: 'Hi {email}' };
    const again = await owner.request('POST', `${path}/email-texts/test`, { body: invitation });
    assert.deepEqual([again.status, again.body.status], [200, 'queued'], again.text);
    await service.drain();
    const mail = service.mails.find(({ to, subject }) => to === again.body.to && subject.startsWith('Join Fern'));
    assert.match(mail?.text ?? '', /Hi ada@example\.com/);
    assert.doesNotMatch(`${mail?.text} ${mail?.html}`, /hidden|\/enter\/|\/unsubscribe\//);
    const { rows } = await service.pool.query(`select kind, affiliate_id from emails where program_id = $1`, [program.programId]);
    assert.deepEqual(rows, [{ kind: 'test', affiliate_id: null }]);
    assert.equal((await owner.request('GET', `${path}/email-settings`)).body.emails[1].texts.en.isEdited, false);
    assert.deepEqual(
      (await actionsOf()).map(({ action }) => action),
      ['email.test_sent'],
    );
  });

  test('is sent at most 20 times an hour, by simultaneous requests too', async () => {
    const send = () => owner.request('POST', `${path}/email-texts/test`, { body: edited });
    for (let round = 0; round < 6; round += 1) await Promise.all([send(), send(), send()]);
    const statuses = (await Promise.all([send(), send(), send(), send()])).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 429, 429]);
  });
});

describe('an email that a program switched off', () => {
  test('is not written until it is switched on again, with entries in the audit log', async () => {
    const change = (isOn: boolean) => owner.request('PATCH', `${path}/email-switches`, { body: { email: 'payout_paid', isOn } });
    const off = await change(false);
    assert.deepEqual([off.status, off.body.isOn], [200, false], off.text);
    assert.equal((await change(false)).status, 200);
    assert.equal(await payEmail(), undefined);
    assert.equal((await change(true)).body.isOn, true);
    assert.match((await payEmail())?.subject ?? '', /paid you/);
    assert.deepEqual(
      (await actionsOf()).map(({ action }) => action),
      ['email.switched_off', 'email.switched_on'],
    );
  });
});
