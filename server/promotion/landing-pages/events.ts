// The events of landing pages: what awaits a review, and how it was decided.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { defineEvent } from '../../messaging/events/define.ts';
import { type EventOrigin, recordEvent } from '../../messaging/events/record.ts';
import { isLive, ReviewStatus } from '../../partners/affiliates/expand/landing-page-summary.ts';
import { countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { PageRow } from './landing-page.ts';

const object = 'landingPage';
const data = z
  .object({
    id: uuidOut,
    affiliateId: uuidOut,
    slug: z.string(),
    revision: countOut,
    isPublished: z.boolean(),
    reviewStatus: ReviewStatus,
    isLive: z.boolean(),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({
    id: 'LandingPageState',
    example: {
      id: '01980a51-7c10-7d20-8b42-5e6f7a8b9c0d',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      slug: 'ada-lovelace',
      revision: 4,
      isPublished: true,
      reviewStatus: 'approved',
      isLive: true,
      createdAt: '2026-11-02T09:30:00.000Z',
      updatedAt: '2026-11-03T10:00:00.000Z',
    },
  });

export const landingPageSubmitted = defineEvent({
  type: 'landingPage.submitted',
  object,
  data,
  summary: 'A revision of a landing page awaits the review of the program, or awaits it again because a review was undone.',
  previous: { reviewStatus: 'approved', revision: 3 },
});
export const landingPageApproved = defineEvent({
  type: 'landingPage.approved',
  object,
  data,
  summary: 'The program approved the current revision of a landing page.',
  previous: { reviewStatus: 'draft' },
});
export const landingPageChangesRequested = defineEvent({
  type: 'landingPage.changesRequested',
  object,
  data,
  summary: 'The program asked the affiliate to change the current revision of a landing page.',
  previous: { reviewStatus: 'draft' },
});

export const landingPageUpdated = defineEvent({
  type: 'landingPage.updated',
  object,
  data,
  summary: 'A member of the program published or unpublished a landing page.',
  previous: { isPublished: true },
});

const byStatus = { draft: landingPageSubmitted, approved: landingPageApproved, changes_requested: landingPageChangesRequested };

/** A page as events contain it. */
export function toPageData(page: PageRow) {
  const times = { createdAt: page.createdAt.toISOString(), updatedAt: page.updatedAt.toISOString() };
  return { ...page, reviewStatus: ReviewStatus.parse(page.reviewStatus), isLive: isLive(page), ...times };
}

type Changed = { before: PageRow | undefined; after: PageRow };

/** Records the event of a page that was written or reviewed. */
export async function recordPageEvent(tx: Tx, origin: EventOrigin, { before, after }: Changed): Promise<void> {
  const page = toPageData(after);
  const fields = ['slug', 'revision', 'isPublished', 'reviewStatus'] as const;
  const changed = fields.filter((field) => before && before[field] !== after[field]);
  const previous = before ? Object.fromEntries(changed.map((field) => [field, before[field]])) : null;
  const occurrence = { objectId: after.id, affiliateId: after.affiliateId, data: page, previous };
  await recordEvent(tx, origin, byStatus[page.reviewStatus].of(occurrence));
}
