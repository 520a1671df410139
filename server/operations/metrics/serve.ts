// Metrics in the text format of Prometheus, on a separate port, which is not for the internet: they name every route
// and queue.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Service } from '../../compose.ts';
import type { ObservedResponse } from '../../platform/http/server.ts';
import { measureRequests } from './requests.ts';
import { measureState } from './state.ts';

export type Metrics = {
  /** Counts a response. */
  observe(response: ObservedResponse): void;
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
    url: `http://${address.host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
