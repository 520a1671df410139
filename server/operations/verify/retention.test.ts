// What is older than its retention is erased, what is younger stays, and every total remains exact.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aClick, anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { deleteOldSessions, sessionRetentionDays } from '../../accounts/identity/sessions/delete-old.ts';
import { deleteExpiredVerifications } from '../../accounts/identity/sign-in/delete-expired.ts';
import { eraseEmailBodies } from '../../messaging/emails/erase-bodies.ts';
import { deleteExpiredIdempotencyKeys } from '../../platform/http/idempotency/delete-expired.ts';
import { deleteVisitorKeys } from '../../promotion/tracking/delete-visitor-keys.ts';
import { eraseVisitors } from '../../promotion/tracking/erase-visitors.ts';
import { checkInvariants } from './invariants.ts';

describe('after its retention', () => {
  let service: TestService;
  let affiliateId: string;
  before(async () => {
    service = await openTestService();
    await aRule(service);
    affiliateId = (await anAffiliate(service, { status: 'active' })).id;
  });
  after(async () => {
    const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
    assert.deepEqual(broken, []);
    await service.close();
  });

  const run = (job: { run(ctx: TestService['ctx'], data: Record<string, never>, attempt: { isLast: boolean }): Promise<void> }) =>
    job.run(service.ctx, {}, { isLast: true });
  const rows = async (query: string, values: unknown[] = []) => (await service.pool.query(query, values)).rows;

  test('a click names no visitor, and is still counted; an order of it was credited', async () => {
    const old = await aClick(service, affiliateId);
    const columns = `visitor_id = 'visitor', ip_hash = '\\x01', agent = 'Firefox', referrer_host = 'blog.example', country = 'DE'`;
    await rows(`update clicks set ${columns} where id = $1`, [old]);
    await anOrder(service, { clickId: old, amountCents: 1000 });
    service.clock.advance({ days: 89 });
    const young = await aClick(service, affiliateId);
    await rows(`update clicks set ${columns} where id = $1`, [young]);
    const facts = (id: string) => rows('select visitor_id, ip_hash, agent, referrer_host, country from clicks where id = $1', [id]);
    await run(eraseVisitors);
    assert.equal((await facts(old))[0]?.agent, 'Firefox', 'a day before');
    service.clock.advance({ days: 2 });
    await run(eraseVisitors);
    assert.deepEqual(await facts(old), [{ visitor_id: null, ip_hash: null, agent: null, referrer_host: null, country: 'DE' }]);
    assert.equal((await facts(young))[0]?.agent, 'Firefox');
    const { body } = await service.request('GET', `${service.program.path}/affiliates/${affiliateId}`);
    assert.equal(body.clicks, 2);
  });

  test('a visitor is kept as long as the program credits clicks, without the rest', async () => {
    const program = await service.newProgram('Patient');
    const { id } = await anAffiliate(service, { status: 'active' }, program);
    await rows('update programs set attribution_window_days = 365 where id = $1', [program.programId]);
    const click = await aClick(service, id, program);
    await rows(`update clicks set visitor_id = 'visitor', agent = 'Firefox' where id = $1`, [click]);
    const facts = async () => (await rows('select visitor_id, agent from clicks where id = $1', [click]))[0];
    service.clock.advance({ days: 100 });
    await run(eraseVisitors);
    assert.deepEqual(await facts(), { visitor_id: 'visitor', agent: null });
    service.clock.advance({ days: 300 });
    await run(eraseVisitors);
    assert.deepEqual(await facts(), { visitor_id: null, agent: null });
  });

  test('an email has no text, but its delivery is still known; one that waits keeps its text', async () => {
    for (const email of ['sent@example.com', 'waiting@example.com']) await anAffiliate(service, { email, sendInvite: true });
    await service.drain();
    await rows(`update emails set status = 'queued' where to_address = 'waiting@example.com'`);
    service.clock.advance({ days: 89 });
    await anAffiliate(service, { email: 'young@example.com', sendInvite: true });
    await service.drain();
    service.clock.advance({ days: 2 });
    await run(eraseEmailBodies);
    const found = await rows(
      `select to_address, status, text_body <> '' and html_body <> '' as has_text from emails where to_address like any(array['sent@%', 'waiting@%', 'young@%'])
       order by to_address`,
    );
    assert.deepEqual(
      found.map((row) => [row.to_address, row.status, row.has_text]),
      [
        ['sent@example.com', 'sent', false],
        ['waiting@example.com', 'queued', true],
        ['young@example.com', 'sent', true],
      ],
    );
    const owner = await service.asMember('owner');
    const [{ id }] = await rows(`update emails set status = 'failed' where to_address = 'sent@example.com' returning id`);
    const again = await owner.request('POST', `/app/programs/${service.program.programId}/emails/${id}/resend`);
    assert.deepEqual([again.status, again.body.code], [400, 'not_resendable']);
  });

  test('a session, a sign-in link and an idempotency key are deleted', async () => {
    const counts = async () =>
      (
        await rows(`select (select count(*)::int from sessions) as sessions, (select count(*)::int from email_verifications) as links,
          (select count(*)::int from idempotency_keys) as keys`)
      )[0];
    await rows('delete from sessions');
    await rows('delete from email_verifications');
    const leave = async (key: string) => {
      await service.asMember('viewer');
      const headers = { 'idempotency-key': key };
      const body = { email: `holder-${key}@example.com`, firstName: 'Key', lastName: 'Holder' };
      const invited = await service.request('POST', `${service.program.path}/affiliates`, { body, headers });
      assert.equal(invited.status, 201, invited.text);
      await rows(
        `insert into email_verifications (id, purpose, email, email_key, token_hash, expires_at, created_at)
         values (gen_random_uuid(), 'sign_in', 'a@example.com', 'a@example.com', sha256(convert_to($1, 'UTF8')), $2, $2)`,
        [key, service.clock.now()],
      );
    };
    await leave('old');
    service.clock.advance({ days: sessionRetentionDays + 2 });
    await leave('young');
    assert.deepEqual(await counts(), { sessions: 2, links: 2, keys: 2 });
    for (const job of [deleteOldSessions, deleteExpiredVerifications, deleteExpiredIdempotencyKeys]) await run(job);
    assert.deepEqual(await counts(), { sessions: 1, links: 1, keys: 1 });
  });

  test('the windows of the click limits and the keys of hashes are deleted', async () => {
    await rows('delete from click_windows');
    await rows('delete from tracking_salts');
    await rows(`insert into tracking_salts (day, salt) values ($1::date, '\\x03')`, [service.clock.now()]);
    const window = `insert into click_windows (program_id, ip_hash, window_seconds, window_start, clicks) values ($1, '\\x02', 60, $2, 1)`;
    await rows(window, [service.program.programId, service.clock.now()]);
    const counts = async () =>
      (await rows('select (select count(*)::int from click_windows) as windows, (select count(*)::int from tracking_salts) as salts'))[0];
    await run(deleteVisitorKeys);
    const young = await counts();
    assert.ok(young.windows > 0 && young.salts > 0);
    service.clock.advance({ days: 3 });
    await run(deleteVisitorKeys);
    assert.deepEqual(await counts(), { windows: 0, salts: 0 });
  });
});
