// An address under which members of the program see a revision as its public page would look.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { existingSlugSlot, findPage } from '../landing-pages/landing-page.ts';
import { createPreview } from './preview.ts';

export const previewLandingPage = endpoint({
  id: 'landingPages.preview',
  route: 'POST /app/programs/:programId/landing-pages/:slug/preview',
  scope: 'read',
  requires: 'read',
  isUserOnly: true,
  tag: 'Landing pages',
  summary: 'Preview a landing page',
  description: 'Returns an address that shows a revision as its public page would look, for one hour.',
  path: { slug: existingSlugSlot },
  body: z
    .object({
      revision: z
        .union([z.enum(['current', 'approved']), z.int().min(1)], 'must be `current`, `approved` or the number of a revision')
        .default('current')
        .describe('`approved`: the last approved revision. Or the number of a revision.'),
    })
    .meta({ id: 'LandingPagePreviewRequest', example: { revision: 'current' } }),
  statuses: [200],
  result: z
    .object({ url: z.string().describe('A path on this service.'), expiresAt: timestampOut })
    .meta({ id: 'LandingPagePreview', example: { url: '/preview/eyJwIjoi.6f1e', expiresAt: '2026-11-02T10:30:00.000Z' } }),
  async handle(ctx, { actor, params, body }) {
    const page = await findPage(ctx, actor.programId, params.slug);
    const revision =
      page && (body.revision === 'approved' ? page.approvedRevision : body.revision === 'current' ? page.revision : body.revision);
    if (!page || revision === null || revision > page.revision) throw new NotFound();
    return createPreview(ctx, { programId: page.programId, affiliateId: page.affiliateId, revision });
  },
});
