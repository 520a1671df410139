import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { expandable } from '../../platform/http/declaration/lists.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { affiliateColumns, affiliateSlot, selectClicks, toAffiliate } from './affiliate.ts';
import { AffiliateDetails, findAffiliateDetails, findRelated } from './expand/affiliate-details.ts';

export const getAffiliate = endpoint({
  id: 'affiliates.get',
  route: 'GET /v1/programs/:programId/affiliates/:id',
  scope: 'read',
  tag: 'Affiliates',
  summary: 'Get an affiliate',
  path: { id: affiliateSlot },
  findsPath: true,
  query: z.object({ expand: expandable('group', 'parentAffiliate') }),
  statuses: [200],
  result: AffiliateDetails,
  async handle(ctx, { actor, params: { id }, query: { expand } }) {
    const affiliates = ctx.db.selectFrom('affiliates').select(affiliateColumns).where('programId', '=', actor.programId);
    const row = await affiliates.where('id', '=', id).select(selectClicks(actor.programId)).executeTakeFirst();
    const details = row && (await findAffiliateDetails(ctx, actor, [id])).get(id);
    if (!details) throw new NotFound();
    const related = await findRelated(ctx, actor.programId, { rows: [row], expand });
    return { ...toAffiliate(row), ...details, ...related(row) };
  },
});
