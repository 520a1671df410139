// Starts Tributary: installs missing packages, then runs the command line under a Node that is new enough. It prints
// only installation steps, to standard error, so that the output of a command stays clean.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { envFileArguments } from './env-file.mjs';
import { runInForeground } from './run.mjs';
import { checkout, ensureInstalled, pinnedNode } from './setup.mjs';

await ensureInstalled({ dev: false });

const node = pinnedNode();
const main = path.join(checkout, 'server', 'operations', 'cli', 'main.ts');
// Node would let the objects of requests in progress take up to 128 MB before it frees them; a third of that is as fast.
const args = [
  ...envFileArguments(checkout),
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
  main,
  ...process.argv.slice(2),
];
// Caches stripped and compiled modules, which saves about a second per start.
const env = { NODE_COMPILE_CACHE: path.join(checkout, '.tributary', 'compile-cache'), ...process.env };

// Replacing this process saves the memory and the start of a second one. Older versions of Node can't.
const hasNpm = process.env.npm_lifecycle_event !== undefined;
const watch = hasNpm ? ['--import', pathToFileURL(path.join(checkout, 'scripts', 'end-with-parent.mjs')).href] : [];
if (process.execve) process.execve(node, [node, ...watch, ...args], env);
else runInForeground(node, args, { watchParent: hasNpm, env });
