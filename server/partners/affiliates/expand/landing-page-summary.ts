// The short form of an affiliate's landing page, and the rule that decides whether the page is live.
import { z } from 'zod';

export const ReviewStatus = z.enum(['draft', 'approved', 'changes_requested']).meta({ id: 'ReviewStatus' });

/** A page is live when the affiliate published it and the program approved its current revision (Contract §3.2). */
export function isLive({ isPublished, reviewStatus }: { isPublished: boolean; reviewStatus: string }): boolean {
  return isPublished && reviewStatus === 'approved';
}

export const LandingPageSummary = z
  .object({ slug: z.string(), isPublished: z.boolean(), reviewStatus: ReviewStatus, isLive: z.boolean() })
  .meta({ id: 'LandingPageSummary' });
