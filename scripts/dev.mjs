// Runs a TypeScript file of the checkout for development: `node scripts/dev.mjs file.ts [args]`.
// Installs the development packages if any are missing, generates the types of the API for web/ and sdk/ if
// they are outdated, uses a Node that is new enough, and puts the installed tools first on the PATH.
import path from 'node:path';
import { ensureApiTypes } from './documents/ensure-api-types.mjs';
import { runInForeground } from './run.mjs';
import { checkout, ensureInstalled, pinnedNode } from './setup.mjs';

const [file, ...args] = process.argv.slice(2);
if (!file) {
  process.stderr.write('Usage: node scripts/dev.mjs <file.ts> [arguments]\n');
  process.exit(2);
}

await ensureInstalled({ dev: true });
ensureApiTypes(checkout, pinnedNode());

const tools = path.join(checkout, 'node_modules', '.bin');
// Node caches compiled modules in this folder, which makes the next start twice as fast.
const compileCache = path.join(checkout, '.tributary', 'compile-cache');
runInForeground(pinnedNode(), ['--disable-warning=ExperimentalWarning', file, ...args], {
  env: { NODE_COMPILE_CACHE: compileCache, ...process.env, PATH: [tools, process.env.PATH].filter(Boolean).join(path.delimiter) },
  watchParent: process.env.npm_lifecycle_event !== undefined,
});
