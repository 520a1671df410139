// Starts Tributary: installs missing packages, then runs the command line under a Node that is new enough. It prints
// only installation steps, to standard error, so that the output of a command stays clean.
import path from 'node:path';
import { runInForeground } from './run.mjs';
import { checkout, ensureInstalled, pinnedNode } from './setup.mjs';

await ensureInstalled({ dev: false });

const main = path.join(checkout, 'server', 'operations', 'cli', 'main.ts');
runInForeground(pinnedNode(), ['--disable-warning=ExperimentalWarning', main, ...process.argv.slice(2)], {
  // If npm is killed, nothing else ends this process.
  watchParent: process.env.npm_lifecycle_event !== undefined,
  // Caches stripped and compiled modules, which saves about a second per start.
  env: { NODE_COMPILE_CACHE: path.join(checkout, '.tributary', 'compile-cache'), ...process.env },
});
