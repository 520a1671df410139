// A script that pages of other sites include: without comments and indentation, cached by browsers for an hour, and
// revalidated by its ETag after that.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** Reads a script as it is sent. Its code must not depend on line breaks within strings or on indentation. */
export function readScript(file: URL): string {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
}

/** Registers a script on an instance without the headers of the API, because other sites load it. */
export function serveScriptFile(app: FastifyInstance, path: string, script: string): void {
  const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 20)}"`;
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag,
  };
  app.get(path, async (request, reply) => {
    void reply.headers(headers);
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(script);
  });
}
