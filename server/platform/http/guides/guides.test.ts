// The documentation as the service serves it: its pages and links, its search, and the code that it shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createClient, webhooks } from '../../../../sdk/index.ts';
import { aClick, anAffiliate, aRule } from '../../../../test/support/builders.ts';
import { runCode } from '../../../../test/support/documents/run-code.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { chapters } from './contents.ts';
import { listErrors } from './errors.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service?.close());

const slugs = [...chapters.flatMap(({ pages }) => pages.map(({ slug }) => slug)), 'errors'];
const get = (url: string) => service.app.inject({ url });
const read = async (url: string) => (await get(url)).body;

describe('the documentation', () => {
  test('has every page of its contents, with one headline and without scripts', async () => {
    for (const path of ['/docs', ...slugs.map((slug) => `/docs/${slug}`)]) {
      const { statusCode, headers, body } = await get(path);
      assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'], path);
      assert.equal(body.match(/<h1[ >]/g)?.length, 1, path);
      assert.doesNotMatch(body, /<script/, path);
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
    }
    assert.equal((await get('/docs/nothing')).statusCode, 404);
  });

  test('links only to pages and headlines that exist', async () => {
    const pages = new Map<string, string>();
    for (const path of ['/docs', ...slugs.map((slug) => `/docs/${slug}`)]) pages.set(path, await read(path));
    const broken = [];
    for (const [from, body] of pages)
      for (const [, href = ''] of body.matchAll(/<a href="((?:\/docs)?(?:\/[\w-]+)?(?:#[^"]*)?)"/g)) {
        const [path = '', anchor] = href.split('#');
        const target = pages.get(path || from);
        if (path !== '/docs/api' && (!target || (anchor && !target.includes(`id="${anchor}"`)))) broken.push(`${from}: ${href}`);
      }
    assert.deepEqual(broken, []);
    assert.match(pages.get('/docs/quickstart') ?? '', /href="\/docs\/clicks"/);
  });

  test('has each page as Markdown, and lists them for language models', async () => {
    const list = await read('/llms.txt');
    for (const slug of slugs) {
      assert.match(list, new RegExp(`\\(/docs/${slug}\\.md\\)`));
      assert.match(await read(`/docs/${slug}.md`), /^# /);
    }
  });

  test('names every error code with its status, and whether to repeat the request', async () => {
    const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
    const codes = new Set([...JSON.stringify(document).matchAll(/`(\w+)`: /g)].map(([, code]) => code));
    const listed = listErrors(document);
    assert.ok(listed.length > 50 && listed.every(({ code }) => codes.has(code)));
    const page = await read('/docs/errors');
    for (const { code } of listed) assert.ok(page.includes(`<code>${code}</code>`), code);
    assert.match(page, /<td>429<\/td>.*?after <code>Retry-After<\/code>/);
  });
});

describe('searching', () => {
  const search = (query: string) => read(`/docs/search?q=${encodeURIComponent(query)}`);

  test('finds sections that contain every word, those with the word in their headline first', async () => {
    const [, first] = /<li><a href="(\/docs\/[^"]+)">[^<]*<\/a><p>/.exec(await search('consent')) ?? [];
    assert.equal(first, '/docs/consent#consent');
    assert.match(await search('Idempotency-Key retry'), /\/docs\/errors/);
    assert.match(await search('zebra giraffe'), /Nothing contains all of these words/);
    assert.match(await search(''), /Enter one or more words/);
  });

  test('shows whole words around what was found, without the lines of tables', async () => {
    const excerpts = [...(await search('signature')).matchAll(/<p>(…[^<]*)<\/p>/g)].map(([, text = '']) => text);
    assert.ok(excerpts.length > 5, `${excerpts.length} excerpts`);
    assert.ok(
      excerpts.every((text) => !text.includes('---')),
      excerpts.join('\n'),
    );
    assert.ok(!excerpts.some((text) => /^… (oor|ejected|ecurity)\b/.test(text)), excerpts.join('\n'));
  });

  test('shows what was searched for as text', async () => {
    const body = await search('<img src=x onerror=x()>');
    assert.ok(!body.includes('<img'));
    assert.match(body, /&lt;img src=x onerror=x\(\)&gt;/);
  });
});

describe('the code of the guides runs', () => {
  let given: Record<string, unknown>;
  const printed: unknown[] = [];
  before(async () => {
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' });
    await aRule(service, { rate: 10 });
    const client = createClient({ url, apiKey: service.program.key });
    given = { client, webhooks, console: { log: (value: unknown) => void printed.push(value) }, process: { env: {} } };
  });

  test('quickstart', async () => {
    await runCode('docs/guides/quickstart.md', given);
    assert.deepEqual(printed.splice(0), ['Fern & Field', 498]);
    const { rows } = await service.pool.query(`select count(*)::int as refunds from refunds`);
    assert.deepEqual(rows, [{ refunds: 1 }]);
  });

  test('server to server', async () => {
    const { id } = await anAffiliate(service, { status: 'active' });
    const order = { id: 'own-1', subtotalCents: 4980, clickId: await aClick(service, id), customerId: 'c-1', email: 'rosa@example.com' };
    await runCode('docs/guides/server-to-server.md', Object.assign({ order }, given));
    assert.deepEqual(printed.splice(0), []);
    const { rows } = await service.pool.query(`select amount_cents::int, refunded_cents::int from conversions where order_id = 'own-1'`);
    assert.deepEqual(rows, [{ amount_cents: 5280, refunded_cents: 5280 }]);
  });

  test('embedding', async () => {
    const { id } = await anAffiliate(service, { status: 'active' });
    const { openPortal } = await runCode('docs/guides/embedding.md', given);
    const { url } = await (openPortal as (id: string) => Promise<{ url: string }>)(id);
    assert.match(url, /\/embed\/[0-9a-f-]{36}\/portal\?scheme=auto#trb_embed_/);
  });

  test('webhooks', async () => {
    const { POST } = await runCode('docs/guides/webhooks.md', Object.assign({ notify: () => undefined }, given));
    const { rows } = await service.pool.query('select url from webhooks');
    assert.deepEqual(rows, [{ url: 'https://shop.example.com/webhooks' }]);
    const forged = new Request('https://shop.example.com/webhooks', { method: 'POST', body: '{}' });
    await assert.rejects((POST as (request: Request) => Promise<Response>)(forged), { name: 'WebhookVerificationError' });
  });
});
