// Responses below the web framework: Node would send requests that its parser rejects an empty response, or none.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Ids } from '../lib/ids.ts';

type Description = [reason: string, code: string, error: string];

const invalidHttp: Description = ['Bad Request', 'malformed_request', 'The request is not valid HTTP.'];
const descriptions: Record<number, Description> = {
  400: invalidHttp,
  405: ['Method Not Allowed', 'method_not_allowed', 'Method not allowed for this path.'],
  408: ['Request Timeout', 'request_timeout', 'The request took too long to arrive.'],
  417: ['Expectation Failed', 'expectation_failed', 'The Expect header is not supported.'],
  431: ['Request Header Fields Too Large', 'headers_too_large', 'The request headers are too large: the limit is 16 kB.'],
};

/** How long a client may take to read the response before the connection is closed. */
const lingerMs = 1000;

/** Responds on a connection whose request could not be parsed. */
export function rejectUnparsableRequest(error: NodeJS.ErrnoException, socket: Socket, ids: Ids): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  writeResponse(socket, status, ids);
}

/** Responds to a request whose body arrives too slowly, and closes its connection. */
export function rejectSlowRequest(socket: Socket, ids: Ids): void {
  if (socket.writable) writeResponse(socket, 408, ids);
  else socket.destroy();
}

/** An unneeded body up to this size is still read, so that the connection can be reused. */
const maxUnneededBytes = 64 * 1024;

/** Whether a large part of the body, or an unknown amount, has not arrived. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  return !request.complete && hasBody(request) && !(Number(request.headers['content-length']) <= maxUnneededBytes);
}

/** Whether the headers of a request announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** How much of an unneeded body is discarded, and for how long, before the connection is closed. */
const maxDiscardedBytes = 16 * 1024 * 1024;
const maxDiscardMs = 5000;

/**
 * Closes a connection after a response that did not need the body. Closing it while bytes arrive would reset it, and the
 * client would lose the response; so what a client is about to send is discarded first, up to a limit.
 */
export function closeUnreadConnections(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    response.once('prefinish', () => {
      if (hasUnreadBody(request)) closeAfterDiscarding(request);
    });
  });
}

function closeAfterDiscarding(request: IncomingMessage): void {
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  const close = (): void => void socket.destroy();
  const timer = setTimeout(close, maxDiscardMs);
  socket.once('close', () => clearTimeout(timer));
  // Node calls it after the response, and would destroy the connection with unread bytes.
  socket.destroySoon = () => void socket.end();
  request.on('data', () => {
    if (socket.bytesRead - bytesBefore > maxDiscardedBytes) close();
  });
  request.once('end', close);
  socket.end();
}

/** Rejects CONNECT and unknown Expect headers, for which Node emits separate events. */
export function rejectUnsupportedRequests(server: Server, ids: Ids): void {
  server.on('connect', (_request, socket: Duplex) => writeResponse(socket, 405, ids));
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { body, headers } = buildResponse(417, ids);
    response.writeHead(417, headers).end(body);
  });
}

function writeResponse(socket: Duplex, status: number, ids: Ids): void {
  const { body, headers, reason } = buildResponse(status, ids);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // A client that continues to send would hold its side of the connection open.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function buildResponse(status: number, ids: Ids) {
  const [reason, code, error] = descriptions[status] ?? invalidHttp;
  const requestId = ids.uuid();
  const details = status === 400 ? [{ path: [], message: error }] : undefined;
  const body = JSON.stringify({ error, code, requestId, details });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  return { reason, body, headers };
}
