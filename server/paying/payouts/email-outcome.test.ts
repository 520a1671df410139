// An affiliate gets exactly one email about each payout that is paid or fails, whatever the cause.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate, anOrder } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { aSender, closeSender, type Sender } from '../../../test/support/payees.ts';
import { createProgram } from '../../accounts/programs/create.ts';
import { chooseEmails } from '../../messaging/emails/opt-out/recipient.ts';
import { transact } from '../../platform/db/transact.ts';
import { applyResponses } from './apply-responses.ts';
import { emailPayoutOutcomes } from './email-outcome.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

type Row = { id: string; audit_id: string; subject: string; text_body: string; status: string };

const emailsOf = async ({ programId }: TestProgram): Promise<Row[]> => {
  const text = `select id, audit_id, subject, text_body, status from emails where program_id = $1 and kind = 'payout_paid' order by created_at, id`;
  return (await service.pool.query(text, [programId])).rows;
};
/** Runs the jobs, and those that they enqueue. */
const runJobs = async (): Promise<void> => {
  while ((await service.drain()) > 0);
};
const provider = () => ({ kind: 'provider' as const, id: service.ctx.ids.uuid() });

describe('a payout that is paid manually', () => {
  let program: TestProgram;
  let ada: { id: string; email: string };
  beforeEach(async () => {
    program = await service.newProgram(`Paid ${Math.random()}`);
    assert.equal((await send('PATCH', '', { minimumPayoutCents: 0 })).status, 200);
    ada = await anAffiliate(service, { status: 'active' }, program);
  });

  const send = (method: string, path: string, body?: object) =>
    service.request(method, path === '' ? program.path : `${program.path}/${path}`, { body, key: program.key });
  const earn = async (affiliateId: string, amountCents: number) => {
    const { status, text } = await send('POST', 'commissions', { affiliateId, amountCents, note: 'Bonus' });
    assert.equal(status, 201, text);
  };
  const dispatch = async () => {
    const { status, body, text } = await send('POST', 'payouts/dispatch', {});
    assert.equal(status, 201, text);
    return body.payouts as { id: string; batchId: string }[];
  };
  const aPayout = async (): Promise<{ id: string; batchId: string }> => {
    await earn(ada.id, 10_050);
    return (await dispatch())[0] ?? assert.fail('nothing was due');
  };
  const delivered = () => service.mails.filter(({ to, subject }) => to === ada.email && subject.includes('100.50'));

  test('sends its affiliate one email with the amount, and a repeated request sends none', async () => {
    const { id } = await aPayout();
    await runJobs();
    assert.deepEqual(await emailsOf(program), []);
    assert.equal((await send('POST', `payouts/${id}/mark-paid`, {})).status, 200);
    assert.equal((await send('POST', `payouts/${id}/mark-paid`, {})).status, 422);
    await runJobs();
    const [email, ...others] = await emailsOf(program);
    assert.deepEqual([email?.status, others], ['sent', []]);
    assert.equal(delivered().length, 1);
    assert.ok(email?.subject.endsWith(' paid you $100.50'), email?.subject);
    assert.match(email?.text_body ?? '', /Amount: \$100\.50/);
    assert.match(email?.text_body ?? '', new RegExp(`Open your payouts: .*/portal/${program.programId}/payouts\n`));
  });

  test('with its batch sends each affiliate one email', async () => {
    const bea = await anAffiliate(service, { status: 'active' }, program);
    await earn(bea.id, 2000);
    const { batchId } = await aPayout();
    assert.equal((await send('POST', `payouts/batches/${batchId}/mark-paid`, {})).body.paidCount, 2);
    await runJobs();
    const amounts = (await emailsOf(program)).map(({ subject }) => subject.replace(/.* paid you /, ''));
    assert.deepEqual(amounts.sort(), ['$100.50', '$20.00']);
    assert.equal(delivered().length, 1);
  });

  test('although it was cancelled sends one email, by simultaneous requests too', async () => {
    const { id } = await aPayout();
    assert.equal((await send('POST', `payouts/${id}/cancel`, {})).status, 200);
    const markPaid = () => send('POST', `payouts/${id}/mark-paid`, {});
    const responses = await Promise.all([markPaid(), markPaid(), markPaid()]);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422, 422]);
    await runJobs();
    assert.equal((await emailsOf(program)).length, 1);
  });

  test('sends none to an address that opted out, or when it is cancelled or returned', async () => {
    const returned = await aPayout();
    const outcome = { outcome: 'returned' as const, reference: 'run 1', reason: 'unknown account' };
    await applyResponses(service.ctx, program.programId, [{ payoutId: returned.id, response: outcome }], provider());
    await runJobs();
    assert.deepEqual(await emailsOf(program), []);
    const [cancelled] = await dispatch();
    assert.equal((await send('POST', `payouts/${cancelled?.id}/cancel`, {})).status, 200);
    await transact(service.ctx, (tx) =>
      chooseEmails(tx, { programId: program.programId, address: ada.email, choices: { payout_paid: false } }),
    );
    const [paid] = await dispatch();
    assert.equal((await send('POST', `payouts/${paid?.id}/mark-paid`, {})).status, 200);
    await runJobs();
    assert.deepEqual(
      (await emailsOf(program)).map(({ status }) => status),
      ['suppressed'],
    );
    assert.deepEqual(delivered(), []);
  });

  const failuresOf = async ({ programId }: TestProgram): Promise<Row[]> =>
    (await service.pool.query(`select * from emails where program_id = $1 and kind = 'payout_failed' order by created_at`, [programId]))
      .rows;
  const fail = (payoutId: string, code: string) => {
    const response = { outcome: 'failed' as const, code, reason: 'rejected' };
    return applyResponses(service.ctx, program.programId, [{ payoutId, response }], provider());
  };

  test('sends its affiliate one email if it fails, which opens the payout details', async () => {
    const { id } = await aPayout();
    await Promise.all([fail(id, 'recipient_rejected'), fail(id, 'recipient_rejected')]);
    await runJobs();
    await fail(id, 'recipient_rejected');
    await runJobs();
    const [email, ...others] = await failuresOf(program);
    assert.deepEqual([email?.status, others], ['sent', []]);
    assert.match(email?.subject ?? '', /^Your payout from Paid [\d.]+ failed: update your details$/);
    assert.match(email?.text_body ?? '', /Amount: \$100\.50/);
    assert.match(email?.text_body ?? '', new RegExp(`Update your payout details: .*/portal/${program.programId}/payout-details\n`));
    assert.deepEqual(await emailsOf(program), []);
  });

  test('sends one email if it is returned, and none about having been paid', async () => {
    const { id } = await aPayout();
    const returned = { outcome: 'returned' as const, reference: 'run 1', reason: 'unknown account' };
    await applyResponses(service.ctx, program.programId, [{ payoutId: id, response: returned }], provider());
    await runJobs();
    assert.deepEqual([(await failuresOf(program)).length, await emailsOf(program)], [1, []]);
  });

  test('sends none about a failure if the payer lacks money, the recipient opted out or the program switched it off', async () => {
    const { id } = await aPayout();
    await fail(id, 'insufficient_funds');
    await runJobs();
    assert.deepEqual(await failuresOf(program), []);
    const again = (await dispatch())[0]?.id ?? '';
    await transact(service.ctx, (tx) =>
      chooseEmails(tx, { programId: program.programId, address: ada.email, choices: { payout_failed: false } }),
    );
    await fail(again, 'recipient_rejected');
    await runJobs();
    const statuses = async () => (await failuresOf(program)).map(({ status }) => status);
    assert.deepEqual(await statuses(), ['suppressed']);
    await service.pool.query(
      `insert into email_switches (program_id, kind, is_on, updated_at) values ($1, 'payout_failed', false, now())`,
      [program.programId],
    );
    await fail((await dispatch())[0]?.id ?? '', 'recipient_rejected');
    await runJobs();
    assert.deepEqual(await statuses(), ['suppressed']);
  });

  test('sends one email when its job runs twice, even at the same time', async () => {
    const { id } = await aPayout();
    assert.equal((await send('POST', `payouts/${id}/mark-paid`, {})).status, 200);
    const { rows } = await service.pool.query(`select id from audit_log where subject_id = $1 and action = 'payout.marked_paid'`, [id]);
    const data = { programId: program.programId, payouts: [{ payoutId: id, changeId: rows[0].id, status: 'paid' as const }] };
    const run = () => emailPayoutOutcomes.run(service.ctx, data, { isLast: false });
    await Promise.all([run(), run(), run()]);
    await runJobs();
    assert.equal((await emailsOf(program)).length, 1);
  });

  test('has the amount in the currency of the program and the language of the recipient', async () => {
    for (const [currency, language, expected] of [
      ['JPY', 'de', 'hat dir 12.345 ¥ ausgezahlt'],
      ['KWD', 'en', 'paid you KWD 12.345'],
    ] as const) {
      const fields = { name: currency, mode: 'live' as const, currency, timezone: 'UTC', websiteUrl: null };
      const actor = { kind: 'command' as const, id: 'test' };
      const { programId, apiKey } = await transact(service.ctx, (tx) => createProgram(tx, fields, actor));
      program = { programId, key: apiKey, readKey: apiKey, path: `/v1/programs/${programId}` };
      assert.equal((await send('PATCH', '', { minimumPayoutCents: 0 })).status, 200);
      const owner = await service.asMember('owner', { program });
      const brand = await owner.request('PATCH', `/app/programs/${program.programId}/brand`, { body: { emailLocale: language } });
      assert.equal(brand.status, 200, brand.text);
      const { id: affiliateId } = await anAffiliate(service, { status: 'active' }, program);
      await earn(affiliateId, 12_345);
      const [payout] = await dispatch();
      assert.equal((await send('POST', `payouts/${payout?.id}/mark-paid`, {})).status, 200);
      await runJobs();
      const [email] = await emailsOf(program);
      assert.ok(email?.subject.replace(/\s/g, ' ').endsWith(expected), email?.subject);
    }
  });
});

