// Everything that the affiliate earned, newest first.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line, page } from '../../platform/http/declaration/fields.ts';
import { listOf } from '../../platform/http/declaration/lists.ts';
import { countEarnings, Earning, earningFilters, readEarnings, toEarning } from './earning-rows.ts';

export const listEarnings = endpoint({
  id: 'portal.earnings',
  route: 'GET /app/portal/:programId/earnings',
  scope: 'embed',
  affiliateStatuses: ['active', 'suspended'],
  tag: 'Portal',
  summary: "List the affiliate's earnings",
  query: z.object({
    state: z.enum(earningFilters).optional(),
    subId: line(100).optional().describe('Only earnings with this sub ID, in any place.'),
    ...page,
  }),
  statuses: [200],
  result: listOf('earnings', Earning, 'PortalEarningList'),
  async handle(ctx, { actor, query: { state, subId, limit, offset } }) {
    const now = ctx.clock.now();
    const rows = await readEarnings(ctx, actor, { now, state, subId, limit, offset });
    const total = await countEarnings(ctx, actor, { now, state, subId });
    return { earnings: rows.map((row) => toEarning(row, now)), total, limit, offset };
  },
});
