// Generates what web/ knows about the API: types from the OpenAPI documents, and a table of operations.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { listOperations, type OpenApi, type Operation, readDocuments, routeLines } from '../web/operations.ts';
import { isWebApiCurrent, webApiHeading } from './ensure-web-api.mjs';

/** Writes the files unless they are current. */
export async function writeWebApi(root: string): Promise<void> {
  if (isWebApiCurrent(root)) return;
  const heading = webApiHeading(root);
  const documents = readDocuments(root);
  const types = await generateTypes(mergeDocuments(documents));
  await replaceFile(join(root, 'web/api/types.gen.ts'), heading + types);
  await replaceFile(join(root, 'web/api/operations.gen.ts'), heading + operationsTable(listOperations(documents), types));
}

/** Another process may read or write the same file. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
}

/** One document with the paths and schemas of all. Schemas of the same name must be identical. */
function mergeDocuments(documents: readonly OpenApi[]): OpenApi {
  const components: Record<string, Record<string, unknown>> = {};
  const paths: OpenApi['paths'] = {};
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths)) paths[path] = { ...paths[path], ...item };
    for (const [kind, entries] of Object.entries(document.components ?? {})) {
      components[kind] ??= {};
      for (const [name, entry] of Object.entries(entries)) {
        const known = components[kind][name];
        if (known && JSON.stringify(known) !== JSON.stringify(entry)) throw new Error(`Two different ${kind} are named ${name}.`);
        components[kind][name] = entry;
      }
    }
  }
  return { ...documents[0], paths, components };
}

async function generateTypes(document: OpenApi): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-web-types-'));
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

/** Parameters, result, method and path of every operation, by its id. */
function operationsTable(operations: readonly Operation[], types: string): string {
  const typeOf = (name: string) => (types.includes(`export type ${name} =`) ? `types.${name}` : 'unknown');
  const declared = operations.map(({ id }) => {
    const name = toTypeName(id);
    if (!types.includes(`export type ${name}Data =`)) throw new Error(`${id} has no type ${name}Data.`);
    return `  '${id}': { data: types.${name}Data; result: ${typeOf(`${name}Response`)} };\n`;
  });
  return [
    "import type * as types from './types.gen.ts';\n\n",
    `export type Operations = {\n${declared.join('')}};\n\n`,
    `export const routes: Readonly<Record<keyof Operations, string>> = {\n${routeLines(operations)}};\n`,
  ].join('');
}

function toTypeName(id: string): string {
  return id.replace(/(^|[^a-zA-Z0-9])([a-zA-Z0-9])/g, (_, _separator: string, letter: string) => letter.toUpperCase());
}
