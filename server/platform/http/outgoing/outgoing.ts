// HTTP calls to URLs that customers configure. Connects only to public addresses, and exactly to the address that was
// checked; follows no redirects, and limits the size of responses.
import type { Agent, Dispatcher } from 'undici';
import { type Http, HttpFailure, type HttpFailureReason, type HttpRequest } from '../../lib/http.ts';
import {
  BlockedAddress,
  type CheckUrl,
  createPublicLookup,
  createUrlCheck,
  findUrlFault,
  type Resolve,
  resolveHost,
  usualPorts,
} from './check-url.ts';

const timeoutMs = 30_000;
const maxResponseBytes = 8 * 1024 * 1024;

// Errors before a connection was established. After a reset, in contrast, the request may have been read.
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

type Options = { allowPrivate: boolean; resolve?: Resolve; ports?: readonly number[] };
export type OutgoingHttp = Http & { checkUrl: CheckUrl; close(): Promise<void> };

/** The HTTP client of a process. `allowPrivate` allows http, every port, loopback and private networks. */
export function createOutgoingHttp({ allowPrivate, resolve = resolveHost, ports = usualPorts }: Options): OutgoingHttp {
  let opened: Promise<{ agent: Agent; request: typeof import('undici').request }> | null = null;
  // Loaded with the first call: a start doesn't wait for its 110 modules.
  const open = async () => {
    const { Agent, request } = await import('undici');
    const connect = allowPrivate ? { timeout: 10_000 } : { timeout: 10_000, lookup: createPublicLookup(resolve) };
    return { request, agent: new Agent({ connect, maxResponseSize: maxResponseBytes, keepAliveTimeout: 10_000 }) };
  };
  const http: Http = async ({ method, url, headers = {}, body, timeoutMs: within = timeoutMs, responseLimit, signal }) => {
    // Node does not call the lookup function for a host that is an IP address.
    const fault = findUrlFault(url, { allowPrivate, ports });
    if (fault !== null) throw new HttpFailure(`The URL ${fault}.`, { mayHaveArrived: false, reason: 'blocked' });
    opened ??= open();
    const { agent, request } = await opened;
    const timeout = AbortSignal.timeout(within);
    try {
      const response = await request(url, {
        method,
        dispatcher: agent,
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
        headers: { 'user-agent': 'Tributary', ...headers },
        body: body ?? null,
      });
      const text = responseLimit ? await readStart(response.body, responseLimit) : await response.body.text();
      const flat = Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
      return { status: response.statusCode, headers: Object.fromEntries(flat), body: text };
    } catch (error) {
      // The message doesn't include the cause: callers choose the URL and must not learn about the network behind it.
      const reason = toReason(error, timeout);
      throw new HttpFailure(`No response from ${new URL(url).host}.`, { mayHaveArrived: !isNeverSent(error), reason, cause: error });
    }
  };
  const checkUrl = createUrlCheck({ allowPrivate, ports }, resolve);
  return Object.assign(http, { checkUrl, close: async () => (await opened)?.agent.close() });
}

/** The start of a response, for callers to whom the status matters. The connection is closed if there is more. */
async function readStart(body: Dispatcher.ResponseData['body'], { bytes, ms }: NonNullable<HttpRequest['responseLimit']>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), ms);
  try {
    for await (const chunk of body) {
      chunks.push(Buffer.from(chunk));
      size += chunks.at(-1)?.length ?? 0;
      if (size >= bytes) break;
    }
  } catch {
    // The body ended early; its status was received.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, bytes).toString('utf8');
}

function toReason(error: unknown, timeout: AbortSignal): HttpFailureReason {
  if (isCausedBy(error, (cause) => cause instanceof BlockedAddress)) return 'blocked';
  if (timeout.aborted || isCausedBy(error, (cause) => codeOf(cause) === 'UND_ERR_CONNECT_TIMEOUT')) return 'timeout';
  return isNeverSent(error) ? 'unreachable' : 'no_response';
}

function isNeverSent(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof BlockedAddress || connectionErrors.has(codeOf(cause)));
}

function isCausedBy(error: unknown, test: (cause: Error) => boolean): boolean {
  return error instanceof Error && (test(error) || isCausedBy(error.cause, test));
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
