// Sends many concurrent copies of a request from its own process, and prints the responses. What it receives must not slow down
// the process that measures.
import http from 'node:http';

export type Flood = {
  port: number;
  method: string;
  path: string;
  key: string;
  cookie?: string;
  body?: string;
  atOnce: number;
  leastMs: number;
};
export type Flooded = { statuses: Record<string, number>; hasRetryAfter: boolean; ms: number };

async function flood({ atOnce, leastMs, ...request }: Flood): Promise<Flooded> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const statuses: Record<string, number> = {};
  let hasRetryAfter = true;
  const startedAt = performance.now();
  do {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => send(agent, request)));
    for (const { status, retryAfter } of answers) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429 && !(Number(retryAfter) > 0)) hasRetryAfter = false;
    }
  } while (performance.now() - startedAt < leastMs);
  agent.destroy();
  return { statuses, hasRetryAfter, ms: performance.now() - startedAt };
}

function send(agent: http.Agent, { port, method, path, key, cookie, body }: Omit<Flood, 'atOnce' | 'leastMs'>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; retryAfter: string | undefined }>();
  const origin = `http://127.0.0.1:${port}`;
  const headers: Record<string, string> = cookie === undefined ? { authorization: `Bearer ${key}` } : { cookie, origin };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const request = http.request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
    response.resume();
    response.once('error', reject);
    response.once('end', () => resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }));
  });
  request.once('error', reject);
  request.end(body);
  return promise;
}

let input = '';
for await (const chunk of process.stdin) input += chunk;
console.log(JSON.stringify(await flood(JSON.parse(input) as Flood)));
