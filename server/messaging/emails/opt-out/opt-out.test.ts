import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { AddressRejected, smtpMailer } from '../mailer.ts';
import { sendEmail } from '../send.ts';

/** A mail server that answers every recipient with these lines; null accepts it. */
async function openMailServer(answer: () => { code: number; text: string } | null) {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const rejection = answer();
      done(rejection ? Object.assign(new Error(rejection.text), { responseCode: rejection.code }) : null);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
  const close = async () => {
    mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
  };
  return { mailer, received, close };
}

describe('emails and the wishes of their recipients', () => {
  let service: TestService;
  let owner: TestMember;
  before(async () => {
    service = await openTestService();
    owner = await service.asMember('owner');
  });
  after(() => service.close());

  const emailsTo = async (to: string) =>
    (await service.pool.query('select * from emails where to_address = $1 order by created_at, id', [to])).rows;
  const statusesTo = async (to: string) => (await emailsTo(to)).map(({ kind, status }) => `${kind} ${status}`);
  const mailsTo = (to: string) => service.mails.filter((mail) => mail.to === to);
  const optedOut = async () => (await service.pool.query('select email_key from email_recipients where opted_out_at is not null')).rows;
  const invite = (email: string) => anAffiliate(service, { email, sendInvite: true });
  const resendInvitation = async (id: string) => {
    service.clock.advance({ seconds: 61 });
    const path = `/app/programs/${service.program.programId}/affiliates/${id}/invitation`;
    return owner.request('POST', path, { body: {} });
  };
  const pathOf = (email: string) => new URL(mailsTo(email)[0]?.unsubscribeUrl ?? 'http://missing.invalid').pathname;
  const open = (path: string) => service.request('GET', path, { key: null });
  const post = (path: string, payload: string, type = 'application/x-www-form-urlencoded') =>
    service.app.inject({ method: 'POST', url: path, payload, headers: { 'content-type': type } });

  test('an optional email has one link to opt out, in its header, text and HTML; it is stored nowhere', async () => {
    await invite('header@example.com');
    await service.drain();
    const [mail] = mailsTo('header@example.com');
    const url = mail?.unsubscribeUrl ?? '';
    assert.match(url, /\/unsubscribe\/[\w-]{100,}$/);
    assert.ok(mail?.text.includes(url) && mail.html.includes(`href="${url}"`));
    const [row] = await emailsTo('header@example.com');
    assert.ok(!JSON.stringify(row).includes(url));
    const server = await openMailServer(() => null);
    await server.mailer.send({ messageId: '<a@b>', from: { name: 'A\r\nX-Injected: 1', address: 'a@example.com' }, ...mailOf(mail) });
    await server.close();
    const parsed = await PostalMime.parse(server.received[0] ?? '');
    const header = (name: string) => parsed.headers.find(({ key }) => key === name)?.value;
    assert.equal(header('list-unsubscribe'), `<${url}>`);
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.equal(header('x-injected'), undefined);
  });

  const mailOf = (mail: TestService['mails'][number] | undefined) => {
    assert.ok(mail);
    const { to, subject, text, html, unsubscribeUrl = '' } = mail;
    return { to, subject, text, html, unsubscribeUrl };
  };

  test('fetching the link changes nothing; one click opts out, and the next email is not sent', async () => {
    const { id } = await invite('stop@example.com');
    await service.drain();
    const path = pathOf('stop@example.com');
    for (let fetched = 0; fetched < 5; fetched += 1) {
      const page = await open(path);
      assert.equal(page.status, 200);
      assert.match(page.text, /stop@example\.com/);
    }
    assert.deepEqual(await optedOut(), []);
    assert.equal((await post(path, 'List-Unsubscribe=One-Click')).statusCode, 200);
    assert.deepEqual(await optedOut(), [{ email_key: 'stop@example.com' }]);
    assert.equal((await resendInvitation(id)).status, 200);
    await service.drain();
    assert.deepEqual(await statusesTo('stop@example.com'), ['invitation sent', 'invitation suppressed']);
    assert.equal(mailsTo('stop@example.com').length, 1);
  });

  test('the one-click request works as a multipart form, too, and can be repeated', async () => {
    await invite('multipart@example.com');
    await service.drain();
    const body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    for (const attempt of [1, 2]) {
      const answer = await post(pathOf('multipart@example.com'), body, 'multipart/form-data; boundary=x');
      assert.equal(answer.statusCode, 200, `attempt ${attempt}`);
    }
    assert.ok((await optedOut()).some(({ email_key }) => email_key === 'multipart@example.com'));
  });

  test('an email that was queued before the opt-out is not sent either', async () => {
    const { id } = await invite('queued@example.com');
    await service.drain();
    await resendInvitation(id);
    await post(pathOf('queued@example.com'), 'action=unsubscribe');
    await service.drain();
    assert.deepEqual(await statusesTo('queued@example.com'), ['invitation sent', 'invitation suppressed']);
  });

  test('it applies to one program, ignores case, and can be undone on the page', async () => {
    await anAffiliate(service, { email: 'both@example.com', sendInvite: true }, service.foreign);
    const here = await anAffiliate(service, { email: 'Both@Example.com', sendInvite: true });
    await service.drain();
    const path = pathOf('Both@Example.com');
    await post(path, 'action=unsubscribe');
    const { rows } = await service.pool.query(`select program_id from email_recipients where email_key = 'both@example.com'`);
    assert.deepEqual(rows, [{ program_id: service.program.programId }]);
    await post(path, 'action=subscribe');
    await resendInvitation(here.id);
    await service.drain();
    assert.equal(mailsTo('Both@Example.com').length, 2);
  });

  test('links that this service did not create are unknown, whatever was changed in them', async () => {
    await invite('token@example.com');
    await service.drain();
    const before = (await optedOut()).length;
    const path = pathOf('token@example.com');
    const flip = (at: number) => `${path.slice(0, at)}${path[at] === 'A' ? 'B' : 'A'}${path.slice(at + 1)}`;
    const forged = [
      flip(20),
      flip(60),
      flip(path.length - 5),
      path.slice(0, -4),
      `${path}AAAA`,
      '/unsubscribe/x',
      `/unsubscribe/${'A'.repeat(700)}`,
    ];
    for (const attempt of forged) {
      assert.equal((await open(attempt)).status, 404, attempt);
      assert.equal((await post(attempt, 'List-Unsubscribe=One-Click')).statusCode, 404, attempt);
    }
    assert.equal((await optedOut()).length, before);
  });

  test('emails about the account are sent to an affiliate who opted out; an approval only after they signed in once', async () => {
    const never = await invite('never@example.com');
    const claimed = await invite('claimed@example.com');
    await service.drain();
    for (const email of ['never@example.com', 'claimed@example.com']) await post(pathOf(email), 'action=unsubscribe');
    await service.asAffiliate({ id: claimed.id, email: 'claimed@example.com' });
    for (const { id } of [never, claimed])
      await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { status: 'active' } });
    await service.drain();
    assert.deepEqual(await statusesTo('never@example.com'), ['invitation sent', 'approval suppressed']);
    assert.deepEqual(await statusesTo('claimed@example.com'), ['invitation sent', 'approval sent']);
  });

  test('an address that the mail server rejects permanently is tried once, shown to the program, and gets no optional email', async () => {
    const { id } = await invite('gone@example.com');
    const [{ id: emailId, program_id: programId }] = await emailsTo('gone@example.com');
    const server = await openMailServer(() => ({ code: 550, text: '5.1.1 No such mailbox' }));
    await sendEmail.run({ ...service.ctx, mailer: server.mailer }, { programId, emailId }, { isLast: false });
    await server.close();
    assert.deepEqual(await statusesTo('gone@example.com'), ['invitation failed']);
    const summary = await owner.request('GET', `/app/programs/${programId}/affiliates/${id}/summary`);
    assert.match(summary.body.emails.bounceReason, /5\.1\.1 No such mailbox/);
    await resendInvitation(id);
    await service.drain();
    assert.deepEqual(await statusesTo('gone@example.com'), ['invitation failed', 'invitation suppressed']);
    const resent = await owner.request('POST', `/app/programs/${programId}/emails/${emailId}/resend`);
    assert.deepEqual([resent.status, resent.body.status], [200, 'queued'], resent.text);
    await service.drain();
    assert.deepEqual((await statusesTo('gone@example.com'))[0], 'invitation sent');
    const after = await owner.request('GET', `/app/programs/${programId}/affiliates/${id}/summary`);
    assert.equal(after.body.emails.bouncedAt, null);
  });

  test('rejections that are not about the address do not mark it', async () => {
    const answers = [
      { code: 550, text: '5.7.1 Blocked by policy' },
      { code: 552, text: '5.2.2 Mailbox full' },
      { code: 554, text: 'Relay access denied' },
      { code: 450, text: 'Try again later' },
    ];
    for (const answer of answers) {
      const server = await openMailServer(() => answer);
      const message = {
        messageId: '<a@b>',
        from: { name: '', address: 'a@example.com' },
        to: 'b@example.com',
        subject: 's',
        text: 't',
        html: 'h',
      };
      const error = await server.mailer.send(message).catch((caught: unknown) => caught);
      await server.close();
      assert.ok(error instanceof Error && !(error instanceof AddressRejected), answer.text);
    }
  });

  test('only emails that were not delivered are sent again, and none to an address that opted out', async () => {
    await invite('again@example.com');
    await service.drain();
    const [{ id, program_id: programId }] = await emailsTo('again@example.com');
    const path = `/app/programs/${programId}/emails/${id}/resend`;
    assert.equal((await owner.request('POST', path)).body.code, 'not_resendable');
    await service.pool.query(`update emails set status = 'failed' where id = $1`, [id]);
    await post(pathOf('again@example.com'), 'action=unsubscribe');
    assert.equal((await owner.request('POST', path)).body.code, 'recipient_opted_out');
    await post(pathOf('again@example.com'), 'action=subscribe');
    assert.equal((await owner.request('POST', path)).status, 200);
    await service.drain();
    const tokens = mailsTo('again@example.com').map(({ text }) => /\/enter\/([\w-]{43})/.exec(text)?.[1]);
    assert.ok(tokens.length === 2 && tokens[0] && tokens[1] && tokens[0] !== tokens[1]);
    const other = await service.asMember('owner', { program: service.foreign });
    assert.equal((await other.request('POST', path.replace(programId, service.foreign.programId))).status, 404);
  });
});
