// Starts Tributary: installs the packages if any are missing, then runs the command line under a
// Node that is new enough. It prints nothing but the steps of an installation, and those to stderr,
// so that the output of a command stays clean.
import path from 'node:path';
import { runInForeground } from './run.mjs';
import { checkout, ensureInstalled, pinnedNode } from './setup.mjs';

await ensureInstalled({ dev: false });

const main = path.join(checkout, 'server', 'cli', 'main.ts');
runInForeground(pinnedNode(), ['--disable-warning=ExperimentalWarning', main, ...process.argv.slice(2)], {
  // Under npm nobody else would notice that npm itself was killed.
  watchParent: process.env.npm_lifecycle_event !== undefined,
  // Stripped and compiled modules are kept: without them every start would spend a second on that.
  env: { NODE_COMPILE_CACHE: path.join(checkout, '.tributary', 'compile-cache'), ...process.env },
});
