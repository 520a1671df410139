import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { aGroup, anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';

let service: TestService;
let member: TestMember;
let base: string;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

let ids: string[] = [];
beforeEach(async () => {
  const program = await service.newProgram(`Program ${service.ctx.ids.uuid()}`);
  service.program = program;
  member = await service.asMember('reviewer', { program, name: 'Dana Calder' });
  base = `/app/programs/${program.programId}`;
  ids = [];
  for (const name of ['Ada', 'Bea', 'Cleo']) ids.push((await anAffiliate(service, { firstName: name }, program)).id);
});

const send = (method: string, path: string, body?: unknown) => member.request(method, `${base}${path}`, body === undefined ? {} : { body });

async function statusOf(id: string | undefined): Promise<string> {
  const { rows } = await service.pool.query(
    'select status, (select status from affiliate_figures where affiliate_id = id) as figure from affiliates where id = $1',
    [id],
  );
  assert.equal(rows[0].status, rows[0].figure);
  return rows[0].status;
}

const emails = async () =>
  (
    await service.pool.query('select kind, status, not_before, text_body from emails where program_id = $1 order by created_at', [
      service.program.programId,
    ])
  ).rows;

/** Nothing but this program's approvals may be broken: other invariants hold after every change. */
async function assertConsistent(): Promise<void> {
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
}

describe('a decision about an affiliate', () => {
  test('applies immediately, and its email can be cancelled for a minute', async () => {
    const { status, body } = await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'approve' });
    assert.equal(status, 200);
    assert.equal(Date.parse(body.undoUntil) - service.clock.now().getTime(), 60_000);
    assert.equal(await statusOf(ids[0]), 'active');
    assert.deepEqual(
      (await emails()).map(({ kind, status: state }) => [kind, state]),
      [['approval', 'queued']],
    );
    const undone = await send('POST', `/affiliate-change-sets/${body.changeSetId}/undo`);
    assert.deepEqual([undone.status, undone.body], [200, { restored: 1, skipped: 0 }]);
    assert.equal(await statusOf(ids[0]), 'pending');
    assert.deepEqual(
      (await emails()).map(({ status: state }) => state),
      ['cancelled'],
    );
    assert.equal((await send('POST', `/affiliate-change-sets/${body.changeSetId}/undo`)).body.code, 'already_undone');
    await assertConsistent();
  });

  test('can no longer be undone after a minute', async () => {
    const { body } = await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'suspend' });
    service.clock.advance({ seconds: 60 });
    const late = await send('POST', `/affiliate-change-sets/${body.changeSetId}/undo`);
    assert.deepEqual([late.status, late.body.code, await statusOf(ids[0])], [400, 'undo_expired', 'suspended']);
  });

  test('is not undone where the affiliate was changed again', async () => {
    const { body } = await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'suspend' });
    await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'archive' });
    const undone = await send('POST', `/affiliate-change-sets/${body.changeSetId}/undo`);
    assert.deepEqual([undone.body, await statusOf(ids[0])], [{ restored: 0, skipped: 1 }, 'archived']);
  });

  test('informs a rejected affiliate with the reason, unless that is turned off', async () => {
    await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'reject', note: 'The website is about cars.' });
    await send('POST', `/affiliates/${ids[1]}/decide`, { decision: 'reject', sendEmail: false });
    const [mail, ...others] = await emails();
    assert.deepEqual([mail.kind, others.length], ['decision', 0]);
    assert.match(mail.text_body, /The website is about cars\./);
    const { rows } = await service.pool.query('select status_note from affiliates where id = $1', [ids[0]]);
    assert.equal(rows[0].status_note, 'The website is about cars.');
  });

  test('that changes nothing is rejected', async () => {
    await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'archive' });
    const again = await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'archive' });
    assert.deepEqual([again.status, again.body.code], [400, 'nothing_to_change']);
  });
});

