// The preview of a private draft, for its affiliate: the page as it would look if it were approved now.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../platform/http/declaration/fields.ts';
import { draftingStatuses } from '../landing-pages/drafts/draft.ts';
import { createPreview } from './preview.ts';

export const previewPageDraft = endpoint({
  id: 'portalPage.preview',
  route: 'POST /app/portal/:programId/page/preview',
  scope: 'affiliate',
  affiliateStatuses: draftingStatuses,
  tag: 'Portal',
  summary: 'Preview the private draft of your page',
  description: 'Returns an address that shows the saved draft as the page would look, for one hour.',
  statuses: [200],
  result: z
    .object({ url: z.string().describe('A path on this service.'), expiresAt: timestampOut })
    .meta({ id: 'PageDraftPreview', example: { url: '/preview/eyJwIjoi.6f1e', expiresAt: '2026-11-02T10:30:00.000Z' } }),
  async handle(ctx, { actor: { programId, affiliateId } }) {
    return createPreview(ctx, { programId, affiliateId, revision: null });
  },
});
