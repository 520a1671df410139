// Builds the package `@tributary/client` in sdk/dist/: ES modules, and CommonJS for programs that call `require`. Both have
// their own types, because the types of an ES module can't be required.
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'sdk/dist');

function compile(folder: string, ...args: string[]): void {
  const emit = ['--noEmit', 'false', '--incremental', 'false', '--declaration', '--outDir', join(dist, folder)];
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'sdk', '--singleThreaded', ...emit, ...args], { cwd: root, stdio: 'inherit' });
}

rmSync(dist, { recursive: true, force: true });
compile('esm');
compile('cjs', '--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false');
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
copyFileSync(join(root, 'LICENSE'), join(root, 'sdk/LICENSE'));
