// The server as a whole: opens the service, listens, and stops without losing a request.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { api } from './api.ts';
import { apiDocument } from './api-document.ts';
import { openService, type Service } from './compose.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { serveHealth } from './http/pages/health.ts';

import { serveReference } from './http/pages/reference-page.ts';
import { buildServer } from './http/server.ts';
import { serveInbox } from './inbox/deliver.ts';
import { work } from './jobs/queue.ts';
import { jobs } from './jobs.ts';
import { authenticate } from './programs/api-key.ts';
import { serveRedirects } from './tracking/pages/redirect.ts';
import { serveScript } from './tracking/pages/script.ts';

export type Running = { service: Service; url: string; stop(): Promise<void> };

/** The HTTP side alone, for a context: what tests inject into. */
export async function buildApp(ctx: Context, readiness = { draining: false }): Promise<FastifyInstance> {
  return buildServer(ctx, {
    endpoints: api,
    authenticate,
    async pages(app) {
      serveHealth(app, ctx, readiness);
      await serveInbox(app, ctx);
      await serveReference(app, apiDocument);
    },
    plainPages(app) {
      serveRedirects(app, ctx);
      serveScript(app);
    },
  });
}

/** Starts the server (and, unless `withJobs` is false, the jobs in the same process). */
export async function startServer(service: Service, config: Config, { withJobs }: { withJobs: boolean }): Promise<Running> {
  const readiness = { draining: false };
  const app = await buildApp(service.ctx, readiness);
  await app.listen({ port: config.port, host: config.host });
  if (withJobs) await work(service.boss, jobs, service.ctx);
  const { port } = app.server.address() as AddressInfo;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return {
    service,
    url: config.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async stop() {
      readiness.draining = true;
      await app.close();
      await service.close();
    },
  };
}

/** Works jobs off without serving HTTP. */
export async function startWorker(config: Config): Promise<Service> {
  const service = await openService(config, { role: 'server', name: 'worker', supervise: true });
  await work(service.boss, jobs, service.ctx);
  return service;
}
