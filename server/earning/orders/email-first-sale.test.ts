// An affiliate gets exactly one email about the first order that was credited to them.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { createProgram } from '../../accounts/programs/create.ts';
import { chooseEmails } from '../../messaging/emails/opt-out/recipient.ts';
import { transact } from '../../platform/db/transact.ts';
import { emailFirstSales } from './email-first-sale.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

type Row = { affiliate_id: string; status: string; subject: string; text_body: string };
const emailsOf = async ({ programId }: TestProgram): Promise<Row[]> =>
  (await service.pool.query(`select * from emails where program_id = $1 and kind = 'first_sale' order by created_at, id`, [programId]))
    .rows;
const runJobs = async (): Promise<void> => {
  while ((await service.drain()) > 0);
};

describe('the first order of an affiliate', () => {
  let program: TestProgram;
  let ada: { id: string; email: string };
  beforeEach(async () => {
    program = await service.newProgram(`Fern ${Math.random()}`);
    await aRule(service, { rate: 10 }, program);
    ada = await anAffiliate(service, { status: 'active', firstName: 'Ada' }, program);
  });
  const order = (values: object = {}) => anOrder(service, { affiliateId: ada.id, amountCents: 24_900, ...values }, program);

  test('sends one email with the commission and a link to the earnings; later orders send none', async () => {
    await order();
    await runJobs();
    await order();
    await runJobs();
    const [email, ...others] = await emailsOf(program);
    assert.deepEqual([email?.status, others], ['sent', []]);
    assert.match(email?.subject ?? '', /^Your first sale for Fern/);
    assert.match(email?.text_body ?? '', /Your commission: \$24\.90/);
    assert.match(email?.text_body ?? '', new RegExp(`/portal/${program.programId}/earnings`));
    const mail = service.mails.find(({ to, subject }) => to === ada.email && subject.startsWith('Your first sale'));
    assert.match(mail?.unsubscribeUrl ?? '', /\/unsubscribe\//);
    const { rows } = await service.pool.query(
      `select subject_id from audit_log where program_id = $1 and action = 'affiliate.first_sale'`,
      [program.programId],
    );
    assert.deepEqual(rows, [{ subject_id: ada.id }]);
  });

  test('sends one email when many are recorded at the same time, and when its job runs at the same time', async () => {
    const orders = await Promise.all(Array.from({ length: 8 }, () => order()));
    const data = { programId: program.programId, conversionIds: orders.map(({ id }: { id: string }) => id).slice(0, 1) };
    const run = () => emailFirstSales.run(service.ctx, data, { isLast: false });
    await Promise.all([runJobs(), run(), run(), run()]);
    assert.equal((await emailsOf(program)).length, 1);
  });

  test('the database rejects a second email about it', async () => {
    await order();
    await runJobs();
    const copy = `insert into emails (program_id, id, audit_id, affiliate_id, kind, to_address, subject, text_body, html_body, status, created_at)
      select program_id, gen_random_uuid(), audit_id, affiliate_id, kind, 'other@example.com', subject, '', '', status, created_at
      from emails where program_id = $1 and kind = 'first_sale'`;
    await assert.rejects(service.pool.query(copy, [program.programId]), /emails_first_sale_once/);
  });

  test('sends an email to each affiliate of orders that are recorded together', async () => {
    const bea = await anAffiliate(service, { status: 'active' }, program);
    await Promise.all([order(), anOrder(service, { affiliateId: bea.id, amountCents: 5000 }, program)]);
    await runJobs();
    assert.deepEqual((await emailsOf(program)).map(({ affiliate_id }) => affiliate_id).sort(), [ada.id, bea.id].sort());
  });

  test('that was moved to them sends one email, and the previous affiliate keeps theirs', async () => {
    const bea = await anAffiliate(service, { status: 'active' }, program);
    const { id } = await order();
    await runJobs();
    const body = { affiliateId: bea.id, note: 'Named at checkout' };
    const moved = await service.request('POST', `${program.path}/conversions/${id}/move`, { body, key: program.key });
    assert.equal(moved.status, 200, moved.text);
    await runJobs();
    assert.deepEqual(
      (await emailsOf(program)).map(({ affiliate_id }) => affiliate_id),
      [ada.id, bea.id],
    );
  });

  test('sends none when the order is older than a week, because a program imports its history', async () => {
    const eightDaysAgo = new Date(service.ctx.clock.now().getTime() - 8 * 86_400_000).toISOString();
    await order({ occurredAt: eightDaysAgo });
    await runJobs();
    assert.deepEqual(await emailsOf(program), []);
  });

  test('sends none when the order was cancelled before', async () => {
    const { id } = await order();
    const cancelled = await service.request('POST', `${program.path}/conversions/${id}/cancel`, {
      body: { note: 'Test' },
      key: program.key,
    });
    assert.equal(cancelled.status, 200, cancelled.text);
    await runJobs();
    assert.deepEqual(await emailsOf(program), []);
  });

  test('is not sent to an affiliate who opted out, nor by a program that switched it off', async () => {
    const bea = await anAffiliate(service, { status: 'active' }, program);
    await transact(service.ctx, (tx) =>
      chooseEmails(tx, { programId: program.programId, address: ada.email, choices: { first_sale: false } }),
    );
    await order();
    await runJobs();
    assert.deepEqual(
      (await emailsOf(program)).map(({ status }) => status),
      ['suppressed'],
    );
    await service.pool.query(`insert into email_switches (program_id, kind, is_on, updated_at) values ($1, 'first_sale', false, now())`, [
      program.programId,
    ]);
    await anOrder(service, { affiliateId: bea.id, amountCents: 5000 }, program);
    await runJobs();
    assert.equal((await emailsOf(program)).length, 1);
  });

  test('is in the currency of the program and the language of the recipient', async () => {
    const fields = { name: 'Yen', mode: 'live' as const, currency: 'JPY', timezone: 'UTC', websiteUrl: null };
    const { programId, apiKey } = await transact(service.ctx, (tx) => createProgram(tx, fields, { kind: 'command', id: 'test' }));
    program = { programId, key: apiKey, readKey: apiKey, path: `/v1/programs/${programId}` };
    await aRule(service, { rate: 10 }, program);
    const owner = await service.asMember('owner', { program });
    const brand = await owner.request('PATCH', `/app/programs/${programId}/brand`, { body: { emailLocale: 'de' } });
    assert.equal(brand.status, 200, brand.text);
    ada = await anAffiliate(service, { status: 'active' }, program);
    await order({ amountCents: 123_450 });
    await runJobs();
    const [email] = await emailsOf(program);
    assert.equal(email?.subject, 'Dein erster Verkauf für Yen');
    assert.match((email?.text_body ?? '').replace(/\s/g, ' '), /Deine Provision: 12\.345 ¥/);
  });
});
