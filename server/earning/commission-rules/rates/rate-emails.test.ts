// Publishing a rule can email the affiliates whose commission changes: only if requested, each once, in their language.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { writeNext } from './email-rate-changes.ts';

describe('the emails about a new version of a rule', () => {
  let service: TestService;
  let dana: TestMember;
  let ruleId: string;
  let ids: string[];

  before(async () => {
    service = await openTestService();
    dana = await service.asMember('admin');
    ruleId = await aRule(service, { rate: 10 });
    const invite = (given: object) => anAffiliate(service, { status: 'active', ...given });
    const all = [
      await invite({ firstName: 'Ada', email: 'ada@example.com' }),
      await invite({ firstName: 'Bea', email: 'bea@example.com' }),
      await invite({ firstName: 'Cleo', email: 'cleo@example.com' }),
      await invite({ firstName: 'Dov', email: 'dov@example.com', status: 'suspended' }),
    ];
    ids = all.map(({ id }) => id);
    const override = { commissionOverrideType: 'percentage', commissionOverrideRate: 20 };
    await service.request('PATCH', `${service.program.path}/affiliates/${ids[2]}`, { body: override });
    await service.asAffiliate({ id: ids[1] ?? '', email: 'bea@example.com' });
    await service.pool.query(`update users set locale = 'de' where email_key = 'bea@example.com'`);
  });
  after(() => service.close());

  const update = (body: object) => service.request('PATCH', `${service.program.path}/commission-rules/${ruleId}`, { body });
  const emails = async () =>
    (await service.pool.query(`select to_address, subject, text_body from emails where kind = 'rate_changed' order by to_address`)).rows;

  test('are previewed with their number before anything is saved', async () => {
    const { body: rule } = await service.request('GET', `${service.program.path}/commission-rules/${ruleId}`);
    const path = `/app/programs/${service.program.programId}/commission-rules/email-preview`;
    const draft = { replace: [{ ruleId, name: rule.name, type: 'percentage', rate: 12.5 }] };
    const { body, text } = await dana.request('POST', path, { body: draft });
    assert.equal(body.affiliateCount, 2, text);
    assert.deepEqual([body.email.to, body.email.subject], ['ada@example.com', 'Your commission at Fern & Field changes']);
    assert.match(body.email.text, /Commission: 10% → 12\.5%/);
    const renamed = { replace: [{ ruleId, name: 'Standard', type: 'percentage', rate: 10 }] };
    assert.deepEqual((await dana.request('POST', path, { body: renamed })).body, { affiliateCount: 0, email: null });
    assert.deepEqual(await emails(), []);
  });

  test('are written only if requested, once to each active affiliate whose commission changes', async () => {
    assert.equal((await update({ rate: 11 })).status, 200);
    await service.drain();
    assert.deepEqual(await emails(), []);
    const effectiveFrom = '2027-01-01T00:00:00.000Z';
    const updated = await update({ rate: 12.5, effectiveFrom, notifyAffiliates: true });
    assert.equal(updated.status, 200, updated.text);
    await service.drain();
    const written = await emails();
    assert.deepEqual(
      written.map(({ to_address, subject }) => [to_address, subject]),
      [
        ['ada@example.com', 'Your commission at Fern & Field changes'],
        ['bea@example.com', 'Deine Provision bei Fern & Field ändert sich'],
      ],
    );
    assert.match(written[0].text_body, /From 1 January 2027:[\s\S]*Commission: 11% → 12\.5%/);
    assert.match(written[1].text_body, /Ab 1\. Januar 2027 gilt:[\s\S]*Provision: 11\s% → 12,5\s%/);
    const { body: rule } = await service.request('GET', `${service.program.path}/commission-rules/${ruleId}`);
    assert.equal('notifyAffiliates' in rule, false);
  });

  test('are not written again by a job that was killed and repeated, at any step', async () => {
    const { rows } = await service.pool.query(
      `select distinct audit_id, (select max(version) from commission_rules) as version from emails where kind = 'rate_changed'`,
    );
    const published = {
      programId: service.program.programId,
      ruleId,
      version: rows[0].version,
      changeId: rows[0].audit_id,
      publishedAt: service.clock.now().toISOString(),
      after: null,
    };
    await service.pool.query(`delete from emails where kind = 'rate_changed' and to_address = 'bea@example.com'`);
    await transact(service.ctx, (tx) => writeNext(tx, published, 1));
    assert.equal((await emails()).length, 1);
    const repeats = [1, 2].map(() => transact(service.ctx, (tx) => writeNext(tx, published)).catch(() => null));
    await Promise.all(repeats);
    assert.deepEqual(
      (await emails()).map(({ to_address }) => to_address),
      ['ada@example.com', 'bea@example.com'],
    );
  });

  test('about rules for uplines and leads name what is earned, and go to those whom they concern', async () => {
    await service.pool.query(`delete from emails where kind = 'rate_changed'`);
    await service.pool.query(`update affiliates set parent_affiliate_id = $1 where id = $2`, [ids[1], ids[0]]);
    const publish = async (body: object) => {
      const { status, text } = await service.request('POST', `${service.program.path}/commission-rules`, { body });
      assert.equal(status, 201, text);
      await service.drain();
    };
    await publish({ name: 'Uplines', level: 2, type: 'percentage', rate: 2, basis: 'commission', notifyAffiliates: true });
    const [upline, ...others] = await emails();
    assert.deepEqual([upline.to_address, others], ['bea@example.com', []]);
    assert.match(upline.text_body, /Provision der Affiliates, die du geworben hast: keine → 2\s% ihrer Provision/);
    const { rows: before } = await service.pool.query(`select count(*)::int as count from emails`);
    await publish({ name: 'Sign-ups', event: 'lead', type: 'flat', amountCents: 500, notifyAffiliates: true });
    const { rows: after } = await service.pool.query(`select count(*)::int as count from emails`);
    assert.equal(after[0].count - before[0].count, 3);
    assert.match((await emails())[0].text_body, /Commission for leads: none → \$5\.00 per lead/);
  });
});
