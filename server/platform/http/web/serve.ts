// Serves the web apps from memory: hashed files permanently cacheable, entry pages never cached. Every path below
// /console and /portal is that app, whose router shows the screen.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFound } from '../../lib/errors.ts';
import type { WebFile } from './files.ts';
import { contentPolicy, type Given, renderEntry, renderNotice } from './pages.ts';
import type { Web } from './prepare.ts';

/** Adds the routes of the web apps. */
export function serveWeb(app: FastifyInstance, web: Web): void {
  for (const name of ['console', 'portal']) {
    const send = (request: FastifyRequest, reply: FastifyReply) => sendEntry(web, name, { request, reply });
    app.get(`/${name}`, send);
    app.get(`/${name}/*`, send);
  }
  app.get('/assets/*', (request, reply) => sendAsset(web, request, reply));
}

type Answer = { request: FastifyRequest; reply: FastifyReply };

/** Sends the entry page of an app. `given` is what the address of a frame says about it. */
export function sendEntry(web: Web, name: string, { request, reply }: Answer, given: Given = {}): FastifyReply {
  const state = web.state();
  const { frameAncestors = [] } = given;
  void reply.headers({ 'cache-control': 'no-store', vary: 'cookie, accept-language' }).type('text/html; charset=utf-8');
  if (state.kind === 'ready') {
    const page = state.files.pages.get(name);
    if (page === undefined) throw new NotFound();
    const { html, nonce } = renderEntry(name, page, { ...given, texts: state.files.texts, headers: request.headers });
    return reply.header('content-security-policy', contentPolicy(nonce, frameAncestors)).send(html);
  }
  const { html, nonce } = renderNotice(request.headers, state.kind === 'failed' ? state.reason : null);
  if (state.kind === 'building') void reply.header('retry-after', '1');
  return reply.code(503).header('content-security-policy', contentPolicy(nonce, frameAncestors)).send(html);
}

function sendAsset(web: Web, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const state = web.state();
  const path = request.url.split('?')[0] ?? '';
  const file = state.kind === 'ready' ? state.files.assets.get(path) : undefined;
  if (!file) throw new NotFound();
  const { encoding, bytes } = chooseVersion(file, String(request.headers['accept-encoding'] ?? ''));
  void reply.headers({ etag: file.etag, vary: 'accept-encoding', 'cache-control': 'public, max-age=31536000, immutable' });
  if (matches(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  if (encoding) void reply.header('content-encoding', encoding);
  return reply.type(file.type).send(bytes);
}

/** The smallest version that the client accepts. */
function chooseVersion(file: WebFile, accepted: string): { encoding: 'br' | 'gzip' | null; bytes: Buffer } {
  const encodings = new Set(
    accepted.split(',').flatMap((part) => {
      const [name = '', quality = ''] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      return /^q=0(\.0*)?$/.test(quality) ? [] : [name];
    }),
  );
  if (file.brotli && encodings.has('br')) return { encoding: 'br', bytes: file.brotli };
  if (file.gzip && encodings.has('gzip')) return { encoding: 'gzip', bytes: file.gzip };
  return { encoding: null, bytes: file.bytes };
}

function matches(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((part) => [etag, `W/${etag}`, '*'].includes(part.trim()));
}
