import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { smtpMailer } from './mailer.ts';
import { sendEmail } from './send.ts';

/** A mail server on a free port that records every email, unless `rejects` returns true. */
async function openMailServer(rejects: () => boolean = () => false, { confirms = true } = {}) {
  const received: { to: string[]; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (rejects()) return done(new Error('451 try later'));
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() });
        if (confirms) done();
        else for (const connection of server.connections) connection.close();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, received, close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

describe('emails', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const row = async (to: string) => (await service.pool.query('select * from emails where to_address = $1', [to])).rows[0];
  const jobOf = async (to: string) => {
    const { program_id: programId, id: emailId } = await row(to);
    return { programId, emailId };
  };

  test('are sent by SMTP as text and HTML, to the address only, with the same Message-ID at every attempt', async () => {
    let attempts = 0;
    const server = await openMailServer(() => {
      attempts += 1;
      return attempts === 1;
    });
    const mailer = smtpMailer(server.url);
    const ctx = { ...service.ctx, mailer };
    await anAffiliate(service, { email: 'smtp@example.com', firstName: 'Zoë', sendInvite: true });
    const job = await jobOf('smtp@example.com');
    await assert.rejects(sendEmail.run(ctx, job, { isLast: false }), /451/);
    assert.equal((await row('smtp@example.com')).status, 'queued');
    await sendEmail.run(ctx, job, { isLast: false });
    await sendEmail.run(ctx, job, { isLast: false });
    mailer.close();
    await server.close();
    assert.equal(server.received.length, 1);
    const mail = await PostalMime.parse(server.received[0]?.raw ?? '');
    assert.deepEqual(server.received[0]?.to, ['smtp@example.com']);
    assert.equal(mail.messageId, `<${job.emailId}@tributary>`);
    assert.match(mail.text ?? '', /Zoë, you’re invited/);
    assert.match(mail.html ?? '', /Zoë, you’re invited/);
    const { status, sent_at, last_error } = await row('smtp@example.com');
    assert.deepEqual([status, last_error], ['sent', null]);
    assert.ok(sent_at instanceof Date);
  });

  test('that the server accepts without confirming are sent at most twice, an hour apart, and end as unconfirmed', async () => {
    const server = await openMailServer(undefined, { confirms: false });
    const mailer = smtpMailer(server.url);
    const ctx = { ...service.ctx, mailer };
    await anAffiliate(service, { email: 'silent@example.com', sendInvite: true });
    const job = await jobOf('silent@example.com');
    const delays = async () =>
      (
        await service.pool.query(
          `select extract(epoch from start_at - created_at)::integer as s from job_outbox where data->>'emailId' = $1 and start_at > created_at`,
          [job.emailId],
        )
      ).rows;
    await sendEmail.run(ctx, job, { isLast: false });
    assert.equal(server.received.length, 1);
    assert.deepEqual([(await row('silent@example.com')).status, await delays()], ['queued', [{ s: 3600 }]]);
    await sendEmail.run(ctx, job, { isLast: false });
    assert.equal(server.received.length, 1);
    service.clock.advance({ seconds: 3600 });
    await sendEmail.run(ctx, job, { isLast: false });
    service.clock.advance({ seconds: 36_000 });
    await sendEmail.run(ctx, job, { isLast: false });
    mailer.close();
    await server.close();
    const { status, unconfirmed, sent_at } = await row('silent@example.com');
    assert.deepEqual([server.received.length, status, unconfirmed, sent_at], [2, 'unconfirmed', 2, null]);
    const ids = await Promise.all(server.received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId));
    assert.deepEqual(ids, [`<${job.emailId}@tributary>`, `<${job.emailId}@tributary>`]);
  });

  test('whose sending process was killed are not sent again immediately, by any number of jobs', async () => {
    let sent = 0;
    const never = new Promise<void>(() => {});
    const killed = { ...service.ctx, mailer: { send: () => never, close: () => {} } };
    const ctx = {
      ...service.ctx,
      mailer: {
        send: async () => {
          sent += 1;
        },
        close: () => {},
      },
    };
    await anAffiliate(service, { email: 'killed@example.com', sendInvite: true });
    const job = await jobOf('killed@example.com');
    void sendEmail.run(killed, job, { isLast: false });
    for (let look = 0; look < 500 && !(await row('killed@example.com')).sending_at; look += 1) await new Promise(setImmediate);
    await Promise.all([1, 2, 3].map(() => sendEmail.run(ctx, job, { isLast: false }).catch(() => {})));
    assert.equal(sent, 0);
    service.clock.advance({ seconds: 3600 });
    await sendEmail.run(ctx, job, { isLast: false });
    assert.deepEqual([sent, (await row('killed@example.com')).status], [1, 'sent']);
  });

  test('that no server accepted do not count as unconfirmed: they are tried again', async () => {
    const mailer = smtpMailer('smtp://127.0.0.1:9');
    await anAffiliate(service, { email: 'rejected@example.com', sendInvite: true });
    await assert.rejects(sendEmail.run({ ...service.ctx, mailer }, await jobOf('rejected@example.com'), { isLast: false }), /ECONNREFUSED/);
    mailer.close();
    const { status, unconfirmed, sending_at } = await row('rejected@example.com');
    assert.deepEqual([status, unconfirmed, sending_at], ['queued', 0, null]);
  });

  test('fail after the last attempt, with the reason', async () => {
    const ctx = { ...service.ctx, mailer: { send: async () => Promise.reject(new Error('550 no such mailbox')), close: () => {} } };
    await anAffiliate(service, { email: 'gone@example.com', sendInvite: true });
    await assert.rejects(sendEmail.run(ctx, await jobOf('gone@example.com'), { isLast: true }));
    const { status, last_error } = await row('gone@example.com');
    assert.deepEqual([status, last_error], ['failed', '550 no such mailbox']);
  });

  test('are stored if no mail server is configured, and never sent later', async () => {
    const withoutMail = await openTestService({ withMail: false });
    try {
      await anAffiliate(withoutMail, { sendInvite: true });
      assert.equal(await withoutMail.drain(), 0);
      const { rows } = await withoutMail.pool.query('select status from emails');
      assert.deepEqual(rows, [{ status: 'stored' }]);
    } finally {
      await withoutMail.close();
    }
  });

  test('leave no row and no job if the transaction rolls back', async () => {
    const count = async () =>
      (
        await service.pool.query(
          `select (select count(*) from emails) + (select count(*) from pgboss.job) + (select count(*) from job_outbox) as n`,
        )
      ).rows[0].n;
    await anAffiliate(service, { email: 'twice@example.com' });
    const before = await count();
    const body = { email: 'twice@example.com', firstName: 'A', lastName: 'B' };
    assert.equal((await service.request('POST', `${service.program.path}/affiliates`, { body })).status, 409);
    assert.equal(await count(), before);
  });
});
