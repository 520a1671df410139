// Bytes on a socket, and what comes back. Loopback only, bounded in time.
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: Record<string, string>; text: string } | null;

/** Sends bytes and reads until the server closes, answers in full, or 1.5 s have passed. Null: no answer at all. */
export function sendRaw(port: number, bytes: Buffer | string): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const chunks: Buffer[] = [];
    const finish = () => {
      socket.destroy();
      resolve(parse(Buffer.concat(chunks)));
    };
    const timer = setTimeout(finish, 1500);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (isComplete(Buffer.concat(chunks))) finish();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      finish();
    });
    socket.on('connect', () => socket.write(bytes));
  });
}

function isComplete(bytes: Buffer): boolean {
  const answer = parse(bytes);
  const length = answer?.headers['content-length'];
  return answer !== null && length !== undefined && Buffer.byteLength(answer.text) >= Number(length);
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
