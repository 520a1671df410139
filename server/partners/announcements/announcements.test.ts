// Announcements reach each affiliate of their audience once, in their language, unless they opted out.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { chooseEmails } from '../../messaging/emails/opt-out/recipient.ts';
import { transact } from '../../platform/db/transact.ts';
import { startDueAnnouncements } from './start-due.ts';
import { writeAnnouncementEmails, writeNext } from './write-emails.ts';

const en = {
  subject: 'New at {program}',
  heading: 'Hello {firstName}',
  body: 'The collection starts on Monday.\nPictures are in your account.',
};
const de = { subject: 'Neu bei {program}', heading: 'Hallo {firstName}', body: 'Die Kollektion startet am Montag.' };

let service: TestService;
let program: TestProgram;
let owner: TestMember;
let path: string;
before(async () => {
  service = await openTestService();
});
after(() => service.close());
beforeEach(async () => {
  program = await service.newProgram('Fern & Field');
  owner = await service.asMember('owner', { program });
  path = `/app/programs/${program.programId}/announcements`;
});

const person = (firstName: string, given: object = {}) =>
  anAffiliate(
    service,
    { status: 'active', firstName, email: `${firstName.toLowerCase()}-${program.programId}@example.com`, ...given },
    program,
  );
const draft = async (body: object = { texts: { en, de } }): Promise<string> => {
  const created = await owner.request('POST', path, { body });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
};
const send = (id: string, body: object = {}) => owner.request('POST', `${path}/${id}/send`, { body });
const read = async (id: string) => (await owner.request('GET', `${path}/${id}`)).body;
const runJobs = async (): Promise<void> => {
  while ((await service.drain()) > 0);
};
const mailsTo = ({ email }: { email: string }) =>
  service.mails.filter((mail) => mail.to === email && /^(New at|Neu bei) /.test(mail.subject));
const emailCounts = async (): Promise<number[]> =>
  (
    await service.pool.query(
      `select count(*)::int as emails from emails where program_id = $1 and kind = 'announcement' group by affiliate_id order by affiliate_id`,
      [program.programId],
    )
  ).rows.map(({ emails }) => emails);
const audited = async (id: string) =>
  (await service.pool.query('select action, actor_kind as actor from audit_log where subject_id = $1 order by created_at, id', [id])).rows;

