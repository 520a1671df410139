// `GET /embed/PROGRAM-ID/portal`: the portal for a frame. Browsers show it only in pages of the origins that the program
// allows; its token is in the fragment of the address, which they don't send.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Web } from '../../../platform/http/web/prepare.ts';
import { sendEntry } from '../../../platform/http/web/serve.ts';
import { Invalid, NotFound } from '../../../platform/lib/errors.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';
import { EmbedLocale } from './embed.ts';
import { findEmbedOrigins } from './find-embed.ts';

const Query = z.object({ locale: EmbedLocale.optional(), scheme: z.enum(['light', 'dark', 'auto']).optional() });

/** Registers the page of embedded portals. */
export function serveEmbeddedPortal(app: FastifyInstance, ctx: Context, web: Web): void {
  app.get<{ Params: { programId: string } }>('/embed/:programId/portal', async (request, reply) => {
    const programId = canonicalUuid(request.params.programId);
    if (programId === null) throw new NotFound();
    const { data: query, error } = Query.safeParse(request.query);
    if (error) throw new Invalid(error.issues.map(({ path, message }) => ({ path: path.map(String), message })));
    const { locale: language, scheme } = query;
    const frameAncestors = await findEmbedOrigins(ctx, programId);
    // The older header knows no list of origins.
    void reply.removeHeader('x-frame-options');
    return sendEntry(web, 'portal', { request, reply }, { frameAncestors, language, scheme: scheme === 'auto' ? undefined : scheme });
  });
}
