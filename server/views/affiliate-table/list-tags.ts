import { sql } from 'kysely';
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut } from '../../platform/http/declaration/fields.ts';

const Tag = z
  .object({ tag: z.string(), affiliates: countOut.describe('How many affiliates have it.') })
  .meta({ id: 'AffiliateTag', example: { tag: 'podcast', affiliates: 12 } });

export const listAffiliateTags = endpoint({
  id: 'affiliateTable.tags',
  route: 'GET /app/programs/:programId/affiliate-tags',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'List the tags of affiliates',
  description: 'The 200 most frequent tags, the most frequent one first.',
  statuses: [200],
  result: z.object({ tags: z.array(Tag) }).meta({ id: 'AffiliateTags', example: { tags: [{ tag: 'podcast', affiliates: 12 }] } }),
  async handle(ctx, { actor }) {
    const { rows } = await sql<{ tag: string; affiliates: number }>`
      select tag, count(*) as affiliates from affiliates, unnest(tags) as tag
      where program_id = ${actor.programId} and tags > '{}' group by tag order by 2 desc, 1 limit 200`.execute(ctx.db);
    return { tags: rows };
  },
});
