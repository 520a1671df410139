// A file that is built once per process and sent many times: compressed if the client accepts it, and revalidated by a
// hash of its contents.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type CachedFile = { type: string; hash: string; bytes: Buffer /** Null if compression gains nothing. */; compressed: Buffer | null };

/** Hashes and compresses a text. */
export async function cacheFile(type: string, text: string): Promise<CachedFile> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { type, hash, bytes, compressed: await promisify(gzip)(bytes) };
}

/** Sends the file, or 304 if the client has it. An `immutable` file has its hash in its URL. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: CachedFile, { immutable = false } = {}): FastifyReply {
  const etag = `W/"${file.hash}"`;
  void reply.headers({
    etag,
    vary: 'accept-encoding',
    'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  void reply.type(file.type);
  if (!file.compressed || !acceptsGzip(request.headers['accept-encoding'])) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.compressed);
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((part) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(part));
}
