// The server as a whole: opens the service, listens, and stops without losing a request.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { authenticate } from './accounts/programs/api-key.ts';
import { api } from './api.ts';
import { apiDocument } from './api-document.ts';
import { openService, type Service } from './compose.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { watchClaims } from './paying/payouts/send/watch-claims.ts';
import { acquireProcessLock } from './platform/db/process-lock.ts';
import { serveHealth } from './platform/http/pages/health.ts';
import { serveReference } from './platform/http/pages/reference-page.ts';
import { buildServer } from './platform/http/server.ts';
import { startJobs } from './platform/queue/queue.ts';
import { serveRedirects } from './promotion/tracking/pages/redirect.ts';
import { serveScript } from './promotion/tracking/pages/script.ts';
import { jobs } from './schedule.ts';
import { serveInbox } from './shops/inbox/receive-deliveries.ts';

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

/** What a process that serves or works needs beside its pool. */
async function settleIn(service: Service): Promise<{ ctx: Context; leave(): Promise<void> }> {
  const processLock = await acquireProcessLock(service.connection);
  const ctx: Context = { ...service.ctx, processLock };
  const stopWatching = watchClaims(ctx);
  // A step of the clock is noticed at the next reading (lib/clock.ts).
  const readings = setInterval(() => ctx.clock.now(), 1000).unref();
  return {
    ctx,
    async leave() {
      clearInterval(readings);
      await stopWatching();
      // Jobs may be sending payouts: until they are done, this process must not look as if it had ended.
      await service.stopJobs();
      await processLock.close();
      await service.close();
    },
  };
}

/** Starts the server (and, unless `withJobs` is false, the jobs in the same process). */
export async function startServer(service: Service, config: Config, { withJobs }: { withJobs: boolean }): Promise<Running> {
  const readiness = { draining: false };
  const { ctx, leave } = await settleIn(service);
  const app = await buildApp(ctx, readiness);
  await app.listen({ port: config.port, host: config.host });
  if (withJobs) await startJobs(service.boss, jobs, ctx);
  const { port } = app.server.address() as AddressInfo;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return {
    service,
    url: config.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async stop() {
      readiness.draining = true;
      await app.close();
      await leave();
    },
  };
}

/** Works jobs off without serving HTTP. */
export async function startWorker(config: Config): Promise<Service> {
  const service = await openService(config, { role: 'server', name: 'worker', supervise: true });
  const { ctx, leave } = await settleIn(service);
  await startJobs(service.boss, jobs, ctx);
  return { ...service, ctx, close: leave };
}
