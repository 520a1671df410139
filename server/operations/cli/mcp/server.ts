// The operations of the API for a model: each request of a client of the Model Context Protocol becomes one of the API, with
// the API key of the client.
import { createHash } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { readDocument } from '../api/document.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import { type Connection, requireKey } from '../connection/connection.ts';
import { readMe } from '../connection/program.ts';
import { send } from '../connection/send.ts';
import { readEffect, requireUnchanged } from './effect.ts';
import type { Plan, Plans } from './plans.ts';
import { type Arguments, toToolRequest } from './request.ts';
import { toResult, toText } from './result.ts';
import { confirmPlan, listTools, type OperationTool } from './tools.ts';

const instructions =
  'Tributary runs affiliate programs. Amounts are in the smallest unit of the currency of the program (cents), times in UTC. Lists ' +
  'have a `total`, and a page of 20 rows unless `limit` says otherwise. Tools that change something return a plan: show it to the ' +
  'user, and call `confirm_plan` once they agree. Payouts can be read, but are sent only by people, in the console.';

type Setup = { connection: Connection; plans: Plans; version: string };

/** A server for the connection of one client. Throws CommandError if its API key is not valid. */
export async function createMcpServer({ connection, plans, version }: Setup): Promise<Server> {
  const { programId, program, apiKey } = await readMe(connection);
  const session: Session = {
    connection: { ...connection, program: { id: programId, name: program.name, currency: program.currency } },
    programId,
    // Plans belong to the API key, so that a stateless client can confirm in another request.
    owner: createHash('sha256')
      .update(`${connection.url} ${requireKey(connection)}`)
      .digest('hex'),
    tools: listTools(apiKey.scopes),
    plans,
  };
  const server = new Server(
    { name: 'tributary', title: `Tributary: ${program.name}`, version },
    { capabilities: { tools: {} }, instructions },
  );
  const canWrite = apiKey.scopes.includes('write');
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...[...session.tools.values()].map(({ tool }) => tool), ...(canWrite ? [confirmPlan] : [])],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => callTool(session, params.name, params.arguments ?? {}));
  return server;
}

type Session = {
  connection: Connection;
  programId: string;
  owner: string;
  tools: ReadonlyMap<string, OperationTool>;
  plans: Plans;
};

/** What the model can correct is a result, which it reads; the protocol's errors are for its client. */
async function callTool(session: Session, name: string, given: Arguments): Promise<CallToolResult> {
  try {
    if (name === confirmPlan.name) return await carryOut(session, String(given.plan));
    const found = session.tools.get(name);
    if (!found) throw new CommandError(`There is no tool ${name} for this API key.`, exitCodes.notFound);
    const request = toToolRequest(found.operation, given, session.programId);
    if (found.isRead) return toResult(found.operation, await send(session.connection, { ...request, isRepeatable: true }));
    return await makePlan(session, found, request);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { isError: true, content: [{ type: 'text', text: error.message }] };
  }
}

async function makePlan(session: Session, { operation }: OperationTool, request: Plan['request']): Promise<CallToolResult> {
  const effect = await readEffect({ connection: session.connection, document: readDocument(), operation, request });
  const { token, expiresAt } = session.plans.add(session.owner, { operation, request, effect });
  const { objectPath: _, ...shown } = effect;
  return toText({
    plan: token,
    expiresAt: expiresAt.toISOString(),
    program: session.connection.program?.name,
    effect: shown,
    request: { method: request.method, path: request.path, body: request.body === undefined ? undefined : JSON.parse(request.body) },
    next: 'Nothing has changed yet. Show this to the user; if they agree, call confirm_plan with this plan.',
  });
}

async function carryOut({ connection, owner, plans }: Session, token: string): Promise<CallToolResult> {
  const plan = plans.take(owner, token);
  const { operation, request, effect } = plan;
  const { acceptsIdempotencyKey } = operation;
  try {
    await requireUnchanged(connection, effect);
    const headers: Record<string, string> = acceptsIdempotencyKey ? { 'idempotency-key': token } : {};
    return toResult(operation, await send(connection, { ...request, headers, isRepeatable: acceptsIdempotencyKey }));
  } catch (error) {
    // The outcome is unknown: the same plan with the same Idempotency-Key finds it out.
    if (error instanceof CommandError && error.exitCode === exitCodes.unavailable && acceptsIdempotencyKey)
      plans.restore(owner, token, plan);
    throw error;
  }
}
