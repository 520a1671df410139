// Generates what web/ knows about the API: types from the OpenAPI documents, and a table of operations.
import { join } from 'node:path';
import { listOperations, type OpenApi, type Operation, readDocuments, routeLines } from '../web/operations.ts';
import { apiTypes, isCurrent, toHeading } from './ensure-api-types.mjs';
import { generateTypes, replaceFile, toTypeName } from './generate-types.ts';

/** Writes the files unless they are current. */
export async function writeWebApi(root: string): Promise<void> {
  if (isCurrent(root, apiTypes.web)) return;
  const heading = toHeading(root, apiTypes.web);
  const documents = readDocuments(root);
  const types = await generateTypes(mergeDocuments(documents));
  await replaceFile(join(root, 'web/api/types.gen.ts'), heading + types);
  await replaceFile(join(root, 'web/api/operations.gen.ts'), heading + operationsTable(listOperations(documents), types));
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
