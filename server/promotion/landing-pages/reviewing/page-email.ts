// What the email about a review says: its recipient and the addresses in it.
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { isLive } from '../../../partners/affiliates/expand/landing-page-summary.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import type { PageRow } from '../landing-page.ts';
import type { Verdict } from '../review.ts';

type Decided = { verdict: Verdict; note: string | null };

/** The contents of the email that a decision on this page sends. */
export async function describeReview(ctx: Pick<Context, 'db' | 'config'>, page: PageRow, { verdict, note }: Decided) {
  const { slug: programSlug } = await getProgram(ctx, page.programId);
  const affiliate = await ctx.db
    .selectFrom('affiliates')
    .select(['id', 'email', 'firstName', 'status'])
    .where('programId', '=', page.programId)
    .where('id', '=', page.affiliateId)
    .executeTakeFirstOrThrow();
  const origin = getPublicUrl(ctx.config);
  const willBeLive = affiliate.status === 'active' && isLive({ isPublished: page.isPublished, reviewStatus: verdict });
  return {
    affiliate,
    verdict,
    note,
    storefrontUrl: willBeLive ? `${origin}/s/${programSlug}/${page.slug}` : null,
    editorUrl: `${origin}/portal/${page.programId}/page`,
  };
}
