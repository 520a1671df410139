// Bytes on a socket, and what comes back. Loopback only, bounded in time.
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: Record<string, string>; text: string } | null;
/** `prompt`: answered as sent. `afterEnd`: only once the client had said that nothing follows. */
export type Outcome = { answer: RawAnswer; when: 'prompt' | 'afterEnd' | 'closed' | 'silent' };

const patienceMs = 1500;

/** Sends bytes and reads the first answer. Null: no answer at all. */
export async function sendRaw(port: number, bytes: Buffer | string): Promise<RawAnswer> {
  return (await observeRaw(port, bytes)).answer;
}

/** The same, and how it came about: a server that waits for more is told that no more comes. */
export function observeRaw(port: number, bytes: Buffer | string): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = Buffer.alloc(0);
    let ended = false;
    const finish = (closed: boolean) => {
      clearTimeout(patience);
      clearTimeout(limit);
      socket.destroy();
      const answer = parse(received);
      resolve({ answer, when: answer ? (ended ? 'afterEnd' : 'prompt') : closed ? 'closed' : 'silent' });
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
  const answer = parse(bytes);
  const length = answer?.headers['content-length'];
  return answer !== null && length !== undefined && Buffer.byteLength(answer.text, 'latin1') >= Number(length);
}

/** The first final answer; `100 Continue` is passed over. */
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
