// Health checks for supervisors and load balancers: unauthenticated, and without version information.
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { NoPrimary } from '../../db/hosts/follow-primary.ts';
import { type DatabaseState, probeDatabase } from '../../db/probe-database.ts';
import type { Web } from '../web/prepare.ts';

export type Readiness = { draining: boolean };

/** Anyone can ask, so the database is asked at most once in this time. */
const probedForMs = 1000;

/** /health/live succeeds while the process runs, /health/ready while it can serve requests, of some programs at least. */
export function serveHealth(app: FastifyInstance, ctx: Context, { readiness, web }: { readiness: Readiness; web: Web | null }): void {
  let last: { atMs: number; state: Promise<DatabaseState> } | undefined;
  const readState = (): Promise<DatabaseState> => {
    const nowMs = performance.now();
    if (!last || nowMs - last.atMs > probedForMs) last = { atMs: nowMs, state: describeDatabase(ctx) };
    return last.state;
  };
  app.get('/health/live', () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    if (readiness.draining) return reply.code(503).send({ error: 'The server is shutting down.' });
    if (web?.state().kind === 'failed') return reply.code(503).send({ error: 'The console could not be loaded.' });
    const { fault, degradation } = await readState();
    if (fault !== null) return reply.code(503).send({ error: fault });
    return degradation === null ? { status: 'ok' } : { status: 'degraded', error: degradation };
  });
}

async function describeDatabase(ctx: Context): Promise<DatabaseState> {
  try {
    const state = await probeDatabase(ctx);
    const reason = state.fault ?? state.degradation;
    if (reason !== null) ctx.log.warn({ reason }, state.fault === null ? 'degraded' : 'not ready');
    return state;
  } catch (error) {
    ctx.log.warn({ err: error }, 'not ready');
    return { fault: error instanceof NoPrimary ? error.message : 'The database is not responding.', degradation: null };
  }
}
