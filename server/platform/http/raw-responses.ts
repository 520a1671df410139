// Answers below the framework: what Node's parser refuses would otherwise be answered with an empty
// body, or not at all.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Ids } from '../lib/ids.ts';

const words: Record<number, [reason: string, code: string, error: string]> = {
  400: ['Bad Request', 'malformed_request', 'The request is not valid HTTP.'],
  405: ['Method Not Allowed', 'method_not_allowed', 'Method not allowed for this path.'],
  408: ['Request Timeout', 'request_timeout', 'The request took too long to arrive.'],
  417: ['Expectation Failed', 'expectation_failed', 'The Expect header is not supported.'],
  431: ['Request Header Fields Too Large', 'headers_too_large', 'The headers are too large; 16 kB is the limit.'],
};

/** How long a client has to read the answer before the connection is closed. */
const lingerMs = 1000;

/** For a connection whose request could not be read. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, ids: Ids): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  writeAnswer(socket, status, ids);
}

/** As much of a body as is still read when nobody needs it, so that the connection can be used again. */
const longestUnusedBody = 64 * 1024;

/** Whether much of the body, or an unknown amount, has not arrived. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)) return false;
  return !(Number(headers['content-length']) <= longestUnusedBody);
}

/** After an answer that did not need the body, the connection is closed instead of reading the body to its end. */
export function closeUnread(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (hasUnreadBody(request)) request.socket.destroySoon();
    });
  });
}

/** CONNECT and unknown Expect headers, which Node handles beside the request event. */
export function answerOddRequests(server: Server, ids: Ids): void {
  server.on('connect', (_request, socket: Duplex) => writeAnswer(socket, 405, ids));
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { body, headers } = compose(417, ids);
    response.writeHead(417, headers).end(body);
  });
}

function writeAnswer(socket: Duplex, status: number, ids: Ids): void {
  const { body, headers, reason } = compose(status, ids);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // A client that goes on sending would keep its half of the connection open.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function compose(status: number, ids: Ids) {
  const [reason, code, error] = words[status] ?? ['Bad Request', 'malformed_request', 'The request is not valid HTTP.'];
  const requestId = ids.uuid();
  const body = JSON.stringify({ error, code, requestId, ...(status === 400 && { details: [{ path: [], message: error }] }) });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  return { reason, body, headers };
}
