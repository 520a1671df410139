// The name of a build: a hash of everything that it is made from.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['web', 'scripts/web'];
const files = ['package-lock.json', 'openapi.json', 'openapi-app.json'];
/** Generated from files that are hashed themselves, and missing until a development command runs. */
const generated = /^web\/api\/\w+\.gen\.ts/;

/**
 * Hashes the sources of the web apps, how they are built, and the versions of their packages. It runs before the server
 * serves, where reading synchronously takes a fifth of the time.
 */
export function calculateFingerprint(checkout: string): string {
  const paths = [...files, ...folders.flatMap((folder) => listFiles(checkout, folder))].sort();
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(checkout, path));
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

function listFiles(checkout: string, folder: string): string[] {
  const entries = readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts') && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length + 1))
    .filter((path) => !generated.test(path));
}
