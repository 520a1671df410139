// `GET /favicon.ico`: browsers request it for pages that name no icon, such as storefronts, previews and the API reference.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const icon = readFileSync(new URL('favicon.ico', import.meta.url));
const etag = `"${createHash('sha256').update(icon).digest('base64url').slice(0, 20)}"`;
const headers = {
  'content-type': 'image/x-icon',
  'cache-control': 'public, max-age=86400',
  // Previews are in a sandbox, so their origin differs from the service's.
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  etag,
};

/** Registers the icon, on an instance without the headers of the API. */
export function serveIcon(app: FastifyInstance): void {
  app.get('/favicon.ico', async (request, reply) => {
    void reply.headers(headers);
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(icon);
  });
}
