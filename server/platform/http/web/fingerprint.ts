// The name of a build: a hash of everything that it is made from.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folders = ['web', 'scripts/web'];
const files = ['package-lock.json'];

/** Hashes the sources of the web apps, how they are built, and the versions of their packages. */
export async function calculateFingerprint(checkout: string): Promise<string> {
  const found = await Promise.all(folders.map((folder) => listFiles(checkout, folder)));
  const paths = [...files, ...found.flat()].sort();
  const hash = createHash('sha256');
  // One after the other: a process whose open files are limited must be able to start.
  for (const path of paths) {
    const bytes = await readFile(join(checkout, path));
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

async function listFiles(checkout: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(checkout, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts') && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length + 1));
}
