// The landing pages of a program for the console, with their state and the last decision.
import { sql } from 'kysely';
import { z } from 'zod';
import { containsWordsUnfolded, searchField } from '../../../accounts/programs/search.ts';
import { AffiliateStatus } from '../../../partners/affiliates/affiliate.ts';
import { isLive, ReviewStatus } from '../../../partners/affiliates/expand/landing-page-summary.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy } from '../../../platform/http/declaration/lists.ts';
import { exampleOf } from '../../../platform/http/openapi/schemas.ts';
import { fullName } from '../../../platform/lib/text.ts';
import { TemplateId } from '../landing-page.ts';
import { findDecisions, PageDecision } from './decisions.ts';

const ListedPage = z
  .object({
    id: uuidOut,
    slug: z.string(),
    pageTitle: z.string(),
    templateId: TemplateId,
    affiliateId: uuidOut,
    affiliateName: z.string(),
    affiliateStatus: AffiliateStatus,
    reviewStatus: ReviewStatus,
    isPublished: z.boolean(),
    isLive: z.boolean().describe('Published and approved; the storefront also requires an active affiliate.'),
    revision: countOut,
    approvedRevision: countOut.nullable(),
    submittedAt: timestampOut.describe('When the current revision was written.'),
    decision: PageDecision.nullable().describe('The last decision, on whichever revision.'),
  })
  .meta({
    id: 'ListedLandingPage',
    example: {
      id: '01980a55-6a20-7c40-9d10-3f4a5b6c7d8e',
      slug: 'ada-lovelace',
      pageTitle: "Ada's favourites",
      templateId: 'clinical',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      affiliateName: 'Ada Lovelace',
      affiliateStatus: 'active',
      reviewStatus: 'approved',
      isPublished: true,
      isLive: true,
      revision: 4,
      approvedRevision: 4,
      submittedAt: '2026-11-18T09:00:00.000Z',
      decision: exampleOf(PageDecision),
    },
  });

export const listLandingPages = endpoint({
  id: 'landingPages.list',
  route: 'GET /app/programs/:programId/landing-pages',
  scope: 'read',
  isUserOnly: true,
  tag: 'Review',
  summary: 'List landing pages',
  query: z.object({
    reviewStatus: oneOf(ReviewStatus),
    affiliateId: uuid.optional(),
    search: searchField("Finds pages by slug, title or the affiliate's name"),
    ...cursorPage,
    sort: sortBy('updatedAt', 'slug'),
  }),
  statuses: [200],
  result: cursorListOf('landingPages', ListedPage, 'LandingPageList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { reviewStatus, affiliateId, search, limit, offset } = query;
    let pages = ctx.db
      .selectFrom('landingPages as page')
      .innerJoin('landingPageRevisions as content', (join) =>
        join
          .on('content.programId', '=', programId)
          .onRef('content.pageId', '=', 'page.id')
          .onRef('content.revision', '=', 'page.revision'),
      )
      .innerJoin('affiliates as affiliate', (join) =>
        join.on('affiliate.programId', '=', programId).onRef('affiliate.id', '=', 'page.affiliateId'),
      )
      .where('page.programId', '=', programId);
    if (reviewStatus) pages = pages.where('page.reviewStatus', 'in', reviewStatus);
    if (affiliateId) pages = pages.where('page.affiliateId', '=', affiliateId);
    if (search) pages = pages.where(matches(search));
    const { rows, total, nextCursor } = await findPage(pages, { ...query, table: 'page' }, (found) =>
      found.select([
        'page.id',
        'page.slug',
        'page.affiliateId',
        'page.reviewStatus',
        'page.isPublished',
        'page.revision',
        'page.approvedRevision',
        'content.pageTitle',
        'content.templateId',
        'content.createdAt as submittedAt',
        'affiliate.firstName',
        'affiliate.lastName',
        'affiliate.status as affiliateStatus',
      ]),
    );
    const decisions = await findDecisions(ctx, { programId, pageIds: rows.map(({ id }) => id) }, 'latest');
    const byPage = new Map(decisions.map((decision) => [decision.pageId, decision]));
    return {
      landingPages: rows.map(({ firstName, lastName, ...row }) => ({
        ...row,
        templateId: TemplateId.parse(row.templateId),
        affiliateName: fullName({ firstName, lastName }),
        affiliateStatus: AffiliateStatus.parse(row.affiliateStatus),
        reviewStatus: ReviewStatus.parse(row.reviewStatus),
        isLive: isLive(row),
        submittedAt: row.submittedAt.toISOString(),
        decision: byPage.get(row.id) ?? null,
      })),
      total,
      limit,
      offset,
      nextCursor,
    };
  },
});

function matches(search: string) {
  return containsWordsUnfolded(
    sql`(page.slug || ' ' || content.page_title || ' ' || affiliate.first_name || ' ' || affiliate.last_name)`,
    search,
  );
}
