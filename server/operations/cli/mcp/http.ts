// The protocol over streamable HTTP: each request has the API key of its client, so one process serves many programs and holds
// nothing between requests but plans.
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CommandError, exitCodes, UsageError } from '../command-error.ts';
import type { Connection } from '../connection/connection.ts';
import type { Plans } from './plans.ts';
import { createMcpServer } from './server.ts';

type Setup = { address: string; connection: Connection; plans: Plans; version: string };

/** Listens at an address such as 127.0.0.1:4010. Returns the URL of the endpoint, and how to close it. */
export async function serveHttp({ address, ...setup }: Setup): Promise<{ url: string; close(): Promise<void> }> {
  const { host, port } = parseAddress(address);
  const server = createServer((request, response) => void answer(request, response, { host, ...setup }));
  await listen(server, { host, port, address });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/mcp`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parseAddress(text: string): { host: string; port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) throw new UsageError(`--http must be an address such as 127.0.0.1:4010, not "${text}".`);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function listen(server: HttpServer, { host, port, address }: { host: string; port: number; address: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new CommandError(`${address} can't be opened: ${error.message}`)));
    server.listen(port, host, resolve);
  });
}

type Endpoint = { host: string; connection: Connection; plans: Plans; version: string };

async function answer(request: IncomingMessage, response: ServerResponse, { host, connection, plans, version }: Endpoint): Promise<void> {
  const reject = (status: number, error: string, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
  if (new URL(request.url ?? '/', 'http://mcp').pathname !== '/mcp') return reject(404, 'The endpoint is /mcp.');
  if (!isExpectedHost(request, host)) return reject(403, 'This host or origin is not allowed.');
  const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!key) return reject(401, 'An API key is required: Authorization: Bearer KEY.', { 'www-authenticate': 'Bearer' });
  // Without sessions there is nothing to subscribe to and nothing to end.
  if (request.method !== 'POST') return reject(405, 'Only POST is supported.', { allow: 'POST' });
  try {
    const server = await createMcpServer({ connection: { ...connection, key, program: null }, plans, version });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const isRejected = error instanceof CommandError && error.exitCode === exitCodes.notAllowed;
    reject(
      isRejected ? 401 : 502,
      error instanceof CommandError ? error.message : 'The request failed.',
      isRejected ? { 'www-authenticate': 'Bearer' } : {},
    );
  }
}

/** A page in a browser can send requests to this machine under a name of its choice, but neither with the expected Host nor without Origin. */
function isExpectedHost({ headers }: IncomingMessage, host: string): boolean {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host);
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (isLocal && !['127.0.0.1', '::1', 'localhost'].includes(name)) return false;
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host;
}
