// Bytes on a socket, and what comes back. Loopback only, bounded in time.
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: Record<string, string>; text: string } | null;
/** `prompt`: answered as sent. `afterEnd`: only after the client had closed its side. */
export type Outcome = { response: RawAnswer; when: 'prompt' | 'afterEnd' | 'closed' | 'silent' };

const patienceMs = 1500;

/** Sends bytes and reads the first response. Null: no response at all. */
export async function sendRaw(port: number, bytes: Buffer | string): Promise<RawAnswer> {
  return (await observeRaw(port, bytes)).response;
}

/** Also returns when the response arrived. A server that waits for more bytes sees the end of the stream. */
export function observeRaw(port: number, bytes: Buffer | string): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = Buffer.alloc(0);
    let ended = false;
    const finish = (closed: boolean) => {
      clearTimeout(patience);
      clearTimeout(limit);
      socket.destroy();
      const response = parse(received);
      resolve({ response, when: response ? (ended ? 'afterEnd' : 'prompt') : closed ? 'closed' : 'silent' });
    };
    const patience = setTimeout(() => {
      ended = true;
      socket.end();
    }, patienceMs);
    const limit = setTimeout(() => finish(false), 2 * patienceMs);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isComplete(received)) finish(true);
    });
    socket.on('end', () => finish(true));
    socket.on('error', () => {});
    socket.on('close', () => finish(true));
    socket.on('connect', () => socket.write(bytes));
  });
}

function isComplete(bytes: Buffer): boolean {
  const response = parse(bytes);
  const length = response?.headers['content-length'];
  return response !== null && length !== undefined && Buffer.byteLength(response.text, 'latin1') >= Number(length);
}

/** The first final response; `100 Continue` is passed over. */
function parse(bytes: Buffer): RawAnswer {
  const text = bytes.toString('latin1').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  if (end < 0 || status === undefined) return null;
  const lines = text.slice(0, end).split('\r\n').slice(1);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4);
  const length = headers['content-length'];
  return { status: Number(status), headers, text: length === undefined ? body : body.slice(0, Number(length)) };
}
