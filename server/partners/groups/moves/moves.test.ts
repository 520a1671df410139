// Automatic moves between groups: once a day, to the highest group whose volume was reached.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { aGroup, anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { moveGroupsByVolume, moveNext, moveProgram } from './move-by-volume.ts';

const service: TestService = await openTestService();
after(() => service.close());

let program: TestProgram;
let groups: { silver: string; gold: string; press: string };
let ids: Record<string, string>;

const send = (method: string, path: string, body?: object) =>
  service.request(method, `${program.path}${path}`, body ? { key: program.key, body } : { key: program.key });
const groupOf = async (name: string) => (await send('GET', `/affiliates/${ids[name]}`)).body.groupId;
const run = () => moveGroupsByVolume.run(service.ctx, {}, { isLast: false });
const orders = async (name: string, amounts: readonly number[]) => {
  for (const amountCents of amounts) await anOrder(service, { affiliateId: ids[name], amountCents }, program);
};
const audited = async () =>
  (
    await service.pool.query(
      `select subject_id, before, after from audit_log
       where program_id = $1 and actor_kind = 'schedule' and actor_id = 'groups.moveByVolume' order by created_at, id`,
      [program.programId],
    )
  ).rows;

beforeEach(async () => {
  program = await service.newProgram('Moves');
  await aRule(service, { rate: 10 }, program);
  groups = {
    silver: await aGroup(service, 'Silver', program),
    gold: await aGroup(service, 'Gold', program),
    press: await aGroup(service, 'Press', program),
  };
  ids = {};
  for (const name of ['none', 'few', 'many', 'press', 'suspended'])
    ids[name] = (await anAffiliate(service, { status: 'active', firstName: name, lastName: 'Example' }, program)).id;
  await send('PATCH', `/affiliates/${ids.press}`, { groupId: groups.press });
  await orders('few', [1000, 1000]);
  await orders('many', [1000, 1000, 1000]);
  await orders('press', [1000, 1000, 1000]);
  await orders('suspended', [1000, 1000, 1000]);
  await send('PATCH', `/affiliates/${ids.suspended}`, { status: 'suspended' });
  service.clock.advance({ days: 1 });
});

const settings = () => ({
  isEnabled: true,
  metric: 'conversions',
  days: 30,
  canMoveDown: false,
  keepDays: 0,
  steps: [
    { groupId: groups.gold, from: 3 },
    { groupId: groups.silver, from: 1 },
  ],
});

