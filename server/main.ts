// Starts and stops the server, without losing a request.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { serveEmbeddedPortal } from './accounts/identity/embeds/serve.ts';
import { identification } from './accounts/identity/identification.ts';
import { sendNotFoundPage, serveFrontPage } from './accounts/identity/sign-in/pages/front.ts';
import { serveSignIn } from './accounts/identity/sign-in/pages/serve.ts';
import { api } from './api.ts';
import { apiDocument } from './api-document.ts';
import { openService, type Service } from './compose.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { serveUnsubscribe } from './messaging/emails/opt-out/serve.ts';
import { startDispatcher } from './messaging/webhooks/dispatch/dispatcher.ts';
import type { Metrics } from './operations/metrics/serve.ts';
import { startTotals } from './partners/affiliates/totals/start-totals.ts';
import { serveJoin } from './partners/applications/page/serve.ts';
import { servePayoutChangeReport } from './paying/payout-details/report/serve.ts';
import { watchClaims } from './paying/payouts/send/watch-claims.ts';
import { startHeartbeat } from './platform/db/hosts/heartbeat.ts';
import { acquireProcessLock } from './platform/db/process-lock.ts';
import { serveGuides } from './platform/http/guides/serve.ts';
import { serveHealth } from './platform/http/pages/health.ts';
import { serveIcon } from './platform/http/pages/icon.ts';
import { serveReference } from './platform/http/pages/reference-page.ts';
import { buildServer } from './platform/http/server.ts';
import { createSiteFinder } from './platform/http/sites/find-site.ts';
import type { Web } from './platform/http/web/prepare.ts';
import { serveWeb } from './platform/http/web/serve.ts';
import { getPublicUrl } from './platform/lib/network/public-url.ts';
import { startJobs } from './platform/queue/queue.ts';
import { openRequestLog } from './platform/request-log/open.ts';
import { serveMedia } from './promotion/media/serve.ts';
import { serveStorefronts } from './promotion/storefronts/serve.ts';
import { serveRedirects } from './promotion/tracking/pages/redirect.ts';
import { serveScript } from './promotion/tracking/pages/script.ts';
import { jobs } from './schedule.ts';
import { serveInbox } from './stores/inbox/receive-deliveries.ts';
import { serveWidget, serveWidgetScript } from './views/portal/widget/serve.ts';

export type Running = { service: Service; url: string; stop(): Promise<void> };

type AppParts = { web?: Web | null | undefined; metrics?: Pick<Metrics, 'observe' | 'countUnlogged'> | null | undefined };

/** Builds only the HTTP server; tests inject requests into it. */
export async function buildApp(
  ctx: Context,
  readiness = { draining: false },
  { web = null, metrics }: AppParts = {},
): Promise<FastifyInstance> {
  const requestLog = ctx.config.requestLogDays > 0 ? openRequestLog(ctx, metrics?.countUnlogged) : null;
  const app = await buildServer(ctx, {
    observe: metrics?.observe,
    log: requestLog?.add,
    endpoints: api,
    identification,
    findSite: createSiteFinder(ctx),
    sendNotFoundPage,
    async pages(app) {
      serveHealth(app, ctx, { readiness, web });
      serveFrontPage(app);
      await serveSignIn(app, ctx);
      await serveUnsubscribe(app, ctx);
      await servePayoutChangeReport(app, ctx);
      await serveJoin(app, ctx);
      await serveInbox(app, ctx);
      serveWidget(app, ctx);
      await serveReference(app, apiDocument);
      await serveGuides(app, apiDocument);
      if (web) serveWeb(app, web);
      if (web) serveEmbeddedPortal(app, ctx, web);
    },
    plainPages(app) {
      serveIcon(app);
      serveRedirects(app, ctx);
      serveScript(app);
      serveWidgetScript(app);
      serveMedia(app, ctx);
      serveStorefronts(app, ctx);
    },
  });
  if (requestLog) app.addHook('onClose', requestLog.close);
  return app;
}

/** Starts what servers and workers need: the process lock, the watch on claims, what runs beside the jobs, and the detection of clock steps. */
async function startProcess(
  service: Service,
  { withJobs }: { withJobs: boolean },
): Promise<{ ctx: Context; stopProcess(): Promise<void> }> {
  // In a cluster, a node that compares a claim with the locks of processes sees only its own: claims end with their lease.
  const processLock = service.database.cluster === null ? await acquireProcessLock(service.connection) : undefined;
  // The embedded database has no standby.
  const heartbeat = service.ctx.config.databaseUrl === undefined ? { last: () => null, stop: async () => {} } : startHeartbeat(service.ctx);
  const ctx: Context = { ...service.ctx, heartbeat };
  if (processLock) ctx.processLock = processLock;
  const stopWatching = watchClaims(ctx);
  const stopDispatcher = withJobs ? startDispatcher(ctx) : async () => undefined;
  const stopTotals = withJobs ? startTotals(ctx) : async () => undefined;
  // A step of the clock is detected when the clock is read (lib/clock.ts).
  const readings = setInterval(() => ctx.clock.now(), 1000).unref();
  return {
    ctx,
    async stopProcess() {
      clearInterval(readings);
      await Promise.all([stopWatching(), stopDispatcher(), stopTotals()]);
      // Jobs may be sending payouts: until they complete, this process must not appear to have ended.
      await service.stopJobs();
      await heartbeat.stop();
      await processLock?.close();
      await service.close();
    },
  };
}

/** Serves the metrics of a process, if a port is set for them; only then is their library loaded. */
async function startMetrics(service: Service, { host, metricsPort }: Config): Promise<Metrics | null> {
  if (metricsPort === undefined) return null;
  const { openMetrics } = await import('./operations/metrics/serve.ts');
  return openMetrics(service, { host, port: metricsPort });
}

type ServerOptions = { withJobs: boolean; web?: Web };

/** Starts the server, and the jobs in the same process if `withJobs` is set. If it can't listen, everything is closed again. */
export async function startServer(service: Service, config: Config, { withJobs, web }: ServerOptions): Promise<Running> {
  const readiness = { draining: false };
  const { ctx, stopProcess } = await startProcess(service, { withJobs });
  const opened: { close(): Promise<unknown> }[] = [];
  const stop = async (): Promise<void> => {
    readiness.draining = true;
    web?.stop();
    for (const each of opened.toReversed()) await each.close();
    await stopProcess();
  };
  try {
    const metrics = await startMetrics(service, config);
    if (metrics) opened.push(metrics);
    const app = await buildApp(ctx, readiness, { web, metrics });
    opened.push(app);
    await app.listen({ port: config.port, host: config.host });
    if (withJobs) await startJobs(service.boss, jobs, ctx);
    const { port } = app.server.address() as AddressInfo;
    return { service, url: getPublicUrl({ ...config, port }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs jobs without serving HTTP. */
export async function startWorker(config: Config): Promise<Service> {
  const service = await openService(config, { role: 'server', name: 'worker', supervise: true });
  const { ctx, stopProcess } = await startProcess(service, { withJobs: true });
  const metrics = await startMetrics(service, config);
  await startJobs(service.boss, jobs, ctx);
  return {
    ...service,
    ctx,
    async close() {
      await metrics?.close();
      await stopProcess();
    },
  };
}
