// A script that pages of other sites include: without comments and indentation, cached by browsers for an hour, and
// revalidated by its ETag after that.
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { servePublicFile } from './public-file.ts';

/** Reads a script as it is sent. Its code must not depend on line breaks within strings or on indentation. */
export function readScript(file: URL): string {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
}

/** Registers a script on an instance without the headers of the API, because other sites load it. */
export function serveScriptFile(app: FastifyInstance, path: string, content: string): void {
  const cacheControl = 'public, max-age=3600, stale-while-revalidate=86400';
  servePublicFile(app, { path, content, type: 'text/javascript; charset=utf-8', cacheControl });
}
