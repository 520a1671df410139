// The request of a tool, from its arguments.
import type { Operation } from '../api/operation.ts';
import { fillPath } from '../api/request.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import type { ApiRequest } from '../connection/send.ts';
import { defaultRows } from './input-schema.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** Throws CommandError for an argument that the operation doesn't have, so that a misspelled filter doesn't select everything. */
export function toToolRequest(operation: Operation, given: Arguments, programId: string | null): ApiRequest {
  const slots = operation.slots.map(({ name }) => name);
  const query = operation.query.map(({ name }) => name);
  const body = operation.body.map(({ name }) => name);
  const known = [...slots, ...query, ...body];
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw invalid(`Unknown argument: ${unknown.join(', ')}. Arguments: ${known.join(', ') || 'none'}.`);
  const missing = slots.filter((name) => typeof given[name] !== 'string' || given[name] === '');
  if (missing.length > 0) throw invalid(`Missing argument: ${missing.join(', ')}.`);
  const fields = Object.fromEntries(body.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
  return {
    method: operation.method,
    path: toPath(operation, given, programId),
    headers: {},
    body: operation.hasBody ? JSON.stringify(fields) : undefined,
    isRepeatable: !operation.isWrite,
  };
}

function toPath(operation: Operation, given: Arguments, programId: string | null): string {
  const fallbackOf = (name: string) => (operation.paging && name === 'limit' ? defaultRows : undefined);
  return fillPath(operation, {
    programId,
    slotOf: (name) => String(given[name]),
    queryOf: ({ name }) => given[name] ?? fallbackOf(name),
  });
}

function invalid(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
