// Health checks for supervisors and load balancers: unauthenticated, and without version information.
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { NoPrimary } from '../../db/hosts/follow-primary.ts';
import { probeDatabase } from '../../db/probe-database.ts';
import type { Web } from '../web/prepare.ts';

export type Readiness = { draining: boolean };

/** Anyone can ask, so the database is asked at most once in this time. */
const probedForMs = 1000;

/** /health/live succeeds while the process runs, /health/ready while it can serve requests. */
export function serveHealth(app: FastifyInstance, ctx: Context, { readiness, web }: { readiness: Readiness; web: Web | null }): void {
  let last: { atMs: number; fault: Promise<string | null> } | undefined;
  const findDatabaseFault = (): Promise<string | null> => {
    const nowMs = performance.now();
    if (!last || nowMs - last.atMs > probedForMs) last = { atMs: nowMs, fault: describeDatabase(ctx) };
    return last.fault;
  };
  app.get('/health/live', () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    if (readiness.draining) return reply.code(503).send({ error: 'The server is shutting down.' });
    if (web?.state().kind === 'failed') return reply.code(503).send({ error: 'The console could not be loaded.' });
    const fault = await findDatabaseFault();
    return fault === null ? { status: 'ok' } : reply.code(503).send({ error: fault });
  });
}

async function describeDatabase(ctx: Context): Promise<string | null> {
  try {
    const fault = await probeDatabase(ctx);
    if (fault !== null) ctx.log.warn({ reason: fault }, 'not ready');
    return fault;
  } catch (error) {
    ctx.log.warn({ err: error }, 'not ready');
    return error instanceof NoPrimary ? error.message : 'The database is not responding.';
  }
}
