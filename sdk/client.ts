// The client: a method for every operation, built from the generated table of operations.
import { List } from './list.ts';
import { type Operation, operations } from './operations.gen.ts';
import { readBody, readOutcome } from './outcome.ts';
import type { Resources } from './resources.gen.ts';
import { type CallOptions, type ClientOptions, createSend, type Send } from './send.ts';

export type Client = Resources;

type Values = Record<string, unknown>;
type Call = { path: Values; input: unknown; options: CallOptions & { query?: Values } };

/** Statuses that operations with typed outcomes return like a success. */
const noEffect = [409, 422];

/** A client of one installation and program: `client.affiliates.list()`. */
export function createClient(options: ClientOptions): Client {
  const send = createSend(options);
  const findProgram = createProgramLookup(options, send);
  const resources: Record<string, Values> = {};
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const [noun = '', verb = ''] = id.split('.');
    resources[noun] ??= {};
    resources[noun][verb] = createMethod(operation, send, findProgram);
  }
  // The interfaces are generated from the same operations as the table.
  return resources as unknown as Client;
}

/** The program of the key: looked up once, and again if that failed. */
function createProgramLookup({ programId }: ClientOptions, send: Send): () => Promise<string> {
  let known: Promise<string> | null = programId === undefined ? null : Promise.resolve(programId);
  return () => {
    known ??= send({ method: 'GET', path: '/v1/me', isRepeatable: true, accepted: [] })
      .then(async (response) => ((await response.json()) as { programId: string }).programId)
      .catch((error: unknown) => {
        known = null;
        throw error;
      });
    return known;
  };
}

function createMethod(operation: Operation, send: Send, findProgram: () => Promise<string>): (...args: unknown[]) => unknown {
  const run = async (call: Call): Promise<Response> => {
    const path = operation.path.includes('{programId}') ? { ...call.path, programId: await findProgram() } : call.path;
    const query = operation.input === 'query' ? (call.input as Values | undefined) : call.options.query;
    const request = {
      method: operation.method,
      path: fillPath(operation.path, path) + toQuery(query ?? {}),
      body: operation.input === 'body' ? (call.input ?? {}) : undefined,
      isRepeatable: operation.repeat === 'safe' || operation.repeat === 'key' || call.options.idempotencyKey !== undefined,
      accepted: operation.hasOutcome ? noEffect : [],
    };
    const isKeyed = operation.repeat === 'key' && call.options.idempotencyKey === undefined;
    return send(request, isKeyed ? { ...call.options, idempotencyKey: crypto.randomUUID() } : call.options);
  };
  return (...args) => {
    const call = readArguments(operation, args);
    const { rows, hasCursor = false } = operation;
    if (rows === undefined) return run(call).then((response) => (operation.hasOutcome ? readOutcome(response) : readBody(response)));
    const read = async (query: Values) => (await (await run({ ...call, input: query })).json()) as Values;
    return new List((call.input as Values | undefined) ?? {}, { rows, hasCursor, read });
  };
}

/** Arguments are the values of the path, then the body or the query if there is one, then options. */
function readArguments({ path, input }: Operation, args: readonly unknown[]): Call {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'programId');
  const rest = args.slice(names.length);
  const [given, options] = input === null ? [undefined, rest[0]] : rest;
  return { path: Object.fromEntries(names.map((name, index) => [name, args[index]])), input: given, options: options ?? {} };
}

function fillPath(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a non-empty string`);
    return encodeURIComponent(value);
  });
}

/** Lists are sent as repeated parameters. */
function toQuery(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    [value].flat().flatMap((each) => (each === undefined || each === null ? [] : [[name, String(each)]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
