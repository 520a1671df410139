// Several servers of one service, which listen on separate ports, as separate processes do behind a load balancer.
import type { AddressInfo } from 'node:net';
import type { Context } from '../../../server/context.ts';
import { buildApp } from '../../../server/main.ts';
import { openTestService, type TestService } from '../harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
export type Served = { status: number; body: any };

export type Servers = {
  service: TestService;
  /** Sends a request to the next server. */
  post(path: string, body: object, key: string): Promise<Served>;
  close(): Promise<void>;
};

/** Starts the servers. Their clock is that of the service, and a millisecond later whenever it is read. */
export async function openServers(count: number): Promise<Servers> {
  const service = await openTestService();
  const ctx: Context = { ...service.ctx, clock: ticking(service.clock) };
  const apps = await Promise.all(Array.from({ length: count }, () => buildApp(ctx)));
  for (const app of apps) await app.listen({ port: 0, host: '127.0.0.1' });
  const ports = apps.map((app) => (app.server.address() as AddressInfo).port);
  let sent = 0;
  return {
    service,
    async post(path, body, key) {
      sent += 1;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const url = `http://127.0.0.1:${ports[sent % count]}${path}`;
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    },
    async close() {
      for (const app of apps) await app.close();
      await service.close();
    },
  };
}

/** A clock that never shows the same time twice, so that a row and another that must have its time are seen to differ. */
export function ticking(clock: Context['clock']): Context['clock'] {
  let ticks = 0;
  return {
    now() {
      ticks += 1;
      return new Date(clock.now().getTime() + ticks);
    },
  };
}
