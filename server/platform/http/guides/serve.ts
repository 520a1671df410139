// The documentation at /docs, its search, and /llms.txt. Everything is read and rendered at the first request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NotFound } from '../../lib/errors.ts';
import { once } from '../../lib/once.ts';
import { type CachedFile, cacheFile, sendFile } from '../pages/cached-file.ts';
import { chapters } from './contents.ts';
import { describeErrors } from './errors.ts';
import { type Guide, readGuide } from './guide.ts';
import { policy, renderContents, renderPage, renderResults } from './layout.ts';
import { searchGuides } from './search.ts';

type Documentation = { guides: ReadonlyMap<string, Guide>; files: ReadonlyMap<string, CachedFile> };

const htmlType = 'text/html; charset=utf-8';

/** `document` is the API document, from which the page of errors follows. */
export async function serveGuides(app: FastifyInstance, document: () => object): Promise<void> {
  const read = once(() => readDocumentation(document() as Parameters<typeof describeErrors>[0]));
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      void reply.header('content-security-policy', policy);
    });
    const send = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
      const file = (await read()).files.get(name);
      if (!file) throw new NotFound();
      return sendFile(request, reply, file);
    };
    for (const path of ['/docs', '/docs/']) scope.get(path, (request, reply) => send(request, reply, ''));
    scope.get('/llms.txt', (request, reply) => send(request, reply, 'llms.txt'));
    scope.get<{ Params: { slug: string } }>('/docs/:slug', (request, reply) => send(request, reply, request.params.slug));
    scope.get<{ Querystring: { q?: string | string[] } }>('/docs/search', async (request, reply) => {
      const query = String(request.query.q ?? '')
        .trim()
        .slice(0, 100);
      const { guides } = await read();
      const body = renderResults(query, searchGuides([...guides.values()], query));
      return reply.type(htmlType).send(renderPage({ title: 'Search', body, current: '', guides, query }));
    });
  });
}

async function readDocumentation(document: Parameters<typeof describeErrors>[0]): Promise<Documentation> {
  const listed = [...chapters.flatMap(({ pages }) => pages.map(readGuide)), describeErrors(document)];
  const guides = new Map(listed.map((guide) => [guide.slug, guide]));
  const files = new Map<string, CachedFile>();
  const add = async (name: string, type: string, text: string) => void files.set(name, await cacheFile(type, text));
  await add('', htmlType, renderPage({ title: 'Documentation', body: renderContents(guides), current: '', guides }));
  for (const { slug, title, body, markdown } of listed) {
    await add(slug, htmlType, renderPage({ title, body, current: slug, guides }));
    await add(`${slug}.md`, 'text/markdown; charset=utf-8', markdown);
  }
  await add('llms.txt', 'text/plain; charset=utf-8', listForModels(listed));
  return { guides, files };
}

/** Where language models find the documentation (llmstxt.org). */
function listForModels(guides: readonly Guide[]): string {
  const lines = guides.map(({ slug, title, summary }) => `- [${title}](/docs/${slug}.md): ${summary}`);
  return `# Tributary

> A self-hosted, multi-tenant affiliate program service: HTTP API, tracking, commissions, payouts and storefronts.

## Documentation

${lines.join('\n')}
- [API](/openapi.json): every operation, as OpenAPI 3.1
`;
}
