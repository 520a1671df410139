// Reads a backup and compares everything with its checksums.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { DamagedBackup, type Frame, type FrameKind, readFile } from './file-format.ts';
import { Header, type Summary, TableEnd, TableStart } from './manifest.ts';

/** What is done with the content. The file is verified only once `readBackup` returns. */
export type Loader = {
  begin(header: Header): Promise<void>;
  /** Must read all of `rows`. Returns how many rows were written. */
  load(table: TableStart, rows: AsyncIterable<Buffer>): Promise<number>;
};

/** Passes the content to the loader. Throws DamagedBackup if the file was changed, or is incomplete. */
export async function readBackup(path: string, loader: Loader): Promise<Summary> {
  const frames = readFile(path);
  try {
    const header = parse(Header, await nextFrame(frames, 'header'));
    await loader.begin(header);
    const tables: TableEnd[] = [];
    for await (const frame of withoutReturn(frames)) {
      const table = parse(TableStart, requireKind(frame, 'table'));
      tables.push(await readTable(frames, table, loader));
    }
    return { header, tables };
  } finally {
    await frames.return(undefined);
  }
}

/** Reads the whole file without loading it. */
export function checkBackup(path: string): Promise<Summary> {
  return readBackup(path, {
    begin: async () => {},
    load: (_table, rows) => countLines(rows),
  });
}

const newline = 10;

/** COPY writes one line for each row. */
async function countLines(chunks: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0;
  for await (const chunk of chunks) for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

async function readTable(frames: AsyncGenerator<Frame>, table: TableStart, loader: Loader): Promise<TableEnd> {
  const hash = createHash('sha256');
  const found: { bytes: number; end?: TableEnd } = { bytes: 0 };
  async function* rows(): AsyncGenerator<Buffer> {
    for await (const frame of withoutReturn(frames)) {
      if (frame.kind === 'end') {
        found.end = parse(TableEnd, frame);
        return;
      }
      const { content } = requireKind(frame, 'data');
      hash.update(content);
      found.bytes += content.length;
      yield content;
    }
  }
  const written = await loader.load(table, rows());
  const { end } = found;
  const isComplete = end?.name === table.name && end.rows === written && end.bytes === found.bytes && end.sha256 === hash.digest('hex');
  if (!end || !isComplete) throw new DamagedBackup(`The file is damaged: the table ${table.name} differs from its checksum.`);
  return end;
}

/** The next frames, whose source stays open when the reader stops early. */
function withoutReturn(frames: AsyncGenerator<Frame>): AsyncIterable<Frame> {
  return { [Symbol.asyncIterator]: () => ({ next: () => frames.next() }) };
}

async function nextFrame(frames: AsyncGenerator<Frame>, kind: FrameKind): Promise<Frame> {
  const { value, done } = await frames.next();
  if (done) throw new DamagedBackup(`The file is damaged: it has no ${kind}.`);
  return requireKind(value, kind);
}

function requireKind(frame: Frame, kind: FrameKind): Frame {
  if (frame.kind !== kind) throw new DamagedBackup(`The file is damaged: expected ${kind}, found ${frame.kind}.`);
  return frame;
}

function parse<Schema extends z.ZodType>(schema: Schema, { content }: Frame): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(content.toString()));
  } catch (error) {
    throw new DamagedBackup('The file is damaged: what it says about itself cannot be read.', { cause: error });
  }
}
