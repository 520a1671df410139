// The server of the Model Context Protocol, with the client of the protocol, against the service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import Ajv2020 from 'ajv/dist/2020.js';
import { aGroup, anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { fillProgram } from '../../../../test/support/screens/fill-program.ts';
import { readDocument } from '../api/document.ts';
import { listOperations } from '../api/operation.ts';
import { serveHttp } from './http.ts';
import { createPlans } from './plans.ts';
import { listTools, reasonAgainst } from './tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: results of every shape.
type Outcome = { isError: boolean; text: string; json: any };

let service: TestService;
let url: string;
let served: Awaited<ReturnType<typeof serveHttp>>;
let now = Date.now();
let tokens = 0;
const open = new Set<Client>();

before(async () => {
  service = await openTestService();
  url = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const plans = createPlans({ now: () => now, createToken: () => `plan-${tokens++}` });
  served = await serveHttp({ address: '127.0.0.1:0', connection: { url, key: null, program: null }, plans, version: '1' });
});
after(async () => {
  for (const client of open) await client.close();
  await served?.close();
  await service?.close();
});

/** A client over HTTP with this API key. */
async function connect(key: string): Promise<(name: string, given?: object) => Promise<Outcome>> {
  const client = new Client({ name: 'test', version: '1' });
  open.add(client);
  const transport = new StreamableHTTPClientTransport(new URL(served.url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return (name, given = {}) => call(client, name, given);
}

async function call(client: Client, name: string, given: object): Promise<Outcome> {
  const { content, isError = false } = (await client.callTool({ name, arguments: { ...given } })) as {
    content: { text?: string }[];
    isError?: boolean;
  };
  const text = content[0]?.text ?? '';
  return { isError, text, json: text.startsWith('{') ? JSON.parse(text) : null };
}

test('every operation is a tool, but those that move money and those without an API key', () => {
  const operations = listOperations(readDocument());
  const tools = listTools(['read', 'write']);
  const left = operations.filter((operation) => reasonAgainst(operation) !== null).map(({ id }) => id);
  assert.equal(tools.size + left.length, operations.length);
  const money = ['payouts.dispatch', 'payoutBatches.approve', 'payouts.retry', 'payouts.markPaid', 'payoutDetails.set', 'providers.create'];
  for (const id of money) assert.ok(left.includes(id), id);
  for (const [name, { tool, operation }] of tools) {
    assert.match(name, /^[a-zA-Z0-9_]{1,64}$/);
    const schema = tool.inputSchema as { properties: Record<string, unknown> };
    const names = [...operation.slots, ...operation.query, ...operation.body].map((each) => each.name);
    assert.deepEqual(Object.keys(schema.properties).sort(), names.sort(), name);
    assert.doesNotThrow(() => new Ajv2020.default({ strict: false, validateFormats: false }).compile(schema), name);
  }
});

test('every read answers as openapi.json says', async () => {
  const examples = await fillProgram(service, service.program);
  const use = await connect(service.program.key);
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: document.components });
  let answered = 0;
  for (const [name, { operation, isRead }] of listTools(['read', 'write'])) {
    if (!isRead || operation.slots.length > 0 || operation.query.some(({ isRequired }) => isRequired) || operation.hasBody) continue;
    const { isError, text, json } = await use(name);
    assert.ok(!isError, `${name}: ${text}`);
    const responses = Object.entries(document.paths[operation.path].get.responses) as [
      string,
      { content: Record<string, { schema: object }> },
    ][];
    const schema = responses.find(([status]) => status.startsWith('2'))?.[1].content['application/json']?.schema;
    if (!schema || json === null) continue;
    const { page, ...body } = json;
    if (operation.paging) assert.deepEqual([page.rows, page.total], [body[operation.paging.rows].length, body.total], name);
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'api#/components')));
    assert.ok(validate(body), `${name}: ${ajv.errorsText(validate.errors)}`);
    answered += 1;
  }
  assert.ok(answered > 30, `${answered} reads`);
  const affiliate = await use('affiliates_get', { id: examples.affiliateId });
  assert.equal(affiliate.json.id, examples.affiliateId);
});

describe('a list', () => {
  test('has a page of 20 rows with the total, and says how it continues', async () => {
    const program = await service.newProgram('Lists');
    for (let index = 0; index < 25; index += 1) await anAffiliate(service, { email: `a${index}@example.com` }, program);
    const use = await connect(program.key);
    const first = (await use('affiliates_list')).json;
    assert.deepEqual(first.page, { rows: 20, total: 25, next: { offset: 20 } });
    const second = (await use('affiliates_list', first.page.next)).json;
    assert.deepEqual(second.page, { rows: 5, total: 25, next: null });
    for (const name of ['A', 'B', 'C']) await aGroup(service, name, program);
    const one = (await use('groups_list', { limit: 2 })).json;
    const rest = (await use('groups_list', { limit: 2, ...one.page.next })).json;
    assert.deepEqual([one.page.rows, rest.page.rows, rest.page.next], [2, 1, null]);
  });

  test('rejects an argument that it does not have', async () => {
    const use = await connect(service.program.key);
    const { isError, text } = await use('affiliates_list', { state: 'active' });
    assert.deepEqual([isError, /Unknown argument: state/.test(text)], [true, true]);
  });
});

