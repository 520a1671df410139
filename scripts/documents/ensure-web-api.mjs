// The types of the API for web/ are not committed: they are generated when they are missing or their inputs have changed.
// Plain JavaScript, because it is read before a Node that runs TypeScript is chosen.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export const webApiFiles = ['web/api/operations.gen.ts', 'web/api/types.gen.ts'];

const inputs = ['openapi.json', 'openapi-app.json', 'scripts/documents/web-api.ts', 'scripts/web/operations.ts'];
const generator = 'node_modules/@hey-api/openapi-ts/package.json';

/**
 * The first line of the generated files: it names the inputs by their hash.
 *
 * @param {string} root
 */
export function webApiHeading(root) {
  const hash = createHash('sha256').update(JSON.parse(fs.readFileSync(path.join(root, generator), 'utf8')).version);
  for (const input of inputs) hash.update(fs.readFileSync(path.join(root, input)));
  return `// Generated from openapi.json and openapi-app.json (${hash.digest('hex').slice(0, 16)}). Not committed.\n`;
}

/**
 * Whether both files exist and were generated from the present inputs.
 *
 * @param {string} root
 */
export function isWebApiCurrent(root) {
  const heading = webApiHeading(root);
  return webApiFiles.every((file) => readStart(path.join(root, file), heading.length) === heading);
}

/**
 * Generates the files if they are missing or outdated. Ends the process if that fails.
 *
 * @param {string} root
 * @param {string} node
 */
export function ensureWebApi(root, node) {
  if (isWebApiCurrent(root)) return;
  const script = path.join(root, 'scripts', 'documents', 'write-web-api.ts');
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
