// Recorded clicks, and how many clicks were rejected.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { matchGroup } from '../../partners/affiliates/filter/match-group.ts';
import { AffiliateReference, findAffiliateReferences } from '../../partners/affiliates/reference.ts';
import { countClicks } from '../../partners/affiliates/totals/count-clicks.ts';
import type { Clicks } from '../../platform/db/schema.gen.ts';
import { eventListOf, eventPage, findEventPage } from '../../platform/http/declaration/cursor.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { externalIdentifier } from '../../platform/http/declaration/external-identifier.ts';
import { countOut, dayIn, dayOut, line, logged, page, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { countRows, expandable, listOf, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { clickValueFilters, firstSubId, haveValues, matchClick } from './click-values.ts';
import { getTracking } from './visit.ts';

const ClickRow = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
    slug: z.string().describe('The referral code or vanity slug of the link.'),
    via: z.enum(['redirect', 'api', 'beacon']),
    visitorId: z.string().nullable(),
    referrerHost: z.string().nullable(),
    destination: z.string().nullable().describe('The deep link; null for the website of the program.'),
    country: z.string().nullable(),
    agent: z.string().nullable(),
    subIds: z.array(z.string()),
    adParameter: z.string().nullable().describe('The parameter with which an ad marked the link or page; its value is not stored.'),
    reason: z.string().nullable().describe('Why the click was flagged; null if it was not.'),
    action: z.enum(['record_flagged', 'hold']).nullable(),
    createdAt: timestampOut,
  })
  .meta({
    id: 'RecordedClick',
    example: {
      id: '01980a60-2d11-7aa0-9c55-1f2e3d4c5b6a',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      slug: 'ada',
      via: 'redirect',
      visitorId: '6f1c2b7e-58a4-4d0b-9c3f-7a1e2d3c4b5a',
      referrerHost: 'blog.example',
      destination: null,
      country: 'DE',
      agent: 'Mozilla/5.0',
      subIds: ['newsletter'],
      adParameter: null,
      reason: null,
      action: null,
      createdAt: '2026-11-02T09:30:00.000Z',
    },
  });

const Without = z.enum(['group', 'link', 'subId', 'landingPage', 'country', 'source', 'device']);
const Via = z.enum(['redirect', 'api', 'beacon']);
const Action = z.enum(['record_flagged', 'hold']).nullable();
const clickSlot = idSlot('clicks', 'The id of the click.');

export const listClicks = endpoint({
  id: 'clicks.list',
  route: 'GET /v1/programs/:programId/clicks',
  scope: 'read',
  tag: 'Clicks',
  summary: 'List recorded clicks',
  query: z.object({
    affiliateId: uuid.optional(),
    groupId: uuid.optional().describe('Affiliates who are in this group now.'),
    subId: logged(externalIdentifier(100)).optional().describe('The first sub ID.'),
    ...clickValueFilters,
    without: oneOf(Without).describe('Only clicks that have none of these.'),
    reason: line(40).optional().describe('Only clicks flagged for this reason, such as `bot`.'),
    ...timeRange('created'),
    ...eventPage,
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: eventListOf('clicks', ClickRow, 'ClickList'),
  async handle(ctx, { actor, query }) {
    const { affiliateId, reason, createdFrom, createdTo, expand } = query;
    const conditions = listConditions(actor.programId, query);
    let clicks = ctx.db.selectFrom('clicks as click').where('programId', '=', actor.programId);
    for (const condition of conditions) clicks = clicks.where(condition);
    if (affiliateId) clicks = clicks.where('affiliateId', '=', affiliateId);
    if (reason) clicks = clicks.where('reason', '=', reason);
    clicks = clicks.where(withinRange('createdAt', createdFrom, createdTo));
    const countStored = () => countClicks(ctx, actor.programId, { from: createdFrom, to: createdTo });
    const count = async () => (affiliateId || reason || conditions.length > 0 ? null : await countStored()) ?? (await countRows(clicks));
    const { rows, ...found } = await findEventPage(clicks, query, (selected) => selected.selectAll(), { count });
    const affiliates = await findAffiliateReferences(
      ctx,
      actor.programId,
      expand.has('affiliate') ? rows.map((row) => row.affiliateId) : [],
    );
    return { clicks: rows.map((row) => ({ ...toClick(row), affiliate: affiliates.get(row.affiliateId) })), ...found };
  },
});

type Narrowed = { groupId?: string | undefined; subId?: string | undefined; without?: string[] | undefined } & Parameters<
  typeof matchClick
>[0];

function listConditions(programId: string, filters: Narrowed): RawBuilder<boolean>[] {
  const { subId, without = [] } = filters;
  return [
    ...matchGroup(programId, filters, sql`click.affiliate_id`),
    ...(subId ? [sql<boolean>`${firstSubId} = ${subId}`] : []),
    ...matchClick(filters),
    ...haveValues(without, { subId: firstSubId }).map((condition) => sql<boolean>`not (${condition})`),
  ];
}

export const getClick = endpoint({
  id: 'clicks.get',
  route: 'GET /v1/programs/:programId/clicks/:id',
  scope: 'read',
  tag: 'Clicks',
  summary: 'Get a recorded click',
  path: { id: clickSlot },
  statuses: [200],
  result: ClickRow,
  async handle(ctx, { actor, params }) {
    const clicks = ctx.db.selectFrom('clicks').selectAll().where('programId', '=', actor.programId);
    return toClick(await clicks.where('id', '=', params.id).executeTakeFirstOrThrow());
  },
});

function toClick(row: Selectable<Clicks>): z.input<typeof ClickRow> {
  return { ...row, via: Via.parse(row.via), action: Action.parse(row.action), createdAt: row.createdAt.toISOString() };
}

const RejectedClicks = z
  .object({ clickedOn: dayOut.describe("In the program's time zone."), reason: z.string(), clicks: countOut })
  .meta({ id: 'RejectedClicks', example: { clickedOn: '2026-11-02', reason: 'rate_limited', clicks: 412 } });

export const listRejectedClicks = endpoint({
  id: 'rejectedClicks.list',
  route: 'GET /v1/programs/:programId/rejected-clicks',
  scope: 'read',
  tag: 'Clicks',
  summary: 'List rejected clicks',
  description: 'The number of clicks that were not recorded because of rate limits and filters, per day and reason.',
  query: z.object({
    clickedFrom: dayIn.optional().describe('The first day to include.'),
    clickedTo: dayIn.optional().describe('The last day to include.'),
    ...page,
    sort: sortBy('clickedOn'),
  }),
  statuses: [200],
  result: listOf('rejectedClicks', RejectedClicks, 'RejectedClicksList'),
  async handle(ctx, { actor, query: { clickedFrom, clickedTo, limit, offset, sort } }) {
    await getTracking(ctx).rejected.idle();
    let counts = ctx.db.selectFrom('rejectedClicks').where('programId', '=', actor.programId);
    if (clickedFrom) counts = counts.where(sql<boolean>`day >= ${clickedFrom}::date`);
    if (clickedTo) counts = counts.where(sql<boolean>`day <= ${clickedTo}::date`);
    const rejectedClicks = await counts
      .select([sql<string>`day::text`.as('clickedOn'), 'reason', 'clicks'])
      .orderBy('rejectedClicks.day', sort.direction)
      .orderBy('reason')
      .limit(limit)
      .offset(offset)
      .execute();
    return { rejectedClicks, total: await countRows(counts), limit, offset };
  },
});
