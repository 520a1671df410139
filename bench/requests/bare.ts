// The limits of requests: a framework that returns JSON from memory, and one that runs the statements of a list with `pg`
// only. No caller, no checks, and the rows as `pg` returns them.
import Fastify from 'fastify';
import pg from 'pg';
import { countAffiliates, findAffiliatePage } from '../../server/partners/affiliates/list.ts';
import { queriesOn } from '../../server/platform/db/connect.ts';
import { program } from '../conversions-script.ts';

const limit = 50;

/** Serves both on a free port. */
export async function serveBare(connection: pg.ClientConfig): Promise<number> {
  const pool = new pg.Pool({ ...connection, max: 10 });
  const statements = await recordStatements(pool);
  const app = Fastify();
  // As large as the response of `GET /v1/me`.
  app.get('/v1/me', (_request, reply) => reply.send({ data: 'x'.repeat(600) }));
  app.get('/list', async (_request, reply) => {
    const [counted, page] = await Promise.all(statements.map((statement) => pool.query(statement)));
    return reply.send({ affiliates: page?.rows, total: Number(counted?.rows[0]?.total), limit, offset: 0 });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** The statements with which the service reads the first page of affiliates, prepared in the same way. */
async function recordStatements(pool: pg.Pool): Promise<pg.QueryConfig[]> {
  const statements: pg.QueryConfig[] = [];
  const client = await pool.connect();
  const query = (text: string, values: readonly unknown[]) => {
    statements.push({ name: `list ${statements.length}`, text, values: [...values] });
    return client.query(text, [...values]);
  };
  const recording: unknown = { options: pool.options, connect: async () => ({ query, release: () => {} }), end: async () => {} };
  const db = queriesOn(recording as Parameters<typeof queriesOn>[0]);
  await countAffiliates({ db }, { programId: program });
  await findAffiliatePage({ db }, { programId: program }, { limit, offset: 0, total: limit });
  client.release();
  return statements;
}
