// Metrics in the text format of Prometheus, on a separate port, which is not for the internet: they name every route
// and queue.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Service } from '../../compose.ts';
import type { ObservedResponse } from '../../platform/http/server.ts';
import { measureState } from './state.ts';

export type Metrics = {
  /** Counts a response. */
  observe(response: ObservedResponse): void;
  /** Counts requests that are missing in the request log. */
  countUnlogged(requests: number): void;
  url: string;
  close(): Promise<void>;
};

/** Serves `GET /metrics` on this address. */
export async function openMetrics(
  service: Pick<Service, 'ctx' | 'pool' | 'boss'>,
  address: { host: string; port: number },
): Promise<Metrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const refresh = measureState(registry, service);
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end('Not found. Metrics are at /metrics.\n');
      return;
    }
    try {
      await refresh();
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (error) {
      service.ctx.log.error({ err: error }, 'metrics could not be read');
      response.writeHead(500).end('The metrics could not be read.\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    observe: measureRequests(registry),
    countUnlogged: countUnlogged(registry),
    url: `http://${address.host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Measures responses by method, route and status: durations from a millisecond to ten seconds. */
function measureRequests(registry: Registry): (response: ObservedResponse) => void {
  const durations = new Histogram({
    name: 'tributary_http_request_duration_seconds',
    help: 'Duration of HTTP requests. The route is the pattern, such as /v1/programs/:programId/affiliates.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return ({ method, route, status, seconds }) => durations.observe({ method, route, status }, seconds);
}

function countUnlogged(registry: Registry): (requests: number) => void {
  const counter = new Counter({
    name: 'tributary_requests_not_logged_total',
    help: 'Requests that are missing in the request log, because the database was slower than they were.',
    registers: [registry],
  });
  return (requests) => counter.inc(requests);
}
