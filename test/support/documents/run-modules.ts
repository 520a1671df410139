// Runs the modules that a document shows: each block of code whose first line names its file, such as `// lib/shop.js`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';

const folder = resolve('.tributary');

/**
 * Writes the modules into a temporary folder, JSX compiled, and imports them by their files. `packages` has the source of each
 * package that isn't installed here. Call `remove` in the end.
 */
export async function importModules(path: string, packages: Readonly<Record<string, string>>) {
  mkdirSync(folder, { recursive: true });
  const root = mkdtempSync(join(folder, 'guide-'));
  const write = (file: string, code: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), code);
  };
  write('package.json', '{ "type": "module" }');
  for (const [name, code] of Object.entries(packages)) {
    // Such as `next/navigation`, or `@tributary/client`.
    const [, packageName = '', part = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.+)?$/.exec(name) ?? [];
    write(`node_modules/${packageName}/package.json`, JSON.stringify({ type: 'module', exports: { [`.${part}`]: './index.js' } }));
    write(`node_modules/${packageName}/index.js`, code);
  }
  const blocks = [...readFileSync(path, 'utf8').matchAll(/```jsx?\n\/\/ (\S+)\n([\s\S]*?)```/g)];
  if (blocks.length === 0) throw new Error(`${path} shows no modules.`);
  // Node doesn't import `.jsx`; nothing imports these by their name.
  for (const [, file = '', code = ''] of blocks) {
    const { code: compiled } = await transformWithOxc(code, file, { jsx: { runtime: 'automatic' } });
    write(file.replace(/\.jsx$/, '.js'), compiled);
  }
  return {
    load: (file: string) => import(pathToFileURL(join(root, file)).href) as Promise<Record<string, unknown>>,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