describe('a write', () => {
  const countGroups = async () => (await service.request('GET', `${service.program.path}/groups`)).body.total;

  test('changes nothing before its plan is confirmed, and is done once', async () => {
    const use = await connect(service.program.key);
    const present = await countGroups();
    const plan = (await use('groups_create', { name: 'Gold', holdDays: 14 })).json;
    assert.deepEqual(
      [plan.effect.summary, plan.request.body, await countGroups()],
      ['Create a group', { name: 'Gold', holdDays: 14 }, present],
    );
    const done = await use('confirm_plan', { plan: plan.plan });
    assert.deepEqual([done.isError, done.json.name, await countGroups()], [false, 'Gold', present + 1]);
    const again = await use('confirm_plan', { plan: plan.plan });
    assert.deepEqual([again.isError, /was carried out/.test(again.text), await countGroups()], [true, true, present + 1]);
  });

  test('says which fields an update changes, and is rejected if they changed in the meantime', async () => {
    const use = await connect(service.program.key);
    const id = await aGroup(service, 'Silver');
    const plan = (await use('groups_update', { id, name: 'Platinum' })).json;
    assert.deepEqual(plan.effect.changes, { name: { from: 'Silver', to: 'Platinum' } });
    await service.request('PATCH', `${service.program.path}/groups/${id}`, { body: { name: 'Bronze' } });
    const rejected = await use('confirm_plan', { plan: plan.plan });
    assert.deepEqual([rejected.isError, /name changed/.test(rejected.text)], [true, true]);
    assert.equal((await use('groups_get', { id })).json.name, 'Bronze');
  });

  test('shows what the API says would happen, where it can tell', async () => {
    const use = await connect(service.program.key);
    const csv = 'externalId,name,priceCents,checkoutUrl\nmcp-tea,Sleep tea,1490,https://brand.example/tea\n';
    const plan = (await use('products_import', { csv })).json;
    assert.equal(typeof plan.effect.preview, 'object');
    assert.equal((await service.pool.query(`select count(*)::int as n from products where external_id = 'mcp-tea'`)).rows[0].n, 0);
  });

  test('needs its plan within ten minutes, and from the API key that made it', async () => {
    const use = await connect(service.program.key);
    const foreign = await connect(service.foreign.key);
    const plan = (await use('groups_create', { name: 'Late' })).json;
    assert.match((await foreign('confirm_plan', { plan: plan.plan })).text, /This plan does not exist/);
    now += 10 * 60_000;
    assert.equal((await use('confirm_plan', { plan: plan.plan })).isError, true);
    assert.equal((await service.pool.query(`select count(*)::int as n from groups where name = 'Late'`)).rows[0].n, 0);
  });

  test('is not offered to an API key that may only read', async () => {
    const client = await connect(service.program.readKey);
    assert.equal((await client('groups_create', { name: 'Never' })).isError, true);
    assert.equal((await client('confirm_plan', { plan: 'plan-0' })).isError, true);
    assert.equal((await client('groups_list')).isError, false);
  });
});

describe('over HTTP', () => {
  const post = (headers: Record<string, string>) =>
    fetch(served.url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });

  test('a request needs a valid API key, and comes from no other site', async () => {
    assert.equal((await post({})).status, 401);
    assert.equal((await post({ authorization: 'Bearer trb_live_wrong' })).status, 401);
    const authorization = `Bearer ${service.program.key}`;
    assert.equal((await post({ authorization, origin: 'https://evil.example' })).status, 403);
    assert.equal((await post({ authorization, origin: 'null' })).status, 403);
    assert.equal((await fetch(served.url.replace('/mcp', '/'), { method: 'POST' })).status, 404);
    assert.equal((await fetch(served.url, { headers: { authorization } })).status, 405);
  });
});

test('bin/tributary mcp speaks over standard input and output', async () => {
  const client = new Client({ name: 'test', version: '1' });
  open.add(client);
  const env = {
    TRIBUTARY_URL: url,
    TRIBUTARY_API_KEY: service.program.readKey,
    XDG_CONFIG_HOME: '/nonexistent',
  };
  await client.connect(new StdioClientTransport({ command: 'bin/tributary', args: ['mcp'], env }) as Parameters<typeof client.connect>[0]);
  const { tools } = await client.listTools();
  assert.ok(tools.length > 60 && tools.every(({ annotations }) => annotations?.readOnlyHint));
  const me = await call(client, 'me_get', {});
  assert.equal(me.json.programId, service.program.programId);
});
