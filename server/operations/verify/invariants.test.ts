// Each invariant is violated once, to show that its check finds it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aPage, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { recountCommissions } from '../../earning/commissions/counts.ts';
import { recountEntries } from '../../earning/ledger/entry-counts.ts';
import { recountConversionTotals } from '../../earning/orders/totals.ts';
import { rebuildOrders } from '../../earning/orders/write-orders.ts';
import { numberAllEvents } from '../../messaging/events/number.ts';
import { copyFigures } from '../../partners/affiliates/totals/copy-figures.ts';
import { rebuildDailyTotals } from '../../partners/affiliates/totals/rebuild-daily-totals.ts';
import { recountStatuses, recountTotals } from '../../partners/affiliates/totals/recount.ts';
import { transact } from '../../platform/db/transact.ts';
import { checkInvariants } from './invariants.ts';

describe('verify', () => {
  let service: TestService;
  let id: string;
  before(async () => {
    service = await openTestService();
    const upline = await anAffiliate(service);
    ({ id } = await anAffiliate(service, { parentAffiliateId: upline.id }));
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { vanitySlug: 'ada', status: 'active' } });
    await aPage(service, id, 'mine');
    await service.request('POST', `${service.program.path}/landing-pages/moved`, { body: { affiliateId: id, pageTitle: 'Moved' } });
    await numberAllEvents(service.ctx);
  });
  after(() => service.close());

  const broken = async () => (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0).map(({ name }) => name);

  test('finds nothing after ordinary use', async () => assert.deepEqual(await broken(), []));

  for (const [name, breaking, restoring] of [
    ['lifetime totals', `update affiliates set clicks = 1 where vanity_slug = 'ada'`, `update affiliates set clicks = 0`],
    [
      'affiliate counts',
      `update affiliate_counts set affiliates = affiliates + 1`,
      `update affiliate_counts set affiliates = affiliates - 1`,
    ],
    [
      'every API key is registered',
      `insert into api_key_hashes (key_hash, key_id, program_id) select sha256('x'), gen_random_uuid(), id from programs limit 1`,
      `delete from api_key_hashes where key_hash = sha256('x')`,
    ],
    [
      'every referral code is a short link',
      `update short_links set slug = upper(slug) where kind = 'code'`,
      `update short_links set slug = lower(slug) where kind = 'code'`,
    ],
    ['every referral code is registered', `update referral_codes set code = lower(code)`, `update referral_codes set code = upper(code)`],
    [
      'every provider is registered',
      `insert into provider_addresses (provider_id, program_id) select id, id from programs`,
      `delete from provider_addresses where provider_id = program_id`,
    ],
    [
      'every vanity slug belongs',
      `update affiliates set vanity_slug = 'eve' where vanity_slug = 'ada'`,
      `update affiliates set vanity_slug = 'ada' where vanity_slug = 'eve'`,
    ],
    [
      'every image is registered',
      `insert into media_addresses (media_id, program_id) select id, id from programs`,
      `delete from media_addresses where media_id = program_id`,
    ],
    [
      'every affiliate, invitation, member and account is registered',
      `update person_programs set person = 'x' || person where kind = 'affiliate'`,
      `update person_programs set person = substr(person, 2) where kind = 'affiliate'`,
    ],
    [
      'every affiliate, invitation, member and account is registered',
      `insert into person_programs (kind, person, program_id) select 'member', 'unregistered', id from programs`,
      `delete from person_programs where person = 'unregistered'`,
    ],
    [
      'every vanity slug is registered',
      `update bare_links set slug = 'eve' where slug = 'ada'`,
      `update bare_links set slug = 'ada' where slug = 'eve'`,
    ],
    [
      'no affiliate is in its own downline',
      `update affiliates u set parent_affiliate_id = a.id from affiliates a
        where a.program_id = u.program_id and a.parent_affiliate_id = u.id`,
      `update affiliates set parent_affiliate_id = null where vanity_slug is null`,
    ],
    [
      'figures of affiliates equal',
      `update affiliate_figures set conversions = conversions + 1`,
      `update affiliate_figures set conversions = conversions - 1`,
    ],
    [
      'lifetime totals',
      `update affiliate_figures set sales_cents = sales_cents + 1`,
      `update affiliate_figures set sales_cents = sales_cents - 1`,
    ],
    [
      'stored sums by breakdown',
      `insert into breakdown_spans (program_id, span, starts_on, starts_at, ends_at, timezone, is_current)
        select id, 'week', '2026-01-05', '2026-01-05', '2026-01-12', timezone, true from programs;
      insert into breakdown_totals (program_id, breakdown, span, starts_on, value, clicks, conversions, sales_cents, commissions_cents)
        select id, 'country', 'week', '2026-01-05', 'DE', 1, 0, 0, 0 from programs`,
      `delete from breakdown_totals; delete from breakdown_spans`,
    ],
    [
      'every slug of a page is registered',
      `update bare_pages set slug = 'other' where slug = 'mine'`,
      `update bare_pages set slug = 'mine' where slug = 'other'`,
    ],
    [
      'every host is registered',
      `insert into program_hosts select slug || '.test', id, id, 'links', false, false from programs`,
      `delete from program_hosts`,
    ],
    ['every landing page has its current', `update landing_pages set revision = 9`, `update landing_pages set revision = 2`],
    [
      'a page slug belongs',
      `insert into landing_page_forwards (program_id, slug, page_id) select program_id, slug, id from landing_pages`,
      `delete from landing_page_forwards where slug = 'moved'`,
    ],
    [
      'every approval sent exactly one email',
      `update emails set kind = 'invitation' where kind = 'approval'`,
      `update emails set kind = 'approval' where kind = 'invitation'`,
    ],
    [
      'the events of an object have positions in their order',
      `update event_log_ends set last_position = last_position + 9000; update events set position = position + 9000 where object_sequence = 1`,
      `update event_log_ends set last_position = last_position - 9000; update events set position = position - 9000 where object_sequence = 1`,
    ],
    [
      'no event has a position after the end of its log',
      `update event_log_ends set last_position = last_position - 1`,
      `update event_log_ends set last_position = last_position + 1`,
    ],
  ] as const) {
    test(`finds a violation of "${name}…", and no other`, async () => {
      await service.pool.query(breaking);
      const names = await broken();
      await service.pool.query(restoring);
      assert.equal(names.length, 1, names.join('; '));
      assert.ok(names[0]?.startsWith(name), names[0]);
      assert.deepEqual(await broken(), []);
    });
  }

  test('totals and counts are recalculated from the rows', async () => {
    const { programId } = service.program;
    const clicks = `insert into clicks (program_id, id, affiliate_id, created_at) select $1, gen_random_uuid(), $2, now() from generate_series(1, 7)`;
    await service.pool.query(clicks, [programId, id]);
    await aRule(service, { rate: 10 });
    await anOrder(service, { orderId: 'o-1', affiliateId: id, amountCents: 5000 });
    await copyFigures(service.ctx);
    await service.pool.query(`update affiliates set conversions = 0, commission_cents = 9 where vanity_slug = 'ada'`);
    await service.pool.query(`delete from affiliate_counts`);
    for (const table of ['conversion_totals', 'commission_counts', 'ledger_counts']) await service.pool.query(`delete from ${table}`);
    await service.pool.query('insert into owed_commissions values ($1, $2, 3)', [programId, id]);
    await service.pool.query('update conversion_summaries set amount_cents = 1, product_ids = array[program_id]');
    await service.pool.query('update affiliate_figures set sales_cents = 7');
    assert.equal((await broken()).length, 10);
    await transact(service.ctx, async (tx) => {
      assert.equal(await recountTotals(tx, programId), 1);
      await recountStatuses(tx, programId);
      await rebuildDailyTotals(tx, programId);
      await rebuildOrders(tx, programId);
      await recountConversionTotals(tx, programId);
      await recountCommissions(tx, programId);
      await recountEntries(tx, programId);
    });
    assert.deepEqual(await broken(), []);
    const { body } = await service.request('GET', `${service.program.path}/affiliates?search=ada`);
    const row = body.affiliates.find((affiliate: { id: string }) => affiliate.id === id);
    assert.deepEqual([row.clicks, row.conversions, row.commissionCents], [7, 1, 500]);
  });
});
