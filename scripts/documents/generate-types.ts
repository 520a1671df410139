// Types of an OpenAPI document, for the files that are generated from one.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

/** The types of every schema and operation of a document. */
export async function generateTypes(document: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-api-types-'));
  try {
    const input = join(folder, 'openapi.json');
    await writeFile(input, JSON.stringify(document));
    const output = { path: join(folder, 'out'), entryFile: false, postProcess: [] };
    await createClient({ input, output, plugins: [{ name: '@hey-api/typescript' }], logs: { level: 'silent' } });
    return await readFile(join(folder, 'out', 'types.gen.ts'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The name that the generated types of an operation begin with: `affiliates.list` becomes `AffiliatesList`. */
export function toTypeName(id: string): string {
  return id.replace(/(^|[^a-zA-Z0-9])([a-zA-Z0-9])/g, (_, _separator: string, letter: string) => letter.toUpperCase());
}

/** Writes a file as a whole: another process may read or write the same one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
}
