// A build in memory: no request reads a file. Names below assets/ contain a hash of their contents.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export type WebFile = { type: string; etag: string; bytes: Buffer; brotli: Buffer | null; gzip: Buffer | null };

export type WebFiles = {
  /** By URL path, e.g. `/assets/console-Bx3f.js`. */
  assets: ReadonlyMap<string, WebFile>;
  /** The entry pages, by name, e.g. `console`. */
  pages: ReadonlyMap<string, string>;
  /** The file with the texts of the shell of an app in a language, `console-en`: pages load it immediately instead of after their script. */
  texts: ReadonlyMap<string, string>;
};

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.png': 'image/png',
};

/** Reads a build. Throws if it is incomplete. */
export async function loadWebFiles(folder: string): Promise<WebFiles> {
  const names = await readdir(join(folder, 'assets'));
  const sources = names.filter((name) => extname(name) in types);
  const known = new Set(names);
  const readVersion = async (name: string) => (known.has(name) ? readFile(join(folder, 'assets', name)) : null);
  const assets = new Map<string, WebFile>();
  // One file at a time: a process with few descriptors could not open all of them at once.
  for (const name of sources) {
    const bytes = await readFile(join(folder, 'assets', name));
    const [brotli, gzip] = [await readVersion(`${name}.br`), await readVersion(`${name}.gz`)];
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    assets.set(`/assets/${name}`, { type: types[extname(name)] ?? 'application/octet-stream', etag, bytes, brotli, gzip });
  }
  return { assets, pages: await readPages(folder), texts: await readTexts(folder) };
}

async function readPages(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'));
  const pages = await Promise.all(
    names.map(async (name): Promise<[string, string]> => [name.slice(0, -'.html'.length), await readFile(join(folder, name), 'utf8')]),
  );
  return new Map(pages);
}

/** Vite lists in the manifest of each app which file each source became. */
async function readTexts(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(join(folder, '.vite'))).filter((name) => name.endsWith('.json'));
  const manifests = await Promise.all(names.map((name) => readFile(join(folder, '.vite', name), 'utf8')));
  const entries = manifests.flatMap((text) => Object.entries(JSON.parse(text) as Record<string, { file: string }>));
  return new Map(
    entries.flatMap(([source, { file }]) => {
      const language = /^locales\/(\w+-\w+)-shell\.gen\.ts$/.exec(source)?.[1];
      return language ? [[language, `/${file}`] as const] : [];
    }),
  );
}
