// `GET /media/ID?w=512`: an uploaded image. Its content never changes, so browsers may keep it permanently.
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';
import { variantWidths } from './convert.ts';

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-type': 'image/webp',
  'content-security-policy': "default-src 'none'; sandbox",
  // Pages in a sandboxed frame, which have no origin, show it too.
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

const notFound = { error: 'Not found.', code: 'not_found' };

/** Registers the route on an instance without the headers of the API, because other sites may show the images. */
export function serveMedia(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { id: string }; Querystring: { w?: unknown } }>('/media/:id', async (request, reply) => {
    const id = canonicalUuid(request.params.id);
    const width = parseWidth(request.query.w);
    const content = id === null || width === null ? null : await readVariant(ctx, id, width);
    if (!content) return reply.code(404).header('cache-control', 'no-store').send(notFound);
    const etag = `"${id}-${width}"`;
    void reply.headers({ ...headers, etag });
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(content);
  });
}

function parseWidth(given: unknown): number | null {
  return given === undefined ? variantWidths[2] : (variantWidths.find((width) => String(width) === given) ?? null);
}

/** The URL contains only the image's id, which can't be guessed; a register names its program. */
async function readVariant({ db }: Pick<Context, 'db'>, id: string, width: number): Promise<Buffer | null> {
  const address = await db.selectFrom('mediaAddresses').select('programId').where('mediaId', '=', id).executeTakeFirst();
  if (!address) return null;
  const variant = await db
    .selectFrom('mediaVariants')
    .select('content')
    .where('programId', '=', address.programId)
    .where('mediaId', '=', id)
    .where('maxWidth', '=', width)
    .executeTakeFirst();
  return variant?.content ?? null;
}
