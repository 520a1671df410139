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
  /** Bodies are sent when the first request of a round was rejected: until then, all requests are open. */
  waitsForRejection: boolean;
};
export type Flooded = { statuses: Record<string, number>; hasRetryAfter: boolean };

async function flood({ atOnce, leastMs, waitsForRejection, ...request }: Flood): Promise<Flooded> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const statuses: Record<string, number> = {};
  let hasRetryAfter = true;
  const startedAt = performance.now();
  do {
    const sent = Array.from({ length: atOnce }, () => send(agent, request));
    if (waitsForRejection) await Promise.race(sent.map(({ response }) => response));
    for (const { finish } of sent) finish();
    for (const { status, retryAfter } of await Promise.all(sent.map(({ response }) => response))) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429 && !(Number(retryAfter) > 0)) hasRetryAfter = false;
    }
  } while (performance.now() - startedAt < leastMs);
  agent.destroy();
  return { statuses, hasRetryAfter };
}

type Sent = { response: Promise<{ status: number; retryAfter: string | undefined }>; finish(): void };

/** Sends the headers; `finish` sends the body. */
function send(
  agent: http.Agent,
  { port, method, path, key, cookie, body }: Pick<Flood, 'port' | 'method' | 'path' | 'key' | 'cookie' | 'body'>,
): Sent {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; retryAfter: string | undefined }>();
  const origin = `http://127.0.0.1:${port}`;
  const headers: Record<string, string> = cookie === undefined ? { authorization: `Bearer ${key}` } : { cookie, origin };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(Buffer.byteLength(body));
  }
  const request = http.request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
    response.resume();
    response.once('error', reject);
    response.once('end', () => resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }));
  });
  // After a response, nothing is left to fail: the server closes the connection of a body that it did not read.
  request.on('error', reject);
  request.flushHeaders();
  return { response: promise, finish: () => request.end(body) };
}

let input = '';
for await (const chunk of process.stdin) input += chunk;
console.log(JSON.stringify(await flood(JSON.parse(input) as Flood)));
