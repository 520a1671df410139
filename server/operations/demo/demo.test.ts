// The demo has everything that its screens show, passes `verify`, and continues.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { transact } from '../../platform/db/transact.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { createDemo, type Demo } from './demo.ts';
import { addActivity, addLiveActivity } from './live-activity.ts';
import { createRandom } from './random.ts';

describe('the demo', () => {
  let service: TestService;
  let demo: Demo;
  const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-'));
  before(async () => {
    service = await openTestService({ environment: { DATA_DIR: folder } });
    demo = await createDemo(service.ctx, async () => {});
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const count = async (from: string) => {
    const { rows } = await service.pool.query(`select count(*)::int as count from ${from}`.replace('$program', `'${demo.programId}'`));
    return rows[0].count;
  };
  const get = async (path: string) => (await service.request('GET', `/v1/programs/${demo.programId}/${path}`, { key: demo.apiKey })).body;
  const verify = async () => (await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0);

  test('has items that await a decision', async () => {
    assert.equal(await count(`landing_pages where program_id = $program and review_status = 'draft'`), 4);
    assert.equal((await get('affiliates?status=pending')).total, 2);
    assert.equal(await count(`applications where program_id = $program and outcome = 'created' and answers <> '[]'`), 2);
    assert.equal(await count(`join_forms where program_id = $program and is_open`), 1);
    assert.equal(await count(`fraud_events where program_id = $program and status = 'open' and evidence ->> 'action' = 'hold'`), 3);
    assert.equal((await get('claims?status=open')).total, 1);
    assert.equal((await get('bounty-submissions?status=open')).total, 2);
    const { resources } = await get('resources?sort=position');
    assert.equal(resources.map(({ kind }: { kind: string }) => kind).join(), 'text,text,text,image,image,file');
    const { bounties } = await get('bounties');
    assert.ok(
      bounties.every(({ awardCount }: { awardCount: number }) => awardCount > 0),
      JSON.stringify(bounties),
    );
    const [batch] = (await get('payouts/batches')).batches;
    assert.deepEqual([batch.status, batch.dispatchedBy.kind], ['awaiting_approval', 'user']);
    assert.equal(await count(`coupons where program_id = $program and leak_suspected_at is not null`), 1);
    const [store] = (await get('providers')).providers;
    assert.equal(Math.floor((await get(`providers/${store.id}/coverage`)).coveragePercent), 96);
    assert.ok((await get('unattributed-orders?resolved=false')).total > 50);
    assert.ok((await get('refunds')).total > 10);
    assert.equal(await count(`ledger_balances where program_id = $program and available_cents < 0`), 1);
  });

  test('has pages in every template and color, with links and notes, and restricted phrases', async () => {
    const contents = `(select * from landing_page_revisions where program_id = $program)`;
    assert.equal(await count(`(select distinct template_id from ${contents} as content) as templates`), 3);
    assert.equal(await count(`(select distinct accent from ${contents} as content) as accents`), 6);
    assert.ok((await count(`${contents} as content where links <> '[]' and product_notes <> '{}'`)) > 20);
    assert.equal(await count(`program_brands where program_id = $program and 'cured' = any (restricted_phrases)`), 1);
  });

  test('shows a brand: a logo, a picture of every product, and portraits, which pages load from this service', async () => {
    assert.equal(await count(`products where program_id = $program and image_url is null`), 0);
    assert.equal(await count(`program_brands where program_id = $program and logo_url is not null`), 1);
    assert.equal(await count(`landing_page_revisions where program_id = $program and avatar_url is null`), 0);
    const { rows } = await service.pool.query(
      `select '/s/' || programs.slug || '/' || page.slug as path from programs join landing_pages as page on program_id = programs.id
       where programs.id = $1 and is_published and review_status = 'approved' limit 1`,
      [demo.programId],
    );
    const page = await service.request('GET', rows[0].path, {});
    const sources = [...page.text.matchAll(/ (?:src|srcset)="([^"]+)"/g)].flatMap(([, list = '']) =>
      list.split(',').map((each) => each.split(' ')[0] ?? ''),
    );
    assert.ok(sources.length > 10 && !page.text.includes('href="#m"'), 'the page shows pictures instead of contour lines');
    for (const source of new Set(sources)) {
      const picture = await service.request('GET', source, {});
      assert.deepEqual([source, picture.status, picture.headers['content-type']], [source, 200, 'image/webp']);
    }
  });

  test('belongs to an organization whose members have every role', async () => {
    const { rows } = await service.pool.query(
      `select role from organization_members union select role from program_members where program_id = $1 order by role`,
      [demo.programId],
    );
    assert.deepEqual(
      rows.map(({ role }) => role),
      ['admin', 'developer', 'finance', 'owner', 'reviewer', 'viewer'],
    );
  });

  test('does not ask its members for first steps that it can never complete', async () => {
    const { rows } = await service.pool.query(
      `select count(*)::int as members, count(*) filter (where preferences -> 'hiddenFor' ? $1)::int as hidden
       from users left join user_preferences on user_id = id and screen = 'first-steps'
       where id in (select user_id from organization_members union select user_id from program_members)`,
      [demo.programId],
    );
    assert.deepEqual([rows[0].members, rows[0].hidden], [6, 6]);
  });

  test('grows over 90 days up to this day, and has names in many scripts', async () => {
    const { rows } = await service.pool.query(
      `select count(*) filter (where occurred_at < $2::timestamptz - interval '60 days')::int as first,
         count(*) filter (where occurred_at >= $2::timestamptz - interval '30 days')::int as last,
         max(occurred_at) > $2::timestamptz - interval '12 hours' as is_recent
       from conversions where program_id = $1`,
      [demo.programId, service.clock.now()],
    );
    assert.ok(rows[0].last > rows[0].first * 1.3 && rows[0].is_recent, JSON.stringify(rows[0]));
    for (const script of ['[\\u4e00-\\u9fff]', '[\\u0600-\\u06ff]', '[\\u0400-\\u04ff]', '[\\u0370-\\u03ff]'])
      assert.ok((await count(`affiliates where program_id = $program and first_name ~ '${script}'`)) > 0, script);
  });

  test('passes verify, even after live clicks and orders', async () => {
    assert.deepEqual(await verify(), []);
    const random = createRandom(1);
    const added = new Map<string | null, number>();
    for (let tick = 0; tick < 60; tick += 1) {
      service.clock.advance({ seconds: 30 });
      const kind = await addActivity(service.ctx, demo.programId, random);
      added.set(kind, (added.get(kind) ?? 0) + 1);
    }
    assert.ok((added.get('click') ?? 0) > 30 && (added.get('order') ?? 0) > 0, JSON.stringify([...added]));
    assert.deepEqual(await verify(), []);
  });

  test('is continued every 30 seconds', async () => {
    writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
    const activity = () => count(`(select id from clicks union all select id from conversions) as activity`);
    const before = await activity();
    // A schedule enqueues its job without data.
    await transact(service.ctx, (tx) => tx.jobs.enqueue(tx, addLiveActivity, JSON.parse('null')));
    await service.drain();
    const { rows } = await service.pool.query(
      `select data, extract(epoch from start_after - created_on)::int as delay from pgboss.job where name = 'demo.live' and state = 'created'`,
    );
    assert.deepEqual([(await activity()) - before, rows], [1, [{ data: { isSecond: true }, delay: 30 }]]);
    rmSync(join(folder, 'demo.json'));
  });

  test('is not continued if it is not the demo of this installation, or in the database of an operator', async () => {
    const clicks = await count('clicks');
    await addLiveActivity.run(service.ctx, {}, { isLast: true });
    writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
    const config = { ...service.ctx.config, databaseUrl: 'postgres://db.example/tributary' };
    await addLiveActivity.run({ ...service.ctx, config }, {}, { isLast: true });
    assert.equal(await count('clicks'), clicks);
  });
});
