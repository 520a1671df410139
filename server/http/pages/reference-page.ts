// What a developer opens: the document at /openapi.json and the reference at /docs/api. The page's
// script comes from this server, so it works without the internet.
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

// The reference sets itself up with an inline script and inline styles; it shows our document alone.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the document and its reference page. */
export async function serveReference(app: FastifyInstance, document: object): Promise<void> {
  const text = JSON.stringify(document);
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  app.get('/', (_request, reply) => reply.redirect('/docs/api'));
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      void reply.header('content-security-policy', policy);
    });
    await scope.register(scalar, {
      routePrefix: '/docs/api',
      configuration: {
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
      },
    });
  });
}
