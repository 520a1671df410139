// The only place that sends requests. Operations, their parameters and their results are typed by the API's own
// documents (types.gen.ts). A request that needs a sign-in waits for it and is then repeated.
import { offlineError, type RequestError, readError } from './errors.ts';
import { type Operations, routes } from './operations.gen.ts';

export type OperationId = keyof Operations;

type Part<Id extends OperationId, Name extends string> = Operations[Id]['data'] extends { [K in Name]?: infer Value } ? Value : undefined;

/** Parameters may be `undefined`; those are not sent. */
type Loose<T> = T extends object ? { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] } : T;

type Field<Id extends OperationId, Name extends string> = Operations[Id]['data'] extends { [K in Name]: unknown }
  ? { [K in Name]: Loose<Part<Id, Name>> }
  : { [K in Name]?: Loose<Part<Id, Name>> | undefined };

/** What an operation is called with: `path`, `query` and `body`. */
export type Input<Id extends OperationId> = Field<Id, 'path'> & Field<Id, 'query'> & Field<Id, 'body'>;

/** What an operation returns. */
export type Result<Id extends OperationId> = Operations[Id]['result'];

type Options = {
  signal?: AbortSignal | undefined;
  /** Created when the user acts, so that a repetition has no second effect. */
  idempotencyKey?: string;
  /** The program of contract paths that don't contain one. */
  programId?: string | undefined;
  /** The version that a change is based on. */
  ifMatch?: string | undefined;
  /** The caller handles a missing session itself. */
  isSilent?: boolean;
  /** The response is a file to save, even if it is JSON. */
  isFile?: boolean;
};

/** What the page does when a request needs the user first; resolves with whether to repeat the request. */
export type Interventions = { signIn(): Promise<boolean>; confirm(): Promise<boolean>; setUpFactor(): Promise<boolean> };

/** A request may need a sign-in and then a confirmation. */
const maxRepetitions = 2;

let interventions: Interventions | null = null;

/** Registers the dialogs that requests wait for. */
export function setInterventions(given: Interventions | null): void {
  interventions = given;
}

/** Sent with every request, in addition to those that it needs. */
export const sharedHeaders: Record<string, string> = {};

/** Calls an operation of the API. Throws a RequestError unless the response is 2xx. */
export async function call<Id extends OperationId>(id: Id, input: Input<Id>, options: Options = {}): Promise<Result<Id>> {
  const [method = 'GET', template = ''] = routes[id].split(' ');
  const { path, query, body } = input as { path?: object; query?: object; body?: unknown };
  const headers = buildHeaders(method, body !== undefined, options);
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (options.signal) init.signal = options.signal;
  const url = fillPath(template, path ?? {}) + toQuery(query ?? {});
  const response = await send(url, init, options.isSilent ? maxRepetitions : 0);
  return (await (options.isFile ? response.blob() : readBody(response))) as Result<Id>;
}

/** The address of an operation, for downloads by the browser itself. */
export function operationUrl<Id extends OperationId>(id: Id, input: Input<Id>): string {
  const { path } = input as { path?: object };
  return fillPath(routes[id].split(' ')[1] ?? '', path ?? {});
}

/** A new key for one action of the user. `crypto.randomUUID` is missing on plain-HTTP addresses. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function send(url: string, init: RequestInit, repetitions: number): Promise<Response> {
  const response = await fetch(url, init).catch(async (error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw await offlineError(error);
  });
  if (response.ok) return response;
  const error = await readError(response);
  if (repetitions < maxRepetitions && (await resolveWithUser(error))) return send(url, init, repetitions + 1);
  throw error;
}

async function resolveWithUser(error: RequestError): Promise<boolean> {
  if (!interventions) return false;
  if (error.status === 401) return interventions.signIn();
  if (error.needsConfirmation) return interventions.confirm();
  if (error.needsFactor) return interventions.setUpFactor();
  return false;
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return isJson ? response.json() : response.blob();
}

function buildHeaders(method: string, hasBody: boolean, { idempotencyKey, programId, ifMatch }: Options): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...sharedHeaders };
  if (hasBody) headers['content-type'] = 'application/json';
  if (method === 'POST' || method === 'PATCH') headers['idempotency-key'] = idempotencyKey ?? newIdempotencyKey();
  if (programId) headers['tributary-program'] = programId;
  if (ifMatch) headers['if-match'] = `"${ifMatch}"`;
  return headers;
}

function fillPath(template: string, values: object): string {
  const byName = new Map<string, unknown>(Object.entries(values));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(byName.get(name))));
}

/** Lists are sent as repeated parameters. */
export function toQuery(values: object): string {
  const pairs = Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().flatMap((each) => (each === undefined || each === null ? [] : [[name, String(each)]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Whether the service responds at all. */
export async function isReachable(): Promise<boolean> {
  return fetch('/health/live', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
