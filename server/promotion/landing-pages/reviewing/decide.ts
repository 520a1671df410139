// Reviewing a page in the console: the decision names the revision that was shown. The email follows after a minute, in which
// the decision can be undone.
import { z } from 'zod';
import { findPortalUrl, findStorefrontPrefix } from '../../../accounts/programs/hosts/site-url.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { renderPageReview, sendPageReview } from '../../../messaging/emails/kinds/affiliates/page-review.ts';
import { loadFrame } from '../../../messaging/emails/look/look.ts';
import { undoTime } from '../../../partners/affiliates/changes/change-set.ts';
import { isLive, ReviewStatus } from '../../../partners/affiliates/expand/landing-page-summary.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, paragraph, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { Invalid, NotFound, NothingToDo } from '../../../platform/lib/errors.ts';
import { existingSlugSlot, findPage, type PageRow } from '../landing-page.ts';
import type { Verdict } from '../review.ts';
import { lockPage, reviewPage } from '../review.ts';

export const PageVerdict = z.enum(['approved', 'changes_requested']).meta({ id: 'PageVerdict' });

/** The parts of a page that a note can be about. */
export const PageField = z
  .enum([
    'pageTitle',
    'headline',
    'bioText',
    'avatarUrl',
    'heroImageUrl',
    'promoBadgeText',
    'featuredProductIds',
    'links',
    'productNotes',
    'templateId',
  ])
  .meta({ id: 'PageField' });

const note = paragraph(2000).nullable().optional().describe('Part of the email. Required for `changes_requested`.');

const Review = z
  .object({
    revision: z.int().min(1).describe('The revision that was shown.'),
    verdict: PageVerdict,
    note,
    fields: z.array(PageField).max(10).default([]).describe('The fields that the note is about.'),
    seenStatus: ReviewStatus.optional().describe('The status that was shown. If the page has another one now, nothing is decided.'),
  })
  .meta({ id: 'PageReviewRequest', example: { revision: 4, verdict: 'changes_requested', note: 'Don’t promise a cure.' } });

export const reviewLandingPage = endpoint({
  id: 'landingPages.review',
  route: 'POST /app/programs/:programId/landing-pages/:slug/review',
  scope: 'write',
  requires: 'pages.review',
  isUserOnly: true,
  tag: 'Review',
  summary: 'Approve a page or request changes',
  description: 'Decides exactly the revision that was shown. The email is sent a minute later; until then, the review can be undone.',
  path: { slug: existingSlugSlot },
  body: Review,
  statuses: [200],
  result: z
    .object({
      reviewId: uuidOut,
      slug: z.string(),
      revision: countOut,
      reviewStatus: ReviewStatus,
      isLive: z.boolean(),
      undoUntil: timestampOut,
    })
    .meta({
      id: 'PageReview',
      example: {
        reviewId: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
        slug: 'ada-lovelace',
        revision: 4,
        reviewStatus: 'approved',
        isLive: true,
        undoUntil: '2026-11-20T09:01:00.000Z',
      },
    }),
  errors: [
    {
      status: 412,
      code: 'stale_revision',
      when: 'The page was written after this revision.',
      facts: z.object({ revision: countOut, reviewStatus: ReviewStatus }),
    },
    {
      status: 412,
      code: 'already_reviewed',
      when: 'The page has another status than `seenStatus`.',
      facts: z.object({ revision: countOut, reviewStatus: ReviewStatus }),
    },
    { status: 422, code: 'nothing_to_change', when: 'This revision already has this verdict.' },
  ],
  async handle(tx, { actor, params: { slug }, body }) {
    const { programId } = actor;
    requireNote(body);
    const page = await lockPage(tx, programId, slug);
    if (page.revision === body.revision && page.reviewStatus === body.verdict && (body.seenStatus ?? body.verdict) === body.verdict) {
      throw new NothingToDo('nothing_to_change', 'This revision already has this verdict.');
    }
    const undoUntil = undoTime(tx);
    const reviewed = await reviewPage(tx, { ...body, programId, slug, actor, undoUntil });
    const content = await describeReview(tx, reviewed, { verdict: body.verdict, note: body.note ?? null });
    await sendPageReview(tx, { ...content, programId, changeId: reviewed.changeId, notBefore: undoUntil });
    return {
      reviewId: reviewed.reviewId,
      slug: reviewed.slug,
      revision: reviewed.revision,
      reviewStatus: ReviewStatus.parse(reviewed.reviewStatus),
      isLive: reviewed.isLive,
      undoUntil: undoUntil.toISOString(),
    };
  },
});

function requireNote({ verdict, note: given }: z.output<typeof Review>): void {
  if (verdict === 'approved' || given) return;
  throw new Invalid([{ path: ['note'], message: 'is required: the affiliate needs to know what to change' }]);
}

export const previewLandingPageReview = endpoint({
  id: 'landingPages.previewReview',
  route: 'POST /app/programs/:programId/landing-pages/:slug/review/preview',
  scope: 'read',
  requires: 'pages.review',
  isUserOnly: true,
  tag: 'Review',
  summary: 'Preview the email about a review',
  path: { slug: existingSlugSlot },
  body: z.object({ verdict: PageVerdict, note }).meta({ id: 'PageReviewPreviewRequest', example: { verdict: 'approved' } }),
  statuses: [200],
  result: z
    .object({ to: z.string().describe('The address of the recipient.'), subject: z.string(), text: z.string(), html: z.string() })
    .meta({
      id: 'PageReviewEmail',
      example: { to: 'ada@example.com', subject: 'Your page is live', text: 'Fern & Field', html: '<!doctype html><p>Fern & Field</p>' },
    }),
  async handle(ctx, { actor: { programId }, params: { slug }, body: { verdict, note: given = null } }) {
    const page: PageRow | null = await findPage(ctx, programId, slug);
    if (!page) throw new NotFound();
    const content = await describeReview(ctx, page, { verdict, note: given });
    const { frame, sender } = await loadFrame(ctx, { programId, affiliateId: content.affiliate.id });
    return { to: content.affiliate.email, ...renderPageReview(frame, sender, content) };
  },
});

type Decided = { verdict: Verdict; note: string | null };

/** The contents of the email that a decision on this page sends. */
async function describeReview(ctx: Pick<Context, 'db' | 'config'>, page: PageRow, { verdict, note }: Decided) {
  const program = await getProgram(ctx, page.programId);
  const affiliate = await ctx.db
    .selectFrom('affiliates')
    .select(['id', 'email', 'firstName', 'status'])
    .where('programId', '=', page.programId)
    .where('id', '=', page.affiliateId)
    .executeTakeFirstOrThrow();
  const willBeLive = affiliate.status === 'active' && isLive({ isPublished: page.isPublished, reviewStatus: verdict });
  return {
    affiliate,
    verdict,
    note,
    storefrontUrl: willBeLive ? `${await findStorefrontPrefix(ctx, program)}${page.slug}` : null,
    editorUrl: `${await findPortalUrl(ctx, page.programId)}/page`,
  };
}
