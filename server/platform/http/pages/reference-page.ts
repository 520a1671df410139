// The OpenAPI document at /openapi.json and the API reference at /docs/api. The page's script comes from this server, so
// it works offline. It has 4 MB, so it is sent compressed, and its URL contains a hash of its contents, so that browsers
// load it once. Both are built at the first request.
import Fastify, { type FastifyInstance } from 'fastify';
import { NotFound } from '../../lib/errors.ts';
import { once } from '../../lib/once.ts';
import { type CachedFile, cacheFile, sendFile } from './cached-file.ts';

// The reference needs an inline script and inline styles. It only displays our own document.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

type Reference = { page: CachedFile; script: CachedFile };

/** Serves the document and its reference page. */
export async function serveReference(app: FastifyInstance, document: () => object): Promise<void> {
  const openApi = once(() => cacheFile('application/json; charset=utf-8', JSON.stringify(document())));
  const reference = once(buildReference);
  app.get('/openapi.json', async (request, reply) => sendFile(request, reply, await openApi()));
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      void reply.header('content-security-policy', policy);
    });
    for (const path of ['/docs/api', '/docs/api/'])
      scope.get(path, async (request, reply) => sendFile(request, reply, (await reference()).page));
    scope.get<{ Params: { hash: string } }>('/docs/api/scalar-:hash.js', async (request, reply) => {
      const { script } = await reference();
      if (request.params.hash !== script.hash) throw new NotFound();
      return sendFile(request, reply, script, { immutable: true });
    });
  });
}

/** Renders the page and its script with the reference's own plugin, in a server that never listens. */
async function buildReference(): Promise<Reference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const renderer = Fastify();
  await renderer.register(scalar, { routePrefix: '/docs/api', configuration });
  const page = await renderer.inject('/docs/api/');
  const code = await renderer.inject('/docs/api/js/scalar.js');
  await renderer.close();
  const script = await cacheFile('application/javascript; charset=utf-8', code.body);
  const html = page.body.replace('"js/scalar.js"', `"/docs/api/scalar-${script.hash}.js"`);
  return { script, page: await cacheFile('text/html; charset=utf-8', html) };
}

const configuration = {
  url: '/openapi.json',
  pageTitle: 'Tributary API',
  theme: 'default',
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
} as const;
