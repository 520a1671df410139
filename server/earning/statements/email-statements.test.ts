// Every affiliate with entries in a month gets its statement by email, once per month.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { chooseEmails } from '../../messaging/emails/opt-out/recipient.ts';
import { transact } from '../../platform/db/transact.ts';
import { localMonth, monthSpan } from '../../platform/lib/zoned-time.ts';
import { emailStatements, startStatements } from './email-statements.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

type Row = { affiliate_id: string; audit_id: string; status: string; subject: string; text_body: string };
const emailsOf = async ({ programId }: TestProgram): Promise<Row[]> =>
  (await service.pool.query(`select * from emails where program_id = $1 and kind = 'statement' order by created_at, id`, [programId])).rows;
const start = () => startStatements.run(service.ctx, {}, { isLast: false });
const runJobs = async (): Promise<void> => {
  while ((await service.drain()) > 0);
};

describe('monthly statements', () => {
  let program: TestProgram;
  let ada: { id: string; email: string };
  let timezone: string;
  beforeEach(async () => {
    program = await service.newProgram(`Fern ${Math.random()}`);
    timezone = (await service.request('GET', program.path, { key: program.key })).body.timezone;
    await aRule(service, { rate: 10 }, program);
    ada = await anAffiliate(service, { status: 'active', firstName: 'Ada' }, program);
    await anAffiliate(service, { status: 'active', firstName: 'Idle' }, program);
    await anOrder(service, { affiliateId: ada.id, amountCents: 24_900 }, program);
    await runJobs();
  });

  const thisMonth = () => localMonth(service.ctx.clock.now(), timezone);
  /** Moves the clock to some days after the end of the current month. */
  const endMonth = (days = 0.1) => {
    const { to } = monthSpan(thisMonth(), timezone);
    service.clock.advance({ seconds: Math.ceil((to.getTime() - service.ctx.clock.now().getTime()) / 1000 + days * 86_400) });
  };

  test('go to affiliates with entries in the month, once it has ended, with sums that equal the statement', async () => {
    const month = thisMonth();
    await start();
    await runJobs();
    assert.deepEqual(await emailsOf(program), [], 'before the month has ended');
    endMonth();
    await start();
    await runJobs();
    const [email, ...others] = await emailsOf(program);
    assert.deepEqual([email?.affiliate_id, email?.status, others], [ada.id, 'sent', []]);
    const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`));
    assert.ok(email?.subject.endsWith(`: your statement for ${name}`), email?.subject);
    const { body } = await service.request('GET', `${program.path}/affiliates/${ada.id}/statement?month=${month}`, { key: program.key });
    assert.deepEqual([body.earnedCents, body.closingCents], [2490, 2490]);
    assert.match(email?.text_body ?? '', /Earned: \$24\.90\nBalance: \$24\.90/);
    assert.match(email?.text_body ?? '', new RegExp(`/portal/${program.programId}/payouts`));
    endMonth();
    await start();
    await runJobs();
    assert.equal((await emailsOf(program)).length, 1, 'none for a month without entries');
  });

  test('are sent once, by simultaneous processes, repeated runs and repeated jobs', async () => {
    endMonth();
    await Promise.all([start(), start(), start()]);
    await Promise.all([runJobs(), runJobs()]);
    await start();
    await runJobs();
    const [email, ...others] = await emailsOf(program);
    assert.ok(email && others.length === 0);
    const data = { programId: program.programId, month: thisMonth(), changeId: email.audit_id, affiliateIds: [ada.id] };
    const repeat = () => emailStatements.run(service.ctx, data, { isLast: false });
    await Promise.all([repeat(), repeat(), repeat()]);
    assert.equal((await emailsOf(program)).length, 1);
    const { rows } = await service.pool.query('select month from statement_runs where program_id = $1', [program.programId]);
    assert.equal(rows.length, 1);
  });

  test('the database rejects a second one of a run', async () => {
    endMonth();
    await start();
    await runJobs();
    const copy = `insert into emails (program_id, id, audit_id, affiliate_id, kind, to_address, subject, text_body, html_body, status, created_at)
      select program_id, gen_random_uuid(), audit_id, affiliate_id, kind, 'other@example.com', subject, '', '', status, created_at
      from emails where program_id = $1 and kind = 'statement'`;
    await assert.rejects(service.pool.query(copy, [program.programId]), /emails_statement_once/);
  });

  test('are sent late after a missed run, but not after two weeks', async () => {
    endMonth(13);
    await start();
    await runJobs();
    assert.equal((await emailsOf(program)).length, 1);
    await anOrder(service, { affiliateId: ada.id, amountCents: 10_000 }, program);
    endMonth(15);
    await start();
    await runJobs();
    assert.equal((await emailsOf(program)).length, 1);
  });

  test('are not sent to affiliates who opted out, nor by a program that switched them off', async () => {
    await transact(service.ctx, (tx) =>
      chooseEmails(tx, { programId: program.programId, address: ada.email, choices: { statement: false } }),
    );
    endMonth();
    await start();
    await runJobs();
    assert.deepEqual(
      (await emailsOf(program)).map(({ status }) => status),
      ['suppressed'],
    );
    await service.pool.query(`insert into email_switches (program_id, kind, is_on, updated_at) values ($1, 'statement', false, now())`, [
      program.programId,
    ]);
    await anOrder(service, { affiliateId: ada.id, amountCents: 10_000 }, program);
    endMonth();
    await start();
    await runJobs();
    assert.equal((await emailsOf(program)).length, 1);
  });
});
