// Health checks for supervisors and load balancers: unauthenticated, and without version information.
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

export type Readiness = { draining: boolean };

/** /health/live succeeds while the process runs, /health/ready while it can serve requests. */
export function serveHealth(app: FastifyInstance, ctx: Context, readiness: Readiness): void {
  app.get('/health/live', () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    if (readiness.draining) return reply.code(503).send({ error: 'The server is shutting down.' });
    try {
      await sql`select 1`.execute(ctx.db);
      return { status: 'ok' };
    } catch (error) {
      ctx.log.warn({ err: error }, 'not ready');
      return reply.code(503).send({ error: 'The database is not responding.' });
    }
  });
}
