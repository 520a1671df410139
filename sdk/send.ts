// The only place that sends requests: headers, timeout, retries, and errors.
import { readError, type TributaryError, toConnectionError } from './errors.ts';
import { planRetry, sleep as sleepByTimer } from './retry.ts';

export type ClientOptions = {
  /** The address of the installation, such as `https://partners.example.com`. */
  url: string;
  /** `trb_live_…` or `trb_test_…`. Not needed for recording clicks. */
  apiKey?: string;
  /** Default: the program of the API key, which the first call that needs it looks up. */
  programId?: string;
  /** How often a failed request is repeated; default 2. */
  maxRetries?: number;
  /** The milliseconds after which a request without a response fails; default 60,000. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Replaces the timer between retries, for tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Replaces `Math.random`, for tests. */
  random?: () => number;
};

/** Options of one call. */
export type CallOptions = {
  /** Ends the request and its retries. */
  signal?: AbortSignal;
  /** Replaces the key that the client generates for each write, such as with one that survives a restart. */
  idempotencyKey?: string;
  /** Replaces `timeoutMs` of the client. */
  timeoutMs?: number;
  /** Further headers, such as `If-Match`. */
  headers?: Record<string, string>;
};

export type Request = {
  method: string;
  /** Path and query. */
  path: string;
  body?: unknown;
  /** Whether repeating the request has no second effect, on its own or because of an Idempotency-Key. */
  isRepeatable: boolean;
  /** Statuses that are returned like a success. */
  accepted: readonly number[];
};

export type Send = (request: Request, options?: CallOptions) => Promise<Response>;

/** Returns a function that resolves with the response, or rejects with a TributaryError. */
export function createSend(client: ClientOptions): Send {
  const { maxRetries = 2, sleep = sleepByTimer, random = Math.random } = client;
  return async (request, options = {}) => {
    for (let attempt = 0; ; attempt += 1) {
      const response = await attemptOnce(client, request, options);
      if (response instanceof Response) return response;
      const delay = planRetry(response, { attempt, maxRetries, isRepeatable: request.isRepeatable, random: random() });
      if (delay === null) throw response;
      await sleep(delay, options.signal);
    }
  };
}

/** Sends a request. Resolves with the error of one that failed; rejects only if the caller aborted it. */
async function attemptOnce(client: ClientOptions, request: Request, options: CallOptions): Promise<Response | TributaryError> {
  const { fetch = globalThis.fetch } = client;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? client.timeoutMs ?? 60_000);
  const init: RequestInit = {
    method: request.method,
    headers: buildHeaders(client, request, options),
    // A followed redirect would repeat a POST as a GET.
    redirect: 'manual',
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
  };
  if (request.body !== undefined) init.body = JSON.stringify(request.body);
  try {
    const response = await fetch(client.url.replace(/\/+$/, '') + request.path, init);
    const isAccepted = response.ok || request.accepted.includes(response.status);
    return isAccepted ? response : await readError(response);
  } catch (cause) {
    options.signal?.throwIfAborted();
    return toConnectionError(cause);
  }
}

function buildHeaders({ apiKey }: ClientOptions, { body }: Request, options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = { accept: '*/*', ...options.headers };
  if (apiKey) headers.authorization = `Bearer ${apiKey}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
  return headers;
}
