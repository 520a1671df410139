// What was recorded, and how much was not.
import { sql } from 'kysely';
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, line, page, timestampIn, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { trackingOf } from './visit.ts';

const ClickRow = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    slug: z.string().describe('The link that was used.'),
    via: z.enum(['redirect', 'api', 'beacon']),
    visitorId: z.string().nullable(),
    referrerHost: z.string().nullable(),
    destination: z.string().nullable().describe('The deep link, where the visitor was led past the home page.'),
    country: z.string().nullable(),
    agent: z.string().nullable(),
    subIds: z.array(z.string()),
    reason: z.string().nullable().describe('Why the click is in doubt; null for most.'),
    action: z.enum(['record_flagged', 'hold']).nullable(),
    createdAt: timestampOut,
  })
  .meta({ id: 'RecordedClick' });

const via = { redirect: 'redirect', api: 'api', beacon: 'beacon' } as const;

export const listClicks = endpoint({
  id: 'clicks.list',
  route: 'GET /v1/programs/:programId/clicks',
  scope: 'read',
  tag: 'Clicks',
  summary: 'List recorded clicks',
  description: 'Newest first.',
  query: z.object({
    affiliateId: uuid.optional(),
    from: timestampIn.optional().describe('Clicked at or after.'),
    to: timestampIn.optional().describe('Clicked before.'),
    reason: line(40).optional().describe('Only clicks in doubt for this reason, such as `bot`.'),
    ...page,
  }),
  statuses: [200],
  result: z.object({ clicks: z.array(ClickRow), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'ClickList' }),
  async handle(ctx, { actor, query: { affiliateId, from, to, reason, limit, offset } }) {
    let clicks = ctx.db.selectFrom('clicks').where('programId', '=', actor.programId);
    if (affiliateId) clicks = clicks.where('affiliateId', '=', affiliateId);
    if (from) clicks = clicks.where('createdAt', '>=', from);
    if (to) clicks = clicks.where('createdAt', '<', to);
    if (reason) clicks = clicks.where('reason', '=', reason);
    const { total } = await clicks.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await clicks.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return {
      clicks: rows.map((row) => ({
        ...row,
        via: via[row.via as keyof typeof via],
        action: row.action === null ? null : row.action === 'hold' ? ('hold' as const) : ('record_flagged' as const),
        createdAt: row.createdAt.toISOString(),
      })),
      total,
      limit,
      offset,
    };
  },
});

const day = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text), {
    error: 'must be a day like 2026-11-21',
  })
  .meta({ json: { type: 'string', format: 'date' } });

export const listRefusals = endpoint({
  id: 'clickRefusals.list',
  route: 'GET /v1/programs/:programId/click-refusals',
  scope: 'read',
  tag: 'Clicks',
  summary: 'List how many clicks were not recorded',
  description: 'Per day (UTC) and reason, newest first: what limits and filters kept out.',
  query: z.object({
    from: day.optional().describe('The first day.'),
    to: day.optional().describe('The last day.'),
    ...page,
  }),
  statuses: [200],
  result: z
    .object({
      refusals: z.array(z.object({ day: z.string(), reason: z.string(), clicks: countOut })),
      total: countOut,
      limit: countOut,
      offset: countOut,
    })
    .meta({ id: 'ClickRefusalList' }),
  async handle(ctx, { actor, query: { from, to, limit, offset } }) {
    await trackingOf(ctx).refusals.idle();
    let rows = ctx.db.selectFrom('clickRefusals').where('programId', '=', actor.programId);
    if (from) rows = rows.where(sql<boolean>`day >= ${from}::date`);
    if (to) rows = rows.where(sql<boolean>`day <= ${to}::date`);
    const { total } = await rows.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const refusals = await rows
      .select([sql<string>`day::text`.as('day'), 'reason', 'clicks'])
      .orderBy('clickRefusals.day', 'desc')
      .orderBy('reason')
      .limit(limit)
      .offset(offset)
      .execute();
    return { refusals, total, limit, offset };
  },
});
