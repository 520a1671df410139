// HTTP calls to URLs that customers configure. Connects only to public addresses, and exactly to the address that was
// checked; follows no redirects, and limits the size of responses.
import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Agent } from 'undici';
import { type Http, HttpFailure } from '../../lib/http.ts';

const timeoutMs = 30_000;
const maxResponseBytes = 8 * 1024 * 1024;

class BlockedAddress extends Error {}

// Errors before a connection was established. After a reset, in contrast, the request may have been read.
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** The HTTP client of a process. `allowPrivate` allows loopback and private networks. */
export function createOutgoingHttp({ allowPrivate }: { allowPrivate: boolean }): Http & { close(): Promise<void> } {
  let opened: Promise<{ agent: Agent; request: typeof import('undici').request }> | null = null;
  // Loaded with the first call: a start doesn't wait for its 110 modules.
  const open = async () => {
    const { Agent, request } = await import('undici');
    const connect = allowPrivate ? { timeout: 10_000 } : { timeout: 10_000, lookup: lookupPublic };
    return { request, agent: new Agent({ connect, maxResponseSize: maxResponseBytes, keepAliveTimeout: 10_000 }) };
  };
  const http: Http = async ({ method, url, headers = {}, body, timeoutMs: within = timeoutMs }) => {
    if (!allowPrivate) rejectPrivate(new URL(url));
    opened ??= open();
    const { agent, request } = await opened;
    try {
      const response = await request(url, {
        method,
        dispatcher: agent,
        signal: AbortSignal.timeout(within),
        headers: { 'user-agent': 'Tributary', ...headers },
        body: body ?? null,
      });
      const text = await response.body.text();
      const flat = Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
      return { status: response.statusCode, headers: Object.fromEntries(flat), body: text };
    } catch (error) {
      // The message doesn't include the cause: callers choose the URL and must not learn about the network behind it.
      throw new HttpFailure(`No response from ${new URL(url).host}.`, {
        mayHaveArrived: !isNeverSent(error),
        cause: error,
      });
    }
  };
  return Object.assign(http, { close: async () => (await opened)?.agent.close() });
}

/** Whether an IP address is public, in any notation. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // IPv4-compatible and translated forms contain an IPv4 address.
  return !(parsed instanceof ipaddr.IPv6) || !parsed.toNormalizedString().startsWith('0:0:0:0:0:0:');
}

/** Node does not call the lookup function for a host that is an IP address. */
function rejectPrivate({ protocol, hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))) throw blockedAddressError(host);
}

const lookupPublic: typeof lookup = ((host: string, options: object, done: (error: Error | null, ...found: unknown[]) => void) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error);
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) return done(new BlockedAddress(host));
    const [first] = addresses;
    return 'all' in options && options.all ? done(null, addresses) : done(null, first?.address, first?.family);
  });
}) as typeof lookup;

function blockedAddressError(host: string): HttpFailure {
  return new HttpFailure(`${host} is not a public https address.`, { mayHaveArrived: false });
}

function isNeverSent(error: unknown): boolean {
  if (error instanceof BlockedAddress) return true;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return connectionErrors.has(code) || (error instanceof Error && error.cause instanceof Error && isNeverSent(error.cause));
}