describe('a change to many affiliates', () => {
  test('is previewed with its effect, without changing anything', async () => {
    await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'approve' });
    const { status, body } = await send('POST', '/affiliates/bulk', { filter: {}, change: { kind: 'approve' }, dryRun: true });
    assert.equal(status, 200);
    assert.deepEqual([body.matched, body.changed, body.emails, body.preview.length], [3, 2, 2, 2]);
    assert.deepEqual([body.preview[0].before, body.preview[0].after], [{ status: 'pending' }, { status: 'active' }]);
    assert.equal(await statusOf(ids[1]), 'pending');
  });

  test('requires the number of affiliates that the user saw', async () => {
    const stale = await send('POST', '/affiliates/bulk', { filter: {}, change: { kind: 'archive' }, expectedCount: 2 });
    assert.deepEqual([stale.status, stale.body.code, stale.body.count], [400, 'count_changed', 3]);
    const missing = await send('POST', '/affiliates/bulk', { filter: {}, change: { kind: 'archive' } });
    assert.deepEqual([missing.status, missing.body.details[0].path], [400, ['expectedCount']]);
    assert.equal(await statusOf(ids[0]), 'pending');
  });

  test('is undone as a whole', async () => {
    const group = await aGroup(service, 'Gold', service.program);
    for (const change of [
      { kind: 'approve' },
      { kind: 'group', groupId: group },
      { kind: 'tags', add: ['a', 'b'] },
      { kind: 'override', commissionOverrideType: 'flat', commissionOverrideRate: 500 },
    ]) {
      const { rows: original } = await service.pool.query(
        'select id, status, group_id, tags, commission_override_rate from affiliates where program_id = $1 order by id',
        [service.program.programId],
      );
      const { status, body, text } = await send('POST', '/affiliates/bulk', { ids, change, expectedCount: 3 });
      assert.deepEqual([status, body.changed], [200, 3], text);
      const undone = await send('POST', `/affiliate-change-sets/${body.changeSetId}/undo`);
      assert.deepEqual(undone.body, { restored: 3, skipped: 0 }, change.kind);
      const { rows: restored } = await service.pool.query(
        'select id, status, group_id, tags, commission_override_rate from affiliates where program_id = $1 order by id',
        [service.program.programId],
      );
      assert.deepEqual(restored, original, change.kind);
    }
    await assertConsistent();
  });

  test('of more than 200 affiliates is a background task', async () => {
    await service.pool.query(
      `with added as (
         insert into affiliates (program_id, id, first_name, last_name, email, email_key, referral_code, status, search, created_at, updated_at,
           recorded_values)
         select $1::uuid, gen_random_uuid(), 'Many', 'N' || n, n || '@many.test', n || '@many.test', 'MANY' || n || substr($3, 30), 'pending', 'many', $2, $2,
           '{"commission_override_type": null, "commission_override_rate": null}'
         from generate_series(1, 220) as n returning program_id, id, status, referral_code, email_key
       ), figures as (insert into affiliate_figures (program_id, affiliate_id, status) select program_id, id, status from added)
       , links as (insert into short_links (program_id, slug, affiliate_id, kind) select program_id, lower(referral_code), id, 'code' from added)
       , persons as (insert into person_programs (kind, person, program_id) select 'affiliate', email_key, program_id from added)
       insert into referral_codes (code, program_id, affiliate_id) select referral_code, program_id, id from added`,
      [service.program.programId, service.clock.now(), service.program.programId],
    );
    await service.pool.query(`update affiliate_counts set affiliates = affiliates + 220 where program_id = $1 and status = 'pending'`, [
      service.program.programId,
    ]);
    const { body } = await send('POST', '/affiliates/bulk', {
      filter: { status: 'pending' },
      change: { kind: 'archive' },
      expectedCount: 223,
    });
    assert.deepEqual([body.changed, body.changeSetId], [223, null]);
    await service.drain();
    const task = (await send('GET', `/background-tasks/${body.backgroundTaskId}`)).body;
    assert.deepEqual([task.status, task.done, task.total], ['succeeded', 223, 223]);
    assert.equal(await statusOf(ids[0]), 'archived');
    assert.equal((await send('POST', `/background-tasks/${body.backgroundTaskId}/cancel`)).status, 422);
    await assertConsistent();
  });
});

describe('an invitation', () => {
  test('is sent again to a pending affiliate, at most once a minute', async () => {
    const first = await send('POST', `/affiliates/${ids[0]}/invitation`, { message: 'We met in Berlin.' });
    assert.equal(first.status, 200);
    assert.equal((await send('POST', `/affiliates/${ids[0]}/invitation`)).body.code, 'invited_recently');
    service.clock.advance({ seconds: 61 });
    assert.equal((await send('POST', `/affiliates/${ids[0]}/invitation`)).status, 200);
    const [mail, second] = await emails();
    assert.match(mail.text_body, /We met in Berlin\./);
    assert.equal(second.kind, 'invitation');
    await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'approve' });
    assert.equal((await send('POST', `/affiliates/${ids[0]}/invitation`)).body.code, 'not_pending');
  });
});

describe('notes and activity', () => {
  test('a note is listed with its author, changed and deleted', async () => {
    const created = await send('POST', `/affiliates/${ids[0]}/notes`, { note: 'Prefers bank transfers.' });
    assert.deepEqual([created.status, created.body.isOwn], [201, true]);
    const changed = await send('PATCH', `/affiliate-notes/${created.body.id}`, { note: 'Prefers PayPal.' });
    assert.equal(changed.body.note, 'Prefers PayPal.');
    assert.equal((await send('GET', `/affiliates/${ids[0]}/notes`)).body.notes[0].note, 'Prefers PayPal.');
    await service.pool.query(`update affiliate_notes set author_id = 'other'`);
    assert.equal((await send('DELETE', `/affiliate-notes/${created.body.id}`)).body.code, 'not_the_author');
  });

  test('the activity names groups and the reason', async () => {
    const group = await aGroup(service, 'Gold', service.program);
    await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'suspend', note: 'Spam', groupId: group });
    const { body } = await send('GET', `/affiliates/${ids[0]}/activity`);
    const [latest] = body.activity;
    assert.deepEqual([latest.action, latest.note, latest.actor.name], ['affiliate.updated', 'Spam', 'Dana Calder']);
    assert.deepEqual(latest.changes, [
      { field: 'status', before: 'pending', after: 'suspended' },
      { field: 'groupId', before: null, after: { id: group, name: 'Gold' } },
    ]);
  });

  test('the summary adds up to the money of the commissions', async () => {
    await send('POST', `/affiliates/${ids[0]}/decide`, { decision: 'approve' });
    await service.request('POST', `${service.program.path}/commission-rules`, {
      key: service.program.key,
      body: { name: 'Standard', type: 'percentage', rate: 10 },
    });
    const order = { orderId: 'o-1', affiliateId: ids[0], amountCents: 10_000, currency: 'USD' };
    assert.equal((await service.request('POST', '/v1/conversions', { key: service.program.key, body: order })).status, 201);
    const { body } = await send('GET', `/affiliates/${ids[0]}/summary`);
    assert.deepEqual([body.money.pendingCents, body.salesCents, body.nextMaturity.amountCents], [1_000, 10_000, 1_000]);
    const rates = await service.request('GET', `${service.program.path}/affiliates/${ids[0]}/rates`, { key: service.program.key });
    assert.deepEqual(
      [rates.body.anythingElse.sentence, rates.body.anythingElse.exampleCents],
      ['10% by “Standard” (default rule): $10.00 of an order of $100.00.', 1_000],
    );
  });
});
