// A file that pages of any origin load: cached by browsers, and revalidated by its ETag after that.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

type PublicFile = { path: string; content: string | Buffer; type: string; cacheControl: string };

/** Registers the file, on an instance without the headers of the API. */
export function servePublicFile(app: FastifyInstance, { path, content, type, cacheControl }: PublicFile): void {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 20)}"`;
  const headers = {
    'content-type': type,
    'cache-control': cacheControl,
    // Previews are in a sandbox, so their origin differs from the service's, too.
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag,
  };
  app.get(path, async (request, reply) => {
    void reply.headers(headers);
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(content);
  });
}
