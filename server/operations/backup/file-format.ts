// The file of a backup: a gzip stream that starts with a line of text, followed by frames. A frame is a letter, the length
// of its content in four bytes, a CRC of both and the content in four bytes, and the content: JSON, or a part of a table
// as COPY writes it. The last frame has a checksum of all frames before it, so that missing frames are noticed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { crc32, createGunzip } from 'node:zlib';

const firstLine = Buffer.from('TRIBUTARY BACKUP 1\n');
const headBytes = 9;
/** Data is written in frames of about this size. */
const dataBytes = 256 * 1024;
/** No frame is larger, so a damaged length can't exhaust the memory. */
const largestFrame = 16 * 1024 * 1024;

/** `header`, then for each table `table`, `data` and `end`, then `trailer`. */
const letters = { header: 'H', table: 'T', data: 'D', end: 'E', trailer: 'Z' } as const;
export type FrameKind = keyof typeof letters;
export type Frame = { kind: FrameKind; content: Buffer };

/** The file is not a backup, or was damaged. */
export class DamagedBackup extends Error {}

/** Adds a checksum after the frames of a backup. The result is the content of the file, before compression. */
export async function* encodeFile(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  hash.update(firstLine);
  yield firstLine;
  for await (const { kind, content } of frames) {
    const bytes = encodeFrame(kind, content);
    hash.update(bytes);
    yield bytes;
  }
  yield encodeFrame('trailer', hash.digest());
}

/** Joins small pieces of data into frames, and divides large ones. */
export async function* toDataFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < dataBytes) continue;
    const bytes = Buffer.concat(waiting);
    for (let from = 0; from < bytes.length; from += largestFrame)
      yield { kind: 'data', content: bytes.subarray(from, from + largestFrame) };
    waiting = [];
    size = 0;
  }
  if (size > 0) yield { kind: 'data', content: Buffer.concat(waiting) };
}

/** The frames of a file, without the trailer. Throws DamagedBackup, at the end at the latest, if the file was changed. */
export async function* readFile(path: string): AsyncGenerator<Frame> {
  const source = createReadStream(path, { highWaterMark: dataBytes });
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* decodeFile(source.pipe(gunzip));
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new DamagedBackup(`The file is damaged, or is not a backup: ${error.message}.`);
    throw error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

async function* decodeFile(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const hash = createHash('sha256');
  const reader = createReader(chunks);
  const first = await reader.read(firstLine.length);
  if (!first?.equals(firstLine))
    throw new DamagedBackup('The file is not a backup of Tributary, or has a format that this version does not know.');
  hash.update(first);
  for (;;) {
    const head = await reader.read(headBytes);
    if (!head) throw endsEarly();
    const kind = parseKind(head.toString('latin1', 0, 1));
    const length = head.readUInt32BE(1);
    if (!kind || length > largestFrame) throw new DamagedBackup('The file is damaged: it contains an unknown frame.');
    const content = await reader.read(length);
    if (!content) throw endsEarly();
    if (head.readUInt32BE(5) !== checksum(head, content)) throw new DamagedBackup('The file is damaged: a checksum differs.');
    if (kind === 'trailer') {
      if (!content.equals(hash.digest())) throw new DamagedBackup('The file is damaged: parts of it are missing.');
      if (await reader.read(1)) throw new DamagedBackup('The file is damaged: it continues after its end.');
      return;
    }
    hash.update(head);
    hash.update(content);
    yield { kind, content };
  }
}

/** Reads exact numbers of bytes; null once the end is reached. */
function createReader(chunks: AsyncIterable<Buffer>): { read(length: number): Promise<Buffer | null> } {
  const source = chunks[Symbol.asyncIterator]();
  let waiting: Buffer[] = [];
  let size = 0;
  return {
    async read(length) {
      while (size < length) {
        const { value, done } = await source.next();
        if (done) return null;
        waiting.push(value);
        size += value.length;
      }
      const all = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting);
      const rest = all.subarray(length);
      waiting = rest.length > 0 ? [rest] : [];
      size = rest.length;
      return all.subarray(0, length);
    },
  };
}

function encodeFrame(kind: FrameKind, content: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write(letters[kind], 'latin1');
  head.writeUInt32BE(content.length, 1);
  head.writeUInt32BE(checksum(head, content), 5);
  return Buffer.concat([head, content]);
}

function checksum(head: Buffer, content: Buffer): number {
  return crc32(content, crc32(head.subarray(0, 5)));
}

function parseKind(letter: string): FrameKind | undefined {
  return (Object.keys(letters) as FrameKind[]).find((kind) => letters[kind] === letter);
}

function endsEarly(): DamagedBackup {
  return new DamagedBackup('The file is damaged: it ends early.');
}
