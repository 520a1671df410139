// Affiliates choose per kind which optional emails they get: by the link of an email, or in the portal.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { sendPayoutPaid } from '../kinds/payouts/paid.ts';
import { optionalKinds } from '../kinds/table.ts';
import { createUnsubscribeUrl } from './link.ts';

let service: TestService;
let account: string;
let people = 0;

before(async () => {
  service = await openTestService();
  account = `/app/portal/${service.program.programId}/account`;
});
after(() => service.close());

type Person = { id: string; email: string; user: TestMember };

/** An affiliate who was invited and has signed in, with the invitation sent. */
async function newPerson(): Promise<Person> {
  people += 1;
  const email = `chooses-${people}@example.com`;
  const { id } = await anAffiliate(service, { email, sendInvite: true });
  await service.drain();
  return { id, email, user: await service.asAffiliate({ id, email }) };
}

async function payEmail({ id }: Person): Promise<void> {
  const { programId } = service.program;
  const actor = { kind: 'schedule' as const, id: 'test' };
  await transact(service.ctx, async (tx) => {
    const changeId = await recordChange(tx, { programId, actor, action: 'payout.paid', subjectId: id });
    await sendPayoutPaid(tx, { programId, changeId, affiliateId: id, amountCents: 12_850, currency: 'USD' });
  });
  await service.drain();
}

const mailsOf = ({ email }: Person, subject: RegExp) => service.mails.filter((mail) => mail.to === email && subject.test(mail.subject));
const pathOf = (person: Person, subject: RegExp) => new URL(mailsOf(person, subject).at(-1)?.unsubscribeUrl ?? 'http://x.invalid').pathname;
const post = (path: string, payload: string) =>
  service.app.inject({ method: 'POST', url: path, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
const choicesOf = async ({ user }: Person) => (await user.request('GET', account)).body.optionalEmails;
const everything = {
  invitations: true,
  pageReviews: true,
  firstSale: true,
  payouts: true,
  payoutFailures: true,
  statements: true,
  announcements: true,
};
const nothing = Object.fromEntries(Object.keys(everything).map((kind) => [kind, false]));
const paid = /paid you/;

describe('the choices of an affiliate', () => {
  test('the one-click request of a payout email switches off payout emails only', async () => {
    const person = await newPerson();
    await payEmail(person);
    assert.equal((await post(pathOf(person, paid), 'List-Unsubscribe=One-Click')).statusCode, 200);
    assert.deepEqual(await choicesOf(person), { ...everything, payouts: false });
    await payEmail(person);
    assert.equal(mailsOf(person, paid).length, 1);
  });

  test('unsubscribing from another kind leaves payout emails', async () => {
    const person = await newPerson();
    await post(pathOf(person, /./), 'List-Unsubscribe=One-Click');
    assert.deepEqual(await choicesOf(person), { ...everything, invitations: false });
    await payEmail(person);
    assert.equal(mailsOf(person, paid).length, 1);
  });

  test('the page of a link names the kind, and leads to all choices', async () => {
    const person = await newPerson();
    await payEmail(person);
    const path = pathOf(person, paid);
    const page = await service.request('GET', path, { key: null });
    assert.match(page.text, /news about your payouts/);
    assert.match(page.text, /href="\?choices"/);
    const choices = await service.request('GET', `${path}?choices`, { key: null });
    assert.equal(choices.text.match(/<input type="checkbox"/g)?.length, optionalKinds.length);
    assert.deepEqual(await choicesOf(person), everything, 'reading changes nothing');
    await post(path, 'action=choose&kind=payout_paid');
    assert.deepEqual(await choicesOf(person), { ...nothing, payouts: true });
    await post(path, `action=choose${optionalKinds.map((kind) => `&kind=${kind}`).join('')}`);
    assert.deepEqual(await choicesOf(person), everything);
  });

  test('links of emails that were sent before switch off every kind', async () => {
    const person = await newPerson();
    const url = createUnsubscribeUrl(service.ctx, { programId: service.program.programId, address: person.email, kind: null });
    await post(new URL(url).pathname, 'List-Unsubscribe=One-Click');
    assert.deepEqual(await choicesOf(person), nothing);
  });

  test('are changed one by one in the portal, with an entry in the audit log', async () => {
    const person = await newPerson();
    const changed = await person.user.request('PATCH', account, { body: { optionalEmails: { payouts: false } } });
    assert.deepEqual([changed.status, changed.body.optionalEmails], [200, { ...everything, payouts: false }], changed.text);
    await payEmail(person);
    assert.equal(mailsOf(person, paid).length, 0);
    const again = await person.user.request('PATCH', account, { body: { optionalEmails: { payouts: false, pageReviews: true } } });
    assert.deepEqual(again.body.optionalEmails, { ...everything, payouts: false });
    const { rows } = await service.pool.query(
      `select before, after from audit_log where action = 'affiliate.email_preference_changed' and subject_id = $1`,
      [person.id],
    );
    assert.deepEqual(rows, [{ before: { optionalEmails: { payouts: true } }, after: { optionalEmails: { payouts: false } } }]);
    assert.equal((await person.user.request('PATCH', account, { body: { optionalEmails: { payouts: 'no' } } })).status, 400);
  });

  test('two choices at the same time are both kept', async () => {
    const person = await newPerson();
    const change = (optionalEmails: object) => person.user.request('PATCH', account, { body: { optionalEmails } });
    await Promise.all([change({ payouts: false }), change({ pageReviews: false }), change({ invitations: false })]);
    assert.deepEqual(await choicesOf(person), { ...everything, invitations: false, pageReviews: false, payouts: false });
  });
});
