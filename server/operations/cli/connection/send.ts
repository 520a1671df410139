// Sends requests to an installation. What can be repeated safely is repeated when the service asks for it, or can't be
// reached.
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError, exitCodes } from '../command-error.ts';
import type { Connection } from './connection.ts';
import { isTemporary, type RequestOrigin, toFailure } from './failure.ts';

export type ApiRequest = RequestOrigin & {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Repeating the request has no further effect. */
  isRepeatable: boolean;
};

export type ApiResponse = {
  status: number;
  headers: Headers;
  mediaType: string;
  content: Buffer;
  /** The content of a JSON response. */
  body: unknown;
};

const maxAttempts = 4;
const timeoutMs = 120_000;
const longestWaitSeconds = 60;

/** The JSON at a path, with its query. Throws CommandError for any other response than a success. */
export async function get(connection: Connection, path: string): Promise<unknown> {
  return (await send(connection, { method: 'GET', path, headers: {}, body: undefined, isRepeatable: true })).body;
}

/** The response to a request. Throws CommandError for any other than a success. */
export async function send(connection: Connection, request: ApiRequest): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === maxAttempts;
    const response = await attemptOnce(connection, request, isLast || !request.isRepeatable);
    if (response && response.status < 400) return response;
    const isLimited = response?.status === 429;
    if (response && (isLast || !isTemporary(response) || !(request.isRepeatable || isLimited)))
      throw toFailure(connection, request, response);
    await wait(delayMs(attempt, response));
  }
}

/** Null if the service can't be reached and the request will be repeated. */
async function attemptOnce(connection: Connection, request: ApiRequest, isFinal: boolean): Promise<ApiResponse | null> {
  const { method, path, body } = request;
  try {
    const headers = { ...connectionHeaders(connection, body), ...request.headers };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(connection.url + path, { method, headers, body: body ?? null, redirect: 'manual', signal });
    return await readResponse(response);
  } catch (error) {
    if (!isFinal) return null;
    throw new CommandError(`${connection.url} can't be reached: ${describe(error)}. ${adviceFor(connection.url)}`, exitCodes.unavailable);
  }
}

function connectionHeaders({ key }: Connection, body: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5', 'user-agent': 'tributary-cli' };
  if (key !== null) headers.authorization = `Bearer ${key}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  return headers;
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const content = Buffer.from(await response.arrayBuffer());
  const mediaType = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const isJson = mediaType === 'application/json' && content.length > 0;
  return {
    status: response.status,
    headers: response.headers,
    mediaType,
    content,
    body: isJson ? JSON.parse(content.toString()) : undefined,
  };
}

function delayMs(attempt: number, response: ApiResponse | null): number {
  const asked = Number(response?.headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(asked)) return Math.min(asked, longestWaitSeconds) * 1000;
  return 250 * 2 ** attempt * (0.5 + Math.random() / 2);
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') return 'no server listens there';
  return cause instanceof Error ? cause.message : String(cause);
}

function adviceFor(url: string): string {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
  return isLocal ? 'Start it with `bin/tributary serve`, or pass --url.' : 'Check the address and your connection.';
}
