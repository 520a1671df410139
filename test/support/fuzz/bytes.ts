// Bytes for the socket: requests that no client library would send, and no requests at all.
import fc from 'fast-check';

type Target = { path: string; key: string };
type Template = (junk: string) => string;

/** Whether a request line came in full; from then on the caller is owed an response. */
export function hasRequestLine(bytes: Buffer): boolean {
  return /^(?:\r?\n)*[^\s]+ [^\r\n]* HTTP\/\d\.\d\r?\n/.test(bytes.toString('latin1'));
}

export function oddBytes(seed: number, count: number, target: Target): Buffer[] {
  const templates = [...lines(target), ...headers(target), ...framings(target)];
  const picks = fc.record({ template: fc.nat(templates.length - 1), junk: fc.uint8Array({ maxLength: 120 }) });
  return fc.sample(picks, { seed, numRuns: count }).map(({ template, junk }) => {
    const make: Template = templates[template] ?? ((text) => text);
    return Buffer.from(make(Buffer.from(junk).toString('latin1')), 'latin1');
  });
}

const word = (junk: string) => junk.replace(/[^\x21-\x7e\x80-\xff]/g, '');
const host = 'Host: a\r\n';

/** Request lines: broken, unfinished, of other versions, methods and forms. */
function lines({ path, key }: Target): Template[] {
  const good = `${host}Authorization: Bearer ${key}\r\n\r\n`;
  return [
    (junk) => junk,
    (junk) => `${junk}\r\n\r\n`,
    (junk) => `GET ${path}${word(junk).slice(0, 9)}`,
    () => '\r\n\r\n',
    (junk) => `${word(junk).slice(0, 8) || 'X'} ${path} HTTP/1.1\r\n${good}`,
    (junk) => `GET ${path}${word(junk)} HTTP/1.1\r\n${good}`,
    (junk) => `GET ${path}?search=${word(junk)} HTTP/1.1\r\n${good}`,
    (junk) => `GET ${path} HTTP/9.9\r\n${good}${junk}`,
    () => `GET ${path} HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    (junk) => `GET http://evil.example${path} HTTP/1.1\r\n${good}${junk}`,
    (junk) => `GET //${word(junk)}/v1/me HTTP/1.1\r\n${good}`,
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    (junk) => `CONNECT ${word(junk) || 'a:1'} HTTP/1.1\r\n${host}\r\n`,
    ...['get', 'Post', 'TRACE', 'OPTIONS', 'PROPFIND', 'QUERY', 'BREW'].map((method) => () => `${method} ${path} HTTP/1.1\r\n${good}`),
    () => `GET /${'a'.repeat(17_000)} HTTP/1.1\r\n${good}`,
  ];
}

/** Headers: missing, odd, repeated, too long, too many. */
function headers({ path, key }: Target): Template[] {
  const get = `GET ${path} HTTP/1.1\r\n`;
  return [
    (junk) => `${get}Authorization: Bearer ${key}\r\n\r\n${junk}`,
    (junk) => `${get}${host}${junk.replace(/[\r\n]/g, '')}\r\n\r\n`,
    (junk) => `${get}${host}X-Odd: ${junk}\r\n\r\n`,
    (junk) => `${get}${host}Authorization: ${junk.replace(/[\r\n]/g, '')}\r\n\r\n`,
    () => `${get}${host}X-Long: ${'z'.repeat(17_000)}\r\n\r\n`,
    () => `${get}${host}${'a:\r\n'.repeat(2500)}\r\n`,
    () => `${get}Host: a\r\nHost: b\r\n\r\n`,
    () => `${get}${host}X: a\r\n folded\r\n\r\n`,
    () => `GET ${path} HTTP/1.1\nHost: a\n\n`,
    () => `${get}${host}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    (junk) => `${get}${host}Expect: ${word(junk) || 'tea'}\r\n\r\n`,
    () => `${get}${host}X: unfinished`,
  ];
}

/** Bodies: lengths and chunks that contradict themselves or never come. */
function framings({ path, key }: Target): Template[] {
  const post = `POST ${path} HTTP/1.1\r\n${host}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
  return [
    (junk) => `${post}Content-Length: ${junk.length}\r\n\r\n${junk}`,
    (junk) => `${post}Content-Length: ${junk.length + 40}\r\n\r\n${junk}`,
    (junk) => `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${junk}`,
    () => `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
    (junk) => `${post}Content-Length: -5\r\n\r\n${junk}`,
    (junk) => `${post}Content-Length: 99999999999999999999\r\n\r\n${junk}`,
    (junk) => `${chunked}zz\r\n${junk}`,
    (junk) => `${chunked}2\r\n{}${junk}`,
    (junk) => `${chunked}${(junk.length || 1).toString(16)}\r\n${junk || 'x'}\r\n0\r\n\r\n`,
    () => `${chunked}11171\r\n${'y'.repeat(70_001)}\r\n0\r\n\r\n`,
    () => `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    () => `${post}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  ];
}
