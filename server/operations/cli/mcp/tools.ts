// The operations of the API as tools: `affiliates.list` is `affiliates_list`. A read returns its result. A write returns a
// plan, which `confirm_plan` carries out. Paying is never a tool.
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { type ApiDocument, readDocument } from '../api/document.ts';
import { listOperations, type Operation } from '../api/operation.ts';
import { findDeclaration, toInputSchema } from './input-schema.ts';

/** Why an operation of the API is not a tool; null if it is one. */
export function reasonAgainst({ effect, isOpen, isWrite }: Operation): string | null {
  if (effect === 'pays') return 'It moves money, which only people decide.';
  if (isOpen && isWrite) return 'Browsers and providers call it, without an API key.';
  return null;
}

export type OperationTool = { tool: Tool; operation: Operation; isRead: boolean };

type Tools = ReadonlyMap<string, OperationTool>;

/** By whether an API key may write. Over HTTP each request asks for them, and their schemas are long. */
const known = new Map<boolean, Tools>();

/** The tools that an API key with these scopes can use, by name. */
export function listTools(scopes: readonly string[]): Tools {
  const canWrite = scopes.includes('write');
  const tools = known.get(canWrite) ?? buildTools(readDocument(), canWrite);
  known.set(canWrite, tools);
  return tools;
}

function buildTools(document: ApiDocument, canWrite: boolean): Tools {
  const tools = new Map<string, OperationTool>();
  for (const operation of listOperations(document)) {
    if (reasonAgainst(operation) !== null) continue;
    const isRead = findDeclaration(document, operation)['x-required-scope'] !== 'write';
    if (!isRead && !canWrite) continue;
    const tool = toTool(document, operation, isRead);
    tools.set(tool.name, { tool, operation, isRead });
  }
  return tools;
}

function toTool(document: ApiDocument, operation: Operation, isRead: boolean): Tool {
  const { id, summary, description, effect } = operation;
  const plan = isRead ? '' : ' Returns a plan and changes nothing: `confirm_plan` carries it out.';
  return {
    name: id.replace('.', '_'),
    title: summary,
    description: `${summary}. ${description}${plan}`.trim(),
    inputSchema: toInputSchema(document, operation) as Tool['inputSchema'],
    // What a write plans is destructive only when it is confirmed; clients that ask before that show what kind it is.
    annotations: { readOnlyHint: isRead, destructiveHint: effect === 'deletes', idempotentHint: isRead, openWorldHint: false },
  };
}

/** The only tool that changes anything. */
export const confirmPlan: Tool = {
  name: 'confirm_plan',
  title: 'Carry out a plan',
  description:
    'Carries out a plan that another tool returned. Show the plan to the user first. A plan can be carried out once, within ten ' +
    'minutes, and only if what it changes is still as the plan says.',
  inputSchema: { type: 'object', properties: { plan: { type: 'string', description: 'The `plan` of the response.' } }, required: ['plan'] },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
};
