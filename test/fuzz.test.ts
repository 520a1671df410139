// 2,000 requests that nobody should send: no 5xx, no answer without the JSON error body, nothing of the
// inside in an answer, and everything still whole afterwards. FUZZ_SEED repeats a run, FUZZ_COUNT lengthens it.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { api } from '../server/api.ts';
import type { AnyEndpoint } from '../server/http/endpoint.ts';
import { checkInvariants } from '../server/verify/invariants.ts';
import { aGroup, anAffiliate, aPage, aProduct } from './builders.ts';
import { sendRaw } from './fuzz/raw.ts';
import { oddBytes, oddRequests } from './fuzz/requests.ts';
import { openTestService, type TestService } from './harness.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const count = Number(process.env.FUZZ_COUNT ?? 2000);
const inside = /FST_ERR|HPE_|node_modules|\.ts:\d|\bat \w+ \(|constraint|\bpg_|select .* from|zod|kysely|postgres/i;

describe(`odd requests (seed ${seed})`, () => {
  let service: TestService;
  let port: number;
  const ids = { affiliate: '', group: '', product: '', slug: 'fuzzed' };
  before(async () => {
    service = await openTestService();
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    port = (service.app.server.address() as AddressInfo).port;
    ids.affiliate = (await anAffiliate(service)).id;
    ids.group = await aGroup(service);
    ids.product = await aProduct(service);
    await aPage(service, ids.affiliate, ids.slug);
  });
  after(() => service.close());

  /** A request of each endpoint that would be taken. */
  function sample({ id }: AnyEndpoint, serial: number) {
    const { programId } = service.program;
    const checkoutUrl = 'https://shop.example/x';
    const samples: Record<string, { params: Record<string, string>; body: Record<string, unknown> | undefined }> = {
      'affiliates.invite': {
        params: {},
        body: {
          email: `f${serial}@example.com`,
          firstName: 'A',
          lastName: 'B',
          groupId: ids.group,
          parentAffiliateId: ids.affiliate,
          autoApprove: true,
          sendInvite: true,
        },
      },
      'affiliates.update': {
        params: { id: ids.affiliate },
        body: {
          status: 'active',
          groupId: ids.group,
          parentAffiliateId: null,
          commissionOverrideType: 'flat',
          commissionOverrideRate: 5,
          vanitySlug: `slug-${serial}`,
        },
      },
      'landingPages.get': { params: { slug: ids.slug }, body: undefined },
      'landingPages.write': {
        params: { slug: ids.slug },
        body: {
          affiliateId: ids.affiliate,
          pageTitle: 'T',
          templateId: 'creator',
          promotionMode: 'all',
          headline: 'H',
          bioText: 'B',
          avatarUrl: checkoutUrl,
          heroImageUrl: null,
          promoBadgeText: 'P',
          featuredProductIds: [ids.product],
          isPublished: true,
        },
      },
      'groups.create': { params: {}, body: { name: `G${serial}`, description: 'D' } },
      'groups.update': { params: { id: ids.group }, body: { name: `H${serial}`, description: null } },
      'products.create': {
        params: {},
        body: {
          name: 'P',
          priceCents: 1,
          checkoutUrl,
          externalId: `e${serial}`,
          status: 'active',
          allowedGroupIds: [ids.group],
          imageUrl: null,
        },
      },
      'products.update': { params: { id: ids.product }, body: { name: 'P', priceCents: 2, checkoutUrl, description: 'x', category: 'c' } },
    };
    const found = samples[id] ?? (/\.list$|^me\./.test(id) ? { params: {}, body: undefined } : null);
    assert.ok(found, `no sample of ${id}: add one`);
    return { params: { programId, ...found.params }, body: found.body };
  }

  function checkAnswer(what: string, answer: { status: number; headers: Record<string, unknown>; text: string }): void {
    assert.ok(answer.status < 500, `${what} → ${answer.status} ${answer.text}`);
    assert.ok(answer.headers['x-request-id'], `${what}: no request id`);
    if (answer.status < 400 || /^HEAD /.test(what)) return;
    const body = JSON.parse(answer.text);
    assert.equal(typeof body.error, 'string', what);
    if (answer.status === 400) assert.ok(Array.isArray(body.details), `${what}: ${answer.text}`);
    assert.ok(!inside.test(answer.text), `${what} shows the inside: ${answer.text}`);
  }

  test(`${Math.round(count * 0.7)} through every endpoint`, async () => {
    const requests = oddRequests(api, { seed, count: Math.round(count * 0.7), sample });
    const statuses = new Map<number, number>();
    for (let from = 0; from < requests.length; from += 20) {
      await Promise.all(
        requests.slice(from, from + 20).map(async ({ method, path, headers, body }) => {
          const answer = await service.request(method, path, { headers, ...(body && { body }) });
          checkAnswer(`${method} ${path.slice(0, 200)} ${body?.subarray(0, 300)}`, answer);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }),
      );
    }
    for (const status of [200, 201, 400, 404, 405, 413])
      assert.ok(statuses.get(status), `no ${status} among ${JSON.stringify([...statuses])}`);
  });

  test(`${Math.round(count * 0.3)} as bytes on the socket`, async () => {
    const bytes = oddBytes(seed, Math.round(count * 0.3), { path: `${service.program.path}/affiliates`, key: service.program.key });
    let answered = 0;
    for (let from = 0; from < bytes.length; from += 20) {
      await Promise.all(
        bytes.slice(from, from + 20).map(async (sent) => {
          const answer = await sendRaw(port, sent.bytes);
          if (answer) checkAnswer(JSON.stringify(sent.bytes.toString('latin1').slice(0, 200)), answer);
          else assert.ok(!sent.isRequest || isUnfinished(sent.bytes), `no answer to ${JSON.stringify(sent.bytes.toString('latin1'))}`);
          if (answer) answered += 1;
        }),
      );
    }
    assert.ok(answered > bytes.length * 0.8, `${answered} of ${bytes.length} answered`);
  });

  test('leave everything whole: the data, the log, the server', async () => {
    for (const { name, broken } of await checkInvariants(service.ctx)) assert.deepEqual(broken, [], name);
    const bad = service.log.map((line) => JSON.parse(line)).filter(({ level, alert }) => level >= 50 || alert !== undefined);
    assert.deepEqual(bad, []);
    assert.ok(!service.log.join('').includes(service.program.key));
    assert.equal((await service.request('GET', '/health/live')).status, 200);
  });
});

/** A request that ends before its body does is still being waited for. */
function isUnfinished(bytes: Buffer): boolean {
  return /Transfer-Encoding: chunked|Content-Length: [1-9]/.test(bytes.toString('latin1'));
}