describe('an announcement', () => {
  test('goes to each affiliate once, in their language, with headers for opting out with one click', async () => {
    const ada = await person('Ada');
    const ben = await person('Ben');
    await person('Pending', { status: 'pending' });
    const user = await service.asAffiliate({ id: ben.id, email: ben.email });
    assert.equal((await user.request('PATCH', '/app/me', { body: { locale: 'de' } })).status, 200);
    const id = await draft();
    const audience = await owner.request('GET', `/app/programs/${program.programId}/announcement-audience`);
    assert.deepEqual(audience.body, { recipients: 2, optedOut: 0 });
    const started = await send(id, { expectedRecipients: 2 });
    assert.deepEqual([started.status, started.body.status], [200, 'sending'], started.text);
    await runJobs();
    const [toAda, toBen] = [mailsTo(ada).at(-1), mailsTo(ben).at(-1)];
    assert.deepEqual([toAda?.subject, toBen?.subject], ['New at Fern & Field', 'Neu bei Fern & Field']);
    assert.match(toAda?.text ?? '', /Hello Ada\n\nThe collection starts on Monday\.\n\nPictures are in your account\./);
    assert.match(toBen?.text ?? '', /Hallo Ben/);
    assert.match(toAda?.unsubscribeUrl ?? '', /\/unsubscribe\/[\w-]+$/);
    assert.ok(toAda?.html.includes(toAda.unsubscribeUrl ?? '-'), 'the email has the link, too');
    const { status, results, finishedAt } = await read(id);
    assert.deepEqual([status, results.sent, results.queued, typeof finishedAt], ['sent', 2, 0, 'string']);
    assert.deepEqual(await emailCounts(), [1, 1]);
    assert.deepEqual(await audited(id), [
      { action: 'announcement.created', actor: 'user' },
      { action: 'announcement.sent', actor: 'user' },
    ]);
  });

  test('is chosen by status, group and language', async () => {
    const groupId = await aGroup(service, 'Gold', program);
    const gold = await person('Gold', { groupId });
    await person('Plain');
    const pending = await person('Waiting', { status: 'pending', groupId });
    const audience = { statuses: ['active', 'pending'], groupIds: [groupId], locale: 'en' };
    const id = await draft({ texts: { en }, audience });
    assert.deepEqual((await read(id)).audience, audience);
    await send(id);
    await runJobs();
    assert.equal((await read(id)).results.sent, 2);
    assert.deepEqual([mailsTo(gold).length, mailsTo(pending).length], [1, 1]);
    const german = await owner.request('GET', `/app/programs/${program.programId}/announcement-audience?locale=de`);
    assert.equal(german.body.recipients, 0);
    const foreign = await aGroup(service, 'Foreign');
    const rejected = await owner.request('POST', path, { body: { texts: { en }, audience: { groupIds: [foreign] } } });
    assert.deepEqual(rejected.body.details, [{ path: ['audience', 'groupIds', '0'], message: 'was not found in this program' }]);
  });

  test('is not sent to who opted out by the link of an earlier one, without signing in or a script', async () => {
    const [ada, ben] = [await person('Ada'), await person('Ben')];
    await send(await draft());
    await runJobs();
    const url = new URL(mailsTo(ada).at(-1)?.unsubscribeUrl ?? 'http://missing.invalid');
    const page = await service.request('GET', url.pathname, { key: null });
    assert.match(page.text, /<form method="post">/);
    assert.doesNotMatch(page.text, /<script/);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const clicked = await service.app.inject({ method: 'POST', url: url.pathname, payload: 'List-Unsubscribe=One-Click', headers });
    assert.equal(clicked.statusCode, 200);
    const counted = await owner.request('GET', `/app/programs/${program.programId}/announcement-audience`);
    assert.deepEqual(counted.body, { recipients: 2, optedOut: 1 });
    const id = await draft();
    await send(id, { expectedRecipients: 1 });
    await runJobs();
    assert.deepEqual([mailsTo(ada).length, mailsTo(ben).length], [1, 2]);
    const { results } = await read(id);
    assert.deepEqual([results.sent, results.optedOut, results.failed], [1, 1, 0]);
  });

  test('is written once, however often and wherever its job runs, and continues after an interruption', async () => {
    for (let index = 0; index < 7; index += 1) await person(`Person${index}`);
    const id = await draft();
    await send(id);
    const sending = { programId: program.programId, announcementId: id };
    assert.equal(await transact(service.ctx, (tx) => writeNext(tx, sending, 3)), true);
    // A process that ends before the commit leaves nothing of its step.
    const killed = transact(service.ctx, async (tx) => {
      await writeNext(tx, sending, 3);
      throw new Error('killed');
    });
    await assert.rejects(killed, /killed/);
    assert.deepEqual(await emailCounts(), [1, 1, 1]);
    const run = () => writeAnnouncementEmails.run(service.ctx, sending, { isLast: false });
    await Promise.all([run(), run(), run()]);
    await runJobs();
    await run();
    assert.deepEqual(await emailCounts(), [1, 1, 1, 1, 1, 1, 1]);
    assert.equal(
      service.mails.filter(({ subject }) => subject === 'New at Fern & Field').filter(({ to }) => to.includes(program.programId)).length,
      7,
    );
    const again = `insert into emails select * from jsonb_populate_record(null::emails,
      (select to_jsonb(emails) || jsonb_build_object('id', gen_random_uuid(), 'to_address', 'x@example.com') from emails
       where program_id = $1 and kind = 'announcement' limit 1))`;
    await assert.rejects(service.pool.query(again, [program.programId]), /emails_announcement_once/);
  });

  test('waits for its time, and is sent once by several processes', async () => {
    const ada = await person('Ada');
    const id = await draft();
    const sendAt = new Date(service.ctx.clock.now().getTime() + 600_000).toISOString();
    assert.equal((await send(id, { sendAt })).body.status, 'scheduled');
    const due = () => startDueAnnouncements.run(service.ctx, {}, { isLast: false });
    await due();
    assert.equal((await read(id)).status, 'scheduled');
    service.clock.advance({ seconds: 600 });
    await Promise.all([due(), due(), due()]);
    await runJobs();
    assert.deepEqual([(await read(id)).status, mailsTo(ada).length], ['sent', 1]);
    assert.deepEqual((await audited(id)).at(-1), { action: 'announcement.sent', actor: 'schedule' });
    const past = await send(await draft(), { sendAt });
    assert.deepEqual(past.body.details, [{ path: ['sendAt'], message: 'must be in the future, and within a year' }]);
  });

  test('can be changed, deleted and tested until it is sent', async () => {
    await person('Ada');
    const id = await draft({ texts: { en } });
    const { version } = await read(id);
    const changed = await owner.request('PATCH', `${path}/${id}`, { body: { texts: { en, de } }, headers: { 'if-match': version } });
    assert.deepEqual([changed.status, changed.body.texts.de], [200, de], changed.text);
    const stale = await owner.request('PATCH', `${path}/${id}`, { body: { texts: { en } }, headers: { 'if-match': version } });
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_announcement']);
    const unknown = await owner.request('PATCH', `${path}/${id}`, { body: { texts: { en: { ...en, body: 'You earned {amount}.' } } } });
    assert.deepEqual(unknown.body.details[0].path, ['texts', 'en', 'body']);
    const tested = await owner.request('POST', `${path}/${id}/test`, { body: { locale: 'de' } });
    assert.deepEqual([tested.status, tested.body.to], [200, owner.email], tested.text);
    await runJobs();
    const mail = mailsTo(owner).at(-1);
    assert.equal(mail?.subject, 'Neu bei Fern & Field');
    assert.equal(mail?.unsubscribeUrl, undefined, 'a test does not unsubscribe the member');
    assert.equal((await owner.request('DELETE', `${path}/${await draft()}`)).status, 200);
    await send(id);
    await runJobs();
    for (const [method, below, body] of [
      ['PATCH', '', { texts: { en } }],
      ['POST', '/send', {}],
      ['DELETE', '', undefined],
    ] as const) {
      const late = await owner.request(method, `${path}/${id}${below}`, body ? { body } : {});
      assert.deepEqual([late.status, late.body.code], [400, 'announcement_already_sent'], `${method} ${below}`);
    }
    const late = await owner.request('POST', `${path}/${id}/cancel`);
    assert.deepEqual([late.status, late.body.code], [400, 'announcement_not_cancellable']);
  });

  test('that is cancelled sends nothing more: a scheduled one is a draft again', async () => {
    const people = [await person('Ada'), await person('Ben')];
    const id = await draft();
    const sendAt = new Date(service.ctx.clock.now().getTime() + 60_000).toISOString();
    await send(id, { sendAt });
    const back = await owner.request('POST', `${path}/${id}/cancel`);
    assert.deepEqual([back.body.status, back.body.sendAt], ['draft', null]);
    await send(id);
    await transact(service.ctx, (tx) => writeNext(tx, { programId: program.programId, announcementId: id }, 1));
    const stopped = await owner.request('POST', `${path}/${id}/cancel`);
    assert.deepEqual([stopped.body.status, stopped.body.results.cancelled, stopped.body.results.queued], ['cancelled', 1, 0]);
    await runJobs();
    assert.deepEqual([await emailCounts(), people.flatMap(mailsTo).length], [[1], 0]);
  });

  test('is not sent if another number of affiliates matches than the member saw', async () => {
    const ada = await person('Ada');
    await person('Ben');
    await transact(service.ctx, (tx) =>
      chooseEmails(tx, { programId: program.programId, address: ada.email, choices: { announcement: false } }),
    );
    const id = await draft();
    const changed = await send(id, { expectedRecipients: 2 });
    assert.deepEqual([changed.status, changed.body.code, changed.body.count], [400, 'count_changed', 1]);
    assert.equal((await read(id)).status, 'draft');
  });
});
