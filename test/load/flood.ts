// Sends many copies of a request at once.
import http from 'node:http';

export type Flood = { port: number; method: string; path: string; key: string; cookie?: string; body?: string; atOnce: number };
/** `closed`: the server closed the connection before it read the whole body, as it does when it rejects an upload. */
export type Flooded = { statuses: Record<string, number>; hasRetryAfter: boolean };

/** How often each status came, and whether each 429 had `Retry-After`. */
export async function sendFlood({ atOnce, ...request }: Flood): Promise<Flooded> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const statuses: Record<string, number> = {};
  let hasRetryAfter = true;
  try {
    for (const { status, retryAfter } of await Promise.all(Array.from({ length: atOnce }, () => send(agent, request)))) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === '429' && !(Number(retryAfter) > 0)) hasRetryAfter = false;
    }
  } finally {
    agent.destroy();
  }
  return { statuses, hasRetryAfter };
}

function send(agent: http.Agent, { port, method, path, key, cookie, body }: Omit<Flood, 'atOnce'>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: string; retryAfter: string | undefined }>();
  const origin = `http://127.0.0.1:${port}`;
  const headers: Record<string, string> = cookie === undefined ? { authorization: `Bearer ${key}` } : { cookie, origin };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const request = http.request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
    response.resume();
    response.once('error', reject);
    response.once('end', () => resolve({ status: String(response.statusCode), retryAfter: response.headers['retry-after'] }));
  });
  request.once('error', (error: NodeJS.ErrnoException) => {
    if (['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) resolve({ status: 'closed', retryAfter: undefined });
    else reject(error);
  });
  request.end(body);
  return promise;
}
