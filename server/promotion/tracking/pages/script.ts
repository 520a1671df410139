// `GET /t.js`: the script that a store's pages include. Small, cached by browsers for an hour, and revalidated by its
// ETag after that.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** The script as it is sent: without comments and indentation. */
export const script = readFileSync(new URL('t.js', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('//'))
  .join('\n');

const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 20)}"`;
const headers = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  etag,
};

/** Registers the script on an instance without the headers of the API, because other sites load it. */
export function serveScript(app: FastifyInstance): void {
  app.get('/t.js', async (request, reply) => {
    void reply.headers(headers);
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(script);
  });
}