describe('moving affiliates by volume', () => {
  test('moves whom the preview showed to the highest group they reached, with an audit row and an event each', async () => {
    const previewed = await send('POST', '/group-moves/preview', settings());
    assert.equal(previewed.status, 200, previewed.text);
    const shown = previewed.body.moves.map((move: Record<string, unknown>) => [
      move.affiliateId,
      move.fromGroupId,
      move.toGroupId,
      move.volume,
    ]);
    const expected = [
      [ids.many, null, groups.gold, 3],
      [ids.few, null, groups.silver, 2],
    ];
    assert.deepEqual([previewed.body.total, previewed.body.keptCount, shown], [2, 0, expected]);
    assert.equal(await groupOf('many'), null, 'a preview moves no affiliate');
    const saved = await send('PATCH', '/group-moves', settings());
    assert.deepEqual([saved.status, saved.body.steps[0].groupId, saved.body.lastRunAt], [200, groups.silver, null]);
    await run();
    const after = [await groupOf('none'), await groupOf('few'), await groupOf('many'), await groupOf('press'), await groupOf('suspended')];
    assert.deepEqual(after, [null, groups.silver, groups.gold, groups.press, null]);
    const rows = await audited();
    assert.deepEqual(
      rows.map(({ subject_id: id, before, after: to }) => [id, before, to]).sort(),
      [
        [ids.few, { groupId: null }, { groupId: groups.silver }],
        [ids.many, { groupId: null }, { groupId: groups.gold }],
      ].sort(),
    );
    const { body: log } = await send('GET', `/events?type=affiliate.updated&objectId=${ids.many}&limit=1`);
    assert.deepEqual([log.events[0].data.groupId, log.events[0].previous], [groups.gold, { groupId: null }]);
    assert.equal((await send('POST', '/group-moves/preview', {})).body.total, 0);
    assert.equal((await send('GET', '/group-moves')).body.lastRunAt, service.clock.now().toISOString());
    const { rows: past } = await service.pool.query('select from affiliate_past_terms where program_id = $1 and valid_until = $2', [
      program.programId,
      service.clock.now(),
    ]);
    assert.equal(past.length, 2, 'earlier orders keep the former group');
  });

  test('sends each affiliate one email with the terms that change for them', async () => {
    await aRule(service, { rate: 15, groupId: groups.gold }, program);
    await send('PATCH', `/groups/${groups.gold}`, { holdDays: 14 });
    await send('PATCH', '/group-moves', settings());
    await run();
    while ((await service.drain()) > 0);
    await run();
    const emails = async () =>
      (
        await service.pool.query(
          `select affiliate_id, subject, text_body from emails where program_id = $1 and kind = 'group_changed' order by subject`,
          [program.programId],
        )
      ).rows;
    const [gold, silver, ...others] = await emails();
    assert.deepEqual([gold?.affiliate_id, silver?.affiliate_id, others], [ids.many, ids.few, []]);
    assert.equal(gold?.subject, 'You are in the group Gold at Moves');
    for (const text of ['Commission: 10% → 15%', 'Hold period: 30 days → 14 days', `/portal/${program.programId}/rates`])
      assert.ok(gold?.text_body.includes(text), `${text} is missing in ${gold?.text_body}`);
    assert.doesNotMatch(gold?.text_body, /Minimum payout/, 'it does not change');
    assert.match(silver?.text_body, /stay the same/);
    await service.pool.query(`insert into program_brands (program_id, email_locale, updated_at) values ($1, 'de', now())`, [
      program.programId,
    ]);
    service.clock.advance({ days: 60 });
    await send('PATCH', '/group-moves', { canMoveDown: true });
    await run();
    while ((await service.drain()) > 0);
    const down = (await emails()).find(({ subject }) => subject === 'Du bist nicht mehr in der Gruppe Gold bei Moves');
    assert.match(down?.text_body, /Provision: 15\s%\s→\s10\s%[\s\S]*Wartezeit: 14 Tage → 30 Tage/);
  });

  test('happens once a day, however many processes run it at once, and again after a change of the settings', async () => {
    await send('PATCH', '/group-moves', settings());
    await Promise.all([1, 2, 3].map(() => moveProgram(program.programId, service.ctx)));
    assert.equal((await audited()).length, 2);
    await send('PATCH', `/affiliates/${ids.few}`, { groupId: null });
    await run();
    assert.equal(await groupOf('few'), null, 'it was done today');
    service.clock.advance({ days: 3 });
    await run();
    assert.equal(await groupOf('few'), groups.silver, 'a missed day is caught up once');
    assert.equal((await audited()).length, 3);
    await send('PATCH', '/group-moves', { steps: [{ groupId: groups.gold, from: 2 }] });
    await send('PATCH', `/affiliates/${ids.few}`, { groupId: null });
    await run();
    assert.equal(await groupOf('few'), groups.gold, 'what was previewed happens on the same day');
  });

  test('continues after its process was killed, and moves no affiliate twice', async () => {
    await send('PATCH', '/group-moves', settings());
    const isUnfinished = await transact(service.ctx, (tx) => moveNext(tx, program.programId, 1));
    assert.deepEqual([isUnfinished, await groupOf('many'), await groupOf('few')], [true, groups.gold, null]);
    await run();
    await run();
    assert.equal(await groupOf('few'), groups.silver);
    assert.deepEqual(
      (await audited()).map(({ subject_id: id }) => id),
      [ids.many, ids.few],
    );
  });

  test('begins a day at midnight in the time zone of the program', async () => {
    const zoned = await send('PATCH', '', { timezone: 'Asia/Tokyo' });
    assert.equal(zoned.status, 200, zoned.text);
    await send('PATCH', '/group-moves', settings());
    // 23:30 in Tokyo.
    service.clock.advance({ seconds: untilNextDay(service.clock.now(), 14.5) });
    await run();
    const at = service.clock.now().toISOString();
    await orders('none', [1000]);
    service.clock.advance({ minutes: 20 });
    await run();
    assert.deepEqual([await groupOf('none'), (await send('GET', '/group-moves')).body.lastRunAt], [null, at]);
    service.clock.advance({ minutes: 20 });
    await run();
    assert.equal(await groupOf('none'), groups.silver, 'the order of yesterday counts');
  });

  test('moves affiliates down only if that is allowed, and not before they kept the group for its days', async () => {
    await send('PATCH', '/group-moves', {
      ...settings(),
      metric: 'amountCents',
      keepDays: 2,
      steps: [{ groupId: groups.gold, from: 3000 }],
    });
    await run();
    assert.equal(await groupOf('many'), groups.gold);
    const [order] = (await send('GET', `/conversions?affiliateId=${ids.many}&limit=1`)).body.conversions;
    await service.request('POST', '/v1/refunds', { body: { refundId: 'r', orderId: order.orderId }, key: program.key });
    const dayAfter = async () => {
      service.clock.advance({ days: 1 });
      const { body } = await send('POST', '/group-moves/preview', {});
      await run();
      return [await groupOf('many'), body.total, body.keptCount];
    };
    assert.deepEqual(await dayAfter(), [groups.gold, 0, 1]);
    await send('PATCH', '/group-moves', { canMoveDown: true });
    await run();
    assert.equal(await groupOf('many'), groups.gold, 'it was reached yesterday');
    assert.deepEqual(await dayAfter(), [null, 1, 0]);
  });

  test('leaves affiliates in a group that a person chose, unless they reach a higher one', async () => {
    for (const [name, group] of [
      ['none', groups.gold],
      ['few', groups.gold],
      ['many', groups.silver],
    ] as const)
      await send('PATCH', `/affiliates/${ids[name]}`, { groupId: group });
    await send('PATCH', '/group-moves', { ...settings(), canMoveDown: true });
    const { body } = await send('POST', '/group-moves/preview', {});
    assert.deepEqual([body.total, body.keptCount], [1, 2]);
    await run();
    assert.deepEqual([await groupOf('none'), await groupOf('few'), await groupOf('many')], [groups.gold, groups.gold, groups.gold]);
    await send('PATCH', `/affiliates/${ids.many}`, { groupId: null });
    await send('PATCH', `/affiliates/${ids.many}`, { groupId: groups.gold });
    service.clock.advance({ days: 40 });
    await run();
    assert.equal(await groupOf('many'), groups.gold, 'now a person has chosen it');
  });

  test('does not count orders that were refunded in full', async () => {
    const { body } = await send('GET', `/conversions?affiliateId=${ids.many}&limit=1`);
    await service.request('POST', '/v1/refunds', { body: { refundId: 'all', orderId: body.conversions[0].orderId }, key: program.key });
    const previewed = await send('POST', '/group-moves/preview', settings());
    assert.deepEqual(
      previewed.body.moves.map((move: Record<string, unknown>) => [move.toGroupId, move.volume]),
      [
        [groups.silver, 2],
        [groups.silver, 2],
      ],
    );
  });
});

