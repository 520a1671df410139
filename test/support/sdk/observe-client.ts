// A client of the test service, over real connections, and a connection that fails as a test asks.
import type { AddressInfo } from 'node:net';
import { type Client, type ClientOptions, createClient } from '../../../sdk/index.ts';
import type { TestService } from '../harness.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

export type Sent = { method: string; path: string; headers: Record<string, string> };

export type ObservedClient = {
  client: Client;
  /** Every request, in order. */
  sent: Sent[];
  /** The milliseconds of every wait before a retry; the client does not really wait. */
  waits: number[];
};

/** A failure in place of the next request's response: before the service receives it, or after the service answered. */
export type Fault = { kind: 'before' | 'after'; response?: Response };

/** A client whose next requests have these faults. */
export function observeClient(service: TestService, options: Partial<ClientOptions> = {}, faults: Fault[] = []): ObservedClient {
  const { port } = service.app.server.address() as AddressInfo;
  const sent: Sent[] = [];
  const waits: number[] = [];
  const observed: Fetch = async (url, init) => {
    sent.push({ method: init.method ?? '', path: new URL(url).pathname, headers: init.headers as Record<string, string> });
    const fault = faults.shift();
    if (fault?.kind === 'before') return fail(fault);
    const response = await fetch(url, init);
    if (fault === undefined) return response;
    await response.arrayBuffer();
    return fail(fault);
  };
  const fixed = { sleep: async (ms: number) => void waits.push(ms), random: () => 1, fetch: observed };
  const { key, programId } = service.program;
  return { client: createClient({ url: `http://127.0.0.1:${port}/`, apiKey: key, programId, ...fixed, ...options }), sent, waits };
}

function fail({ response }: Fault): Response {
  if (response) return response;
  throw new TypeError('fetch failed');
}

/** A response as the service or a proxy sends it. */
export function failure(status: number, headers: Record<string, string> = {}): Response {
  return Response.json({ error: 'Not now.', code: 'unavailable' }, { status, headers });
}
