// The types of the API for web/ and sdk/ are not committed: they are generated when they are missing or their inputs have
// changed. Plain JavaScript, because it is read before a Node that runs TypeScript is chosen.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const generator = 'node_modules/@hey-api/openapi-ts/package.json';
const shared = ['openapi.json', 'scripts/documents/generate-types.ts'];

/** The generated files of each folder, and what they are generated from. */
export const apiTypes = {
  web: {
    files: ['web/api/operations.gen.ts', 'web/api/types.gen.ts'],
    inputs: [...shared, 'openapi-app.json', 'scripts/documents/web-api.ts', 'scripts/web/operations.ts'],
  },
  sdk: {
    files: ['sdk/operations.gen.ts', 'sdk/resources.gen.ts', 'sdk/types.gen.ts'],
    inputs: [...shared, ...['sdk-api', 'sdk-operations', 'sdk-resources'].map((name) => `scripts/documents/${name}.ts`)],
  },
};

/**
 * The first line of the generated files: it names the inputs by their hash.
 *
 * @param {string} root
 * @param {{ files: readonly string[], inputs: readonly string[] }} folder
 */
export function toHeading(root, { inputs }) {
  const hash = createHash('sha256').update(JSON.parse(fs.readFileSync(path.join(root, generator), 'utf8')).version);
  for (const input of inputs) hash.update(fs.readFileSync(path.join(root, input)));
  const documents = inputs.filter((input) => input.endsWith('.json')).join(' and ');
  return `// Generated from ${documents} (${hash.digest('hex').slice(0, 16)}). Not committed.\n`;
}

/**
 * Whether all files exist and were generated from the present inputs.
 *
 * @param {string} root
 * @param {{ files: readonly string[], inputs: readonly string[] }} folder
 */
export function isCurrent(root, folder) {
  const heading = toHeading(root, folder);
  return folder.files.every((file) => readStart(path.join(root, file), heading.length) === heading);
}

/**
 * Generates the files that are missing or outdated. Ends the process if that fails.
 *
 * @param {string} root
 * @param {string} node
 */
export function ensureApiTypes(root, node) {
  if (Object.values(apiTypes).every((folder) => isCurrent(root, folder))) return;
  const script = path.join(root, 'scripts', 'documents', 'write-api-types.ts');
  const { status } = spawnSync(node, ['--disable-warning=ExperimentalWarning', script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** @param {string} file @param {number} length */
function readStart(file, length) {
  try {
    return fs.readFileSync(file, 'utf8').slice(0, length);
  } catch {
    return '';
  }
}
