// The routes of every operation, from the committed OpenAPI documents. The bundler gets them without a file on disk, so that
// a build needs neither development packages nor a folder that can be written to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { listSources } from './texts.ts';

export type OpenApi = {
  paths: Record<string, Record<string, { operationId: string }>>;
  components?: Record<string, Record<string, unknown>>;
};
export type Operation = { id: string; method: string; path: string };

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The documents of the API and of the console's endpoints. */
export const documentNames = ['openapi.json', 'openapi-app.json'] as const;

/** Reads the documents of a checkout. */
export function readDocuments(root: string): OpenApi[] {
  return documentNames.map((name) => JSON.parse(readFileSync(join(root, name), 'utf8')) as OpenApi);
}

/** Every operation of the documents, by id. */
export function listOperations(documents: readonly OpenApi[]): Operation[] {
  return documents
    .flatMap(({ paths }) => Object.entries(paths))
    .flatMap(([path, item]) => methods.flatMap((method) => (item[method] ? [{ id: item[method].operationId, method, path }] : [])))
    .sort((a, b) => a.id.localeCompare(b.id, 'en'));
}

/** The lines of an object with the method and path of each operation. */
export function routeLines(operations: readonly Operation[]): string {
  return operations.map(({ id, method, path }) => `  '${id}': '${method.toUpperCase()} ${path}',\n`).join('');
}

/**
 * Supplies web/api/operations.gen.ts, whether or not the file has been generated. An app gets only the operations that it
 * calls, because all of them would be a part of its first load; the development server, which serves both apps, gets all.
 */
export function operationsPlugin(root: string, app?: string): Plugin {
  const file = join(root, 'web/api/operations.gen.ts');
  return {
    name: 'tributary-operations',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('/operations.gen.ts') ? file : null),
    load(id) {
      if (id !== file) return null;
      for (const name of documentNames) this.addWatchFile(join(root, name));
      const operations = listOperations(readDocuments(root));
      const called = app === undefined ? operations : selectCalled(operations, readSources(root, app));
      return `export const routes = {\n${routeLines(called)}};\n`;
    },
  };
}

/** The operations whose id is in a source as a literal, or can be what a template such as `conversions.${kind}` yields. */
export function selectCalled(operations: readonly Operation[], given: readonly string[]): Operation[] {
  // The names of texts, such as t('orders.list'), look like ids.
  const sources = given.map((text) => text.replace(/\bt\((?:[^()`']*\?)?\s*(?:`[^`]*`|'[^']*')/g, ''));
  const literals = new Set(sources.flatMap((text) => text.match(/(?<=')\w+(?:\.\w+)?(?=')/g) ?? []));
  const prefixes = new Set(sources.flatMap((text) => text.match(/(?<=`)\w+\.(?=\$\{)/g) ?? []));
  return operations.filter(({ id }) => literals.has(id) || prefixes.has(id.slice(0, id.indexOf('.') + 1)));
}

function readSources(root: string, app: string): string[] {
  return listSources(root, app).map((path) => readFileSync(join(root, path), 'utf8'));
}
