// Invalid and unusual requests, generated from the table of contents. One seed, one sequence.
import fc from 'fast-check';
import { type AnyEndpoint, parseRoute } from '../../../server/platform/http/declaration/endpoint.ts';

export type OddRequest = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined };
type Values = Record<string, string>;

/** JSON texts (not values: some have no value) that have broken servers before. */
const oddJson = fc.constantFrom(
  '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '1e400', '-1e400', '-0', '9007199254740993', '0.1', '1e-7', '1e21', 'null', 'true', '[]', '{}',
  '""', '" "', '"\\u202e"', '"\\u200b"', '"\\ufeff"', '"=1+1"', '"<script>alert(1)</script>"', '"javascript:alert(1)"', '"\\r\\nBcc: a@b.co"', '"\'; drop table affiliates; --"',
  '"%00"', '"../../etc/passwd"', '"{}"', '"01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f"', '"01980A4E7B8E7C3E9F612B7F1C3D4E5F"', '{"__proto__":{"a":1}}', '{"constructor":1}',
  '{"a":1,"a":2}', `"${'x'.repeat(9000)}"`, `${'['.repeat(10_000)}${']'.repeat(10_000)}`, `[${'0,'.repeat(9000)}0]`, '"infinity"', '"2026-02-30"', '"ada@exämple.com"', '"\\u212a@example.com"',
); // biome-ignore format: a list

const junkJson = fc.oneof(
  oddJson,
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
);

const jsonHeaders: Values = { 'content-type': 'application/json' };

const oddHeaders = fc.constantFrom<Values>(
  {}, {}, {}, {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-encoding': 'gzip' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': 'fuzz' },
  { 'x-request-id': '\'"><svg>' },
  { 'x-http-method-override': 'DELETE' },
); // biome-ignore format: a list

const oddQueries = fc.constantFrom(
  '', '', '', 'limit=0', 'limit=1e3', 'limit=0x10', 'limit=5&limit=6', 'limit=%00', 'offset=-1', 'offset=99999999999', 'offset=2147483647', 'status=%ff', 'status[]=active',
  'search=%', 'search=%25%5F%5C', 'search=%00', 'search=%ed%a0%80', `search=${'a%25'.repeat(60)}`, 'search=\\', '__proto__[a]=1', 'constructor=1', '&&&=', 'revision=approved&revision=current',
); // biome-ignore format: a list

const oddSegments = fc.constantFrom(
  '%00',
  '%',
  '%zz',
  '..',
  '%2e%2e',
  '\\',
  ' ',
  '%20',
  'null',
  '0',
  'a'.repeat(900),
  '%ed%a0%80',
  '%ff',
  '{}',
  "'",
  ';',
  '*',
  'ä',
);

/** A body that the endpoint takes, so that one wrong place is the only wrong place. */
export type Sample = (endpoint: AnyEndpoint, serial: number) => { params: Values; body: Record<string, unknown> | undefined };

/** `count` requests over all endpoints: valid ones, valid bodies with one place changed, and junk of every kind. */
export function oddRequests(
  endpoints: readonly AnyEndpoint[],
  { seed, count, sample }: { seed: number; count: number; sample: Sample },
): OddRequest[] {
  const choice = fc.record({
    at: fc.nat(endpoints.length - 1),
    kind: fc.constantFrom('valid', 'mutate', 'mutate', 'mutate', 'junk', 'junk', 'bytes', 'path'),
    place: fc.nat(30),
    json: junkJson,
    bytes: fc.uint8Array({ maxLength: 200 }),
    big: fc.nat(60), // 0 and 1: too large
    headers: oddHeaders,
    query: oddQueries,
    segment: oddSegments,
    method: fc.constantFrom(null, null, null, null, null, 'PUT', 'DELETE', 'HEAD', 'OPTIONS'),
  });
  return fc.sample(choice, { seed, numRuns: count }).flatMap((pick, serial) => {
    const endpoint = endpoints[pick.at];
    if (!endpoint) return [];
    const { params, body } = sample(endpoint, serial);
    const route = parseRoute(endpoint.route);
    const parts = route.path.split('/').map((part) => (part.startsWith(':') ? (params[part.slice(1)] ?? '') : part));
    if (pick.kind === 'path') parts[3 + (pick.place % Math.max(1, parts.length - 3))] = pick.segment;
    const isValid = pick.kind === 'valid';
    const path = parts.join('/') + (pick.query && !isValid ? `?${pick.query}` : '');
    const method = isValid ? route.method : (pick.method ?? route.method);
    const payload = body && bodyOf(pick, body);
    return [
      {
        method,
        path,
        headers: isValid ? jsonHeaders : { ...jsonHeaders, ...pick.headers },
        body: ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : payload,
      },
    ];
  });
}

function bodyOf(
  pick: { kind: string; place: number; json: string; bytes: Uint8Array; big: number },
  body: Record<string, unknown>,
): Buffer {
  if (pick.big === 0) return Buffer.from(`{"x":"${'y'.repeat(70_000)}"}`);
  if (pick.big === 1) return Buffer.from(`[${'0,'.repeat(65_536)}0]`);
  if (pick.kind === 'junk') return Buffer.from(pick.json);
  if (pick.kind === 'bytes') return Buffer.from(pick.bytes);
  if (pick.kind === 'path' || pick.kind === 'valid') return Buffer.from(JSON.stringify(body));
  const fields = Object.keys(body);
  const changed = fields[pick.place % fields.length];
  const members = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}:${name === changed ? pick.json : JSON.stringify(value)}`,
  );
  return Buffer.from(`{${members.join(',')}}`);
}
