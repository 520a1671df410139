// Emails about the join form are limited by who requests them, so requests of others don't use up those of an applicant.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { aForm, openJoinForm } from '../../../test/support/join/applicant.ts';
import { openVisitor, type Visitor } from '../../../test/support/visitor.ts';

let service: TestService;
let path: string;
let applicants = 0;

before(async () => {
  service = await openTestService();
  path = await openJoinForm(await service.asMember('owner'), service.program);
});
after(() => service.close());

const newEmail = () => `limited-${++applicants}@example.com`;
const countEmails = (email: string) => service.mails.filter(({ to }) => to === email).length;

/** Sends the form, and returns the status of the page with the number of emails that were sent. */
async function send(browser: Visitor, email: string) {
  const before = countEmails(email);
  const page = await browser.post(path, aForm(email));
  await service.drain();
  return { ...page, sent: countEmails(email) - before };
}

describe('emails about the join form', () => {
  test('reach the applicant after an attacker in another network has requested all of theirs', async () => {
    const [attacker, email] = [openVisitor(service.app), newEmail()];
    for (let round = 0; round < 7; round += 1) await send(attacker, email);
    assert.equal(countEmails(email), 5);
    const own = await send(openVisitor(service.app), email);
    assert.deepEqual([own.status, own.sent], [200, 1]);
  });

  test('reach the applicant in the network of the attacker, too, by their browser', async () => {
    const [attacker, applicant] = [openVisitor(service.app, { ip: '203.0.113.4' }), openVisitor(service.app, { ip: '203.0.113.4' })];
    const email = newEmail();
    for (let round = 0; round < 6; round += 1) await send(attacker, email);
    await applicant.get(path);
    assert.equal((await send(applicant, email)).sent, 1);
  });

  test('reach the applicant after an attacker who poses as many browsers of one network', async () => {
    const email = newEmail();
    for (let round = 0; round < 15; round += 1) {
      const forged = openVisitor(service.app, { ip: `192.0.2.${round}` });
      await forged.get(path);
      await send(forged, email);
    }
    assert.equal(countEmails(email), 8);
    assert.equal((await send(openVisitor(service.app), email)).sent, 1);
  });

  test('are counted for the requesting browser, whose page says that no email was sent', async () => {
    const [browser, email] = [openVisitor(service.app), newEmail()];
    for (let round = 0; round < 5; round += 1) assert.equal((await send(browser, email)).status, 200);
    const rejected = await send(browser, email);
    assert.deepEqual([rejected.status, rejected.sent], [429, 0]);
    assert.match(rejected.text, /No email was sent/);
    assert.match(String(rejected.headers['retry-after']), /^\d+$/);
    service.clock.advance({ seconds: 60 * 60 });
    assert.equal((await send(browser, email)).sent, 1);
  });
});
