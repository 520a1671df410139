// The way out: calls to addresses that customers name. Refuses every address that isn't public, connects to
// exactly the address it checked, follows no redirects, and reads no endless answers.
import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { type Http, HttpFailure } from '../../lib/http.ts';

const timeoutMs = 30_000;
const maxAnswerBytes = 8 * 1024 * 1024;

class Blocked extends Error {}

// Errors of a connection that was never made. A reset is not among them: the request may have been read.
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** An Http for the whole process. `allowPrivate` also reaches loopback and private networks. */
export function createOutgoingHttp({ allowPrivate }: { allowPrivate: boolean }): Http & { close(): Promise<void> } {
  const agent = new Agent({
    connect: { timeout: 10_000, ...(!allowPrivate && { lookup: publicLookup }) },
    maxResponseSize: maxAnswerBytes,
    keepAliveTimeout: 10_000,
  });
  const http: Http = async ({ method, url, headers = {}, body, timeoutMs: within = timeoutMs }) => {
    if (!allowPrivate) refusePrivate(new URL(url));
    try {
      const answer = await request(url, {
        ...{ method, dispatcher: agent, signal: AbortSignal.timeout(within) },
        headers: { 'user-agent': 'Tributary', ...headers },
        ...(body !== undefined && { body }),
      });
      const text = await answer.body.text();
      const flat = Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
      return { status: answer.statusCode, headers: Object.fromEntries(flat), body: text };
    } catch (error) {
      // One text for every reason: callers choose the address, and must not learn what listens behind it.
      throw new HttpFailure(`No answer from ${new URL(url).host}.`, {
        mayHaveArrived: !isNeverSent(error),
        cause: error,
      });
    }
  };
  return Object.assign(http, { close: () => agent.close() });
}

/** Whether an address is one that the whole internet reaches, in whatever form it is written. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Compatible and translated forms carry an IPv4 address inside.
  return !(parsed instanceof ipaddr.IPv6) || !parsed.toNormalizedString().startsWith('0:0:0:0:0:0:');
}

/** Node asks no lookup for a host that is an address already. */
function refusePrivate({ protocol, hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))) throw blocked(host);
}

const publicLookup: typeof lookup = ((host: string, options: object, done: (error: Error | null, ...found: unknown[]) => void) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error);
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) return done(new Blocked(host));
    const [first] = addresses;
    return 'all' in options && options.all ? done(null, addresses) : done(null, first?.address, first?.family);
  });
}) as typeof lookup;

function blocked(host: string): HttpFailure {
  return new HttpFailure(`${host} is not a public https address.`, { mayHaveArrived: false });
}

function isNeverSent(error: unknown): boolean {
  if (error instanceof Blocked) return true;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return neverSent.has(code) || (error instanceof Error && error.cause instanceof Error && isNeverSent(error.cause));
}
