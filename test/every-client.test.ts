// Every operation of openapi.json, called by the client for JavaScript, by the command line and by an assistant over the
// Model Context Protocol, against a service that listens. Each answer is validated against its schema in the document.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createClient, TributaryError } from '../sdk/index.ts';
import { api } from '../server/api.ts';
import { readDocument } from '../server/operations/cli/api/document.ts';
import { listOperations, type Operation } from '../server/operations/cli/api/operation.ts';
import { serveHttp } from '../server/operations/cli/mcp/http.ts';
import { createPlans } from '../server/operations/cli/mcp/plans.ts';
import { reasonAgainst } from '../server/operations/cli/mcp/tools.ts';
import { findFault, observeAnswers } from './support/clients/answers.ts';
import { openCommandLine } from './support/command-line/command-line.ts';
import { rowsOfProgram } from './support/endpoints/program-rows.ts';
import { appRowsByNoun } from './support/fuzz/app-samples.ts';
import { approverOf, type SampleIds, sampleOf, sampleRows } from './support/fuzz/samples.ts';
import { needsProof } from './support/fuzz/sign-in-samples.ts';
import { openTestService, type TestService } from './support/harness.ts';

/** An operation with values that the service accepts. */
type Call = { operation: Operation; slots: string[]; query: Record<string, string | string[]>; body: object | undefined };

/** Sends one request and returns what the client shows for it. */
type Caller = (call: Call) => Promise<unknown>;

const operations = listOperations(readDocument()).filter(({ isOpen }) => !isOpen);

type Opened = { service: TestService; url: string; call: Caller; close(): Promise<void> };

/** Calls every operation, in the order of the document, and checks what the service answered. */
async function callEvery({ service, call }: Opened, { left = [] }: { left?: readonly string[] } = {}): Promise<void> {
  const ids = await sampleRows(service, 'sampled');
  const rows = { ...(await rowsOfProgram(service, service.program)), ...appRowsByNoun(ids) };
  const answers = observeAnswers();
  try {
    for (const operation of operations) {
      if (left.includes(operation.id)) continue;
      const before = answers.seen.length;
      const shown = await call(toCall(operation, ids, rows));
      const own = answers.seen.slice(before).filter(({ operationId }) => operationId === operation.id);
      assert.ok(own.length > 0, `${operation.id} was not called: ${shown}`);
      assert.deepEqual(own.map(findFault).filter(Boolean), []);
      const isRejected = needsProof.has(operation.id) || approverOf(endpointOf(operation), ids) !== undefined;
      const { status, text } = own.at(-1) ?? { status: 0, text: '' };
      assert.ok(isRejected ? status >= 400 : status < 300 || [409, 422].includes(status), `${operation.id}: ${status} ${text}`);
    }
  } finally {
    answers.restore();
  }
}

function endpointOf({ id }: Operation) {
  const endpoint = api.find((each) => each.id === id);
  assert.ok(endpoint, id);
  return endpoint;
}

function toCall(operation: Operation, ids: SampleIds, rows: Record<string, string>): Call {
  const { params, body, query } = sampleOf(endpointOf(operation), 4711, ids);
  const parts = operation.path.split('/');
  const slots = operation.slots.map(({ name }) => params[name] ?? rows[parts[parts.indexOf(`{${name}}`) - 1] ?? ''] ?? '');
  const pairs = [...new URLSearchParams(query)];
  return { operation, slots, query: Object.fromEntries(pairs), body };
}

async function openService(): Promise<Pick<Opened, 'service' | 'url'>> {
  const service = await openTestService();
  return { service, url: await service.app.listen({ port: 0, host: '127.0.0.1' }) };
}

async function openSdk(): Promise<Opened> {
  const { service, url } = await openService();
  const { key, programId } = service.program;
  const client = createClient({ url, apiKey: key, programId, maxRetries: 0 }) as unknown as Record<
    string,
    Record<string, (...given: unknown[]) => { page?(): Promise<unknown> } & Promise<unknown>>
  >;
  const call: Caller = async ({ operation: { id, hasBody, query: fields }, slots, query, body }) => {
    const [noun = '', verb = ''] = id.split('.');
    const input = hasBody ? [body] : fields.length > 0 ? [query] : [];
    try {
      const result = client[noun]?.[verb]?.(...slots, ...input);
      return await (result?.page ? result.page() : result);
    } catch (error) {
      assert.ok(error instanceof TributaryError, `${id}: ${error}`);
      return error;
    }
  };
  return { service, url, call, close: () => service.close() };
}

async function openCommands(): Promise<Opened> {
  const { service, url } = await openService();
  const line = await openCommandLine({ TRIBUTARY_URL: url, TRIBUTARY_API_KEY: service.program.key });
  const call: Caller = async ({ operation: { noun, verb, effect, hasBody, query: fields }, slots, query, body }) => {
    const flags = fields.flatMap(({ name, flag }) => (query[name] === undefined ? [] : [`--${flag}`, String(query[name])]));
    const data = hasBody ? ['--data', JSON.stringify(body ?? {})] : [];
    const { code, stdout, stderr } = await line.run([noun, verb, ...slots, ...flags, ...data, '--json', ...(effect ? ['--yes'] : [])]);
    return `${code} ${stdout}${stderr}`;
  };
  const close = async () => {
    await line.close();
    await service.close();
  };
  return { service, url, call, close };
}

async function openAssistant(): Promise<Opened> {
  const { service, url } = await openService();
  const plans = createPlans({ now: () => Date.now(), createToken: () => crypto.randomUUID() });
  const served = await serveHttp({ address: '127.0.0.1:0', connection: { url, key: null, program: null }, plans, version: '1' });
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${service.program.key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(served.url), { requestInit });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const use = async (name: string, given: object) => {
    const { content } = await client.callTool({ name, arguments: { ...given } });
    return (content as { text?: string }[])[0]?.text ?? '';
  };
  const call: Caller = async ({ operation: { id, slots: names, isWrite }, slots, query, body }) => {
    const given = Object.fromEntries(names.map(({ name }, index) => [name, slots[index]]));
    // Every write has a plan, so there is no `dryRun`.
    const text = await use(id.replace('.', '_'), Object.assign(given, query, body, { dryRun: undefined }));
    const plan = isWrite && text.startsWith('{') ? JSON.parse(text).plan : undefined;
    return plan === undefined ? text : use('confirm_plan', { plan });
  };
  const close = async () => {
    await client.close();
    await served.close();
    await service.close();
  };
  return { service, url, call, close };
}

const clients = [
  { name: 'the client for JavaScript', open: openSdk, left: [] },
  { name: 'the command line', open: openCommands, left: [] },
  {
    name: 'an assistant',
    open: openAssistant,
    left: operations.filter((operation) => reasonAgainst(operation) !== null).map(({ id }) => id),
  },
];

for (const { name, open, left } of clients) {
  describe(name, () => {
    let opened: Opened;
    before(async () => {
      opened = await open();
    });
    after(() => opened?.close());

    test('calls every operation, and each answer is as documented', async () => {
      assert.ok(operations.length - left.length > 125, `${operations.length - left.length} operations`);
      await callEvery(opened, { left });
    });
  });
}