describe('the settings of automatic moves', () => {
  test('skip archived groups, and reject contradictions', async () => {
    await send('PATCH', '/group-moves', settings());
    await send('PATCH', `/groups/${groups.gold}`, { status: 'archived' });
    await run();
    assert.equal(await groupOf('many'), groups.silver);
    const fault = async (body: object) => (await send('PATCH', '/group-moves', body)).body.details?.[0].message;
    assert.equal(await fault({ steps: [] }), 'must not be empty');
    const twice = [
      { groupId: groups.silver, from: 1 },
      { groupId: groups.press, from: 1 },
    ];
    assert.equal(await fault({ steps: twice }), 'must not have the same `from` twice');
    const archived = await send('PATCH', '/group-moves', { steps: [{ groupId: groups.gold, from: 9 }] });
    assert.equal(archived.status, 404);
    const off = await send('PATCH', '/group-moves', { isEnabled: false, steps: [] });
    assert.deepEqual([off.status, off.body.steps], [200, []]);
  });

  test('are not overwritten by an edit that is based on an earlier version', async () => {
    const { body: seen } = await send('GET', '/group-moves');
    const headers = { 'if-match': `"${seen.version}"` };
    const path = `${program.path}/group-moves`;
    const first = await service.request('PATCH', path, { key: program.key, headers, body: settings() });
    assert.equal(first.status, 200, first.text);
    assert.notEqual(first.body.version, seen.version);
    const second = await service.request('PATCH', path, { key: program.key, headers, body: { days: 7 } });
    assert.deepEqual(
      [second.status, second.body.code, second.body.error, second.body.version],
      [412, 'stale_group_moves', 'These settings were changed in the meantime.', first.body.version],
    );
    const { rows } = await service.pool.query(
      `select before, after from audit_log where program_id = $1 and action = 'group_moves.updated'`,
      [program.programId],
    );
    assert.deepEqual(rows.length, 1);
    assert.deepEqual(rows[0].before.steps, []);
  });
});

/** Seconds until this hour, UTC, of the next day. */
function untilNextDay(now: Date, hour: number): number {
  return 86_400 - (Math.floor(now.getTime() / 1000) % 86_400) + hour * 3600;
}