describe('a payout that a provider pays', () => {
  let sender: Sender;
  beforeEach(async () => {
    sender = await aSender(service);
  });
  afterEach(() => closeSender(service, sender));

  const aPayout = async (): Promise<string> => {
    await anOrder(service, { affiliateId: sender.ada.id, amountCents: 100_000 }, sender.program);
    service.clock.advance({ days: 31 });
    const { status, body, text } = await sender.send('POST', 'payouts/dispatch', {});
    assert.equal(status, 201, text);
    return body.payouts[0].id;
  };
  const statusOf = async (id: string) => (await sender.send('GET', `payouts/${id}`)).body.status;
  const expectOne = async (id: string) => {
    await runJobs();
    assert.equal(await statusOf(id), 'paid');
    assert.equal((await emailsOf(sender.program)).length, 1);
  };

  test('by its response sends one email, and a later comparison none', async () => {
    const id = await aPayout();
    await expectOne(id);
    assert.equal((await sender.send('POST', 'payouts/reconcile', {})).status, 200);
    await expectOne(id);
  });

  test('by its events sends one email, however often they are repeated', async () => {
    sender.rail.setMode('take');
    const id = await aPayout();
    await runJobs();
    assert.deepEqual([await statusOf(id), await emailsOf(sender.program)], ['sent', []]);
    sender.rail.settle();
    for (const { headers, body } of [...(await sender.rail.events()), ...(await sender.rail.events())]) {
      const path = `/v1/providers/${sender.providerId}/events`;
      assert.equal((await service.request('POST', path, { key: null, headers, body })).status, 200);
    }
    await expectOne(id);
    const paid = { outcome: 'paid' as const, reference: 'ext_0' };
    await applyResponses(service.ctx, sender.program.programId, [{ payoutId: id, response: paid }], provider());
    await expectOne(id);
  });

  test('as found by a comparison sends one email', async () => {
    sender.rail.setMode('take');
    const id = await aPayout();
    await runJobs();
    sender.rail.settle();
    assert.deepEqual([await statusOf(id), await emailsOf(sender.program)], ['sent', []]);
    assert.equal((await sender.send('POST', 'payouts/reconcile', {})).status, 200);
    await expectOne(id);
    assert.equal((await sender.send('POST', 'payouts/reconcile', {})).status, 200);
    await expectOne(id);
  });
});
