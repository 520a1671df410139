// The request of a command: its path, its query and its body.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { UsageError } from '../command-error.ts';
import type { ApiRequest } from '../connection/send.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Field, toKebab } from './field.ts';
import type { Operation } from './operation.ts';
import { nullValue, parseJson } from './parse-value.ts';

export type Call = {
  operation: Operation;
  /** The values of the path, in the order of `operation.slots`. */
  slots: readonly string[];
  /** What was given for the fields of the query and the body. */
  given: ReadonlyMap<Field, unknown>;
};

export type RequestOptions = { data?: string; idempotencyKey?: string; header?: string[] };

export async function toRequest(call: Call, programId: string | null, options: RequestOptions, terminal: Terminal): Promise<ApiRequest> {
  const { operation } = call;
  const body = operation.hasBody ? await toBody(call, options.data, terminal) : undefined;
  const headers = Object.fromEntries((options.header ?? []).map(parseHeader));
  if (operation.acceptsIdempotencyKey) headers['idempotency-key'] = options.idempotencyKey ?? randomUUID();
  return {
    method: operation.method,
    path: toPath(call, programId),
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    isRepeatable: !operation.isWrite || operation.acceptsIdempotencyKey,
    optionOf: (name) => optionOf(operation, name),
    adviceForMissing: operation.slots.length > 0 ? `Find ids with \`tributary ${operation.noun} list\`.` : undefined,
  };
}

function toPath({ operation, slots, given }: Call, programId: string | null): string {
  const values = new Map(operation.slots.map(({ name }, index) => [name, slots[index] ?? '']));
  return fillPath(operation, { programId, slotOf: (name) => values.get(name) ?? '', queryOf: (field) => given.get(field) });
}

type PathValues = {
  programId: string | null;
  /** The value of a parameter in the path. */
  slotOf(name: string): string;
  /** The value of a parameter of the query; undefined without one. */
  queryOf(field: Field): unknown;
};

/** The path of an operation with its query; a list becomes several parameters of its name. */
export function fillPath({ path, query }: Operation, { programId, slotOf, queryOf }: PathValues): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'programId' ? (programId ?? '') : slotOf(name)),
  );
  const parameters = new URLSearchParams();
  for (const field of query) {
    const value = queryOf(field);
    for (const each of Array.isArray(value) ? value : value === undefined ? [] : [value]) parameters.append(field.name, String(each));
  }
  return parameters.size === 0 ? filled : `${filled}?${parameters}`;
}

/** `--data` with the options on top of it. */
async function toBody({ operation, given }: Call, data: string | undefined, terminal: Terminal): Promise<unknown> {
  const base = data === undefined ? {} : parseData(await readData(data, terminal));
  const fields = operation.body.filter((field) => given.has(field));
  if (fields.length === 0) return base;
  if (typeof base !== 'object' || base === null || Array.isArray(base)) throw new UsageError('--data must be a JSON object.');
  const body: Record<string, unknown> = { ...base };
  for (const field of fields) body[field.name] = toBodyValue(given.get(field));
  return body;
}

function toBodyValue(value: unknown): unknown {
  return value === nullValue ? null : value;
}

async function readData(data: string, terminal: Terminal): Promise<string> {
  if (data === '-' || data === '@-') return terminal.readInput();
  return data.startsWith('@') ? readFile(data.slice(1), 'utf8') : data;
}

function parseData(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new UsageError(`--data is not valid. ${error instanceof Error ? error.message : error}`);
  }
}

function parseHeader(text: string): [string, string] {
  const [name = '', ...value] = text.split(':');
  if (name.trim() === '' || value.length === 0) throw new UsageError(`--header must have the form "Name: value", not "${text}".`);
  return [name.trim().toLowerCase(), value.join(':').trim()];
}

function optionOf(operation: Operation, name: string): string | undefined {
  const field = [...operation.query, ...operation.body].find((each) => each.name === name);
  if (field) return `--${field.flag}`;
  return operation.slots.some((slot) => slot.name === name) ? toPlaceholder(name) : undefined;
}

/** `webhookId` → `WEBHOOK-ID` */
export function toPlaceholder(name: string): string {
  return toKebab(name).toUpperCase();
}
