import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { BountyMilestone, BountyShape, BountyStatus, bountyColumns, bountySlot, readBounty, toBounties } from './bounty.ts';

export const listBounties = endpoint({
  id: 'bounties.list',
  route: 'GET /v1/programs/:programId/bounties',
  scope: 'read',
  tag: 'Bounties',
  summary: 'List bounties',
  query: z.object({
    status: oneOf(BountyStatus),
    milestone: oneOf(BountyMilestone),
    search: searchField('Matches part of the name'),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt', 'name'),
  }),
  statuses: [200],
  result: cursorListOf('bounties', BountyShape, 'BountyList'),
  async handle(ctx, { actor, query }) {
    const { status, milestone, search, createdFrom, createdTo, limit, offset } = query;
    const { programId } = actor;
    let bounties = ctx.db.selectFrom('bounties').where('programId', '=', programId);
    if (status) bounties = bounties.where('status', 'in', status);
    if (milestone) bounties = bounties.where('milestone', 'in', milestone);
    if (search) bounties = bounties.where(containsWordsUnfolded(sql`name`, search));
    bounties = bounties.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(bounties, query, (found) => found.select(bountyColumns));
    return { bounties: await toBounties(ctx, actor, rows), total, limit, offset, nextCursor };
  },
});

export const getBounty = endpoint({
  id: 'bounties.get',
  route: 'GET /v1/programs/:programId/bounties/:id',
  scope: 'read',
  tag: 'Bounties',
  summary: 'Get a bounty',
  path: { id: bountySlot },
  statuses: [200],
  result: BountyShape,
  handle: (ctx, { actor, params }) => readBounty(ctx, actor, params.id),
});
