// The smallest redirect that is durable: a click is a row of five columns in the service's own PostgreSQL, clicks that
// arrive while others are written share the next insert, and a visitor is redirected after the commit. No limits, no
// duplicates, no totals: what any service of this form must do at least.
import Fastify, { type FastifyReply } from 'fastify';
import pg from 'pg';

type Click = { code: string; address: string; agent: string; reply: FastifyReply };

/** Serves it, and resolves with its port. */
export async function servePrototype(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`create table if not exists bench_clicks
    (id uuid primary key, code text not null, address text not null, agent text not null, at timestamptz not null default now());
    create index if not exists bench_clicks_by_code on bench_clicks (code, at)`);
  let waiting: Click[] = [];
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await client.query({
        name: 'clicks',
        text: `insert into bench_clicks (id, code, address, agent) select uuidv7(), * from unnest($1::text[], $2::text[], $3::text[])`,
        values: [batch.map(({ code }) => code), batch.map(({ address }) => address), batch.map(({ agent }) => agent)],
      });
      for (const { reply } of batch) reply.redirect('https://brand.example/');
    }
    isWriting = false;
  };
  const app = Fastify();
  app.get<{ Params: { code: string } }>('/r/:code', ({ params: { code }, headers }, reply) => {
    waiting.push({ code, address: String(headers['x-forwarded-for']), agent: headers['user-agent'] ?? '', reply });
    if (!isWriting) setImmediate(() => void (isWriting || write()));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
