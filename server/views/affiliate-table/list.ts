import { z } from 'zod';
import { filterFields } from '../../partners/affiliates/filter/filter.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { page } from '../../platform/http/declaration/fields.ts';
import { listOf, sortBy } from '../../platform/http/declaration/lists.ts';
import { findPageIds, sortColumns } from './find-page.ts';
import { readRows, TableRow } from './row.ts';

export const listAffiliateTable = endpoint({
  id: 'affiliateTable.list',
  route: 'GET /app/programs/:programId/affiliates',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'List affiliates with their figures',
  description:
    'Filters and sorts by every figure, with an exact total. Sorting and filtering by clicks, earnings per click and conversion ' +
    'rate uses figures that are at most a minute old; the figures in the rows are current.',
  heavy: 'list',
  query: z.object({ ...filterFields, ...page, sort: sortBy(...sortColumns) }),
  statuses: [200],
  result: listOf('affiliates', TableRow, 'AffiliateTable'),
  async handle(ctx, { actor, query: { limit, offset, sort, ...filter } }) {
    const { ids, total } = await findPageIds(ctx, { ...filter, programId: actor.programId }, { limit, offset, sort });
    return { affiliates: await readRows(ctx, actor, ids), total, limit, offset };
  },
});
