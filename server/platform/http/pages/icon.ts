// `GET /favicon.ico`: browsers request it for pages that name no icon, such as storefronts, previews and the API reference.
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { servePublicFile } from './public-file.ts';

const content = readFileSync(new URL('favicon.ico', import.meta.url));

/** Registers the icon, on an instance without the headers of the API. */
export function serveIcon(app: FastifyInstance): void {
  servePublicFile(app, { path: '/favicon.ico', content, type: 'image/x-icon', cacheControl: 'public, max-age=86400' });
}
