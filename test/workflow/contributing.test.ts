// Performs the worked example of CONTRIBUTING.md, exactly as it is written, in a copy of the checkout.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const example = contributing.slice(contributing.indexOf('## Example'), contributing.indexOf('## Style'));

type Edit = { file: string; anchor: string | null; code: string };

/** "Create `FILE` …: code" and "In `FILE`, after `LINE`: code", in the order of the text. */
const edits: Edit[] = [
  ...example.matchAll(/(?:Create `([^`]+)`[^`]*?|[Ii]n\s+`([^`]+)`,\s+after\s+`([^`]+)`):\s+```\w+\n([\s\S]*?)\n {3}```/g),
].map(([, created, changed, anchor, block = '']) => ({
  file: created ?? changed ?? '',
  anchor: anchor ?? null,
  code: block.replace(/^ {3}/gm, ''),
}));

const notCopied = new Set(['node_modules', '.git', '.tributary', 'data', 'bench', 'bin']);

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** The rows of "Where to add things": what is added, and the names in what to change. */
function listRows(): { what: string; names: string[] }[] {
  const table = contributing.slice(contributing.indexOf('| To add | Change |'), contributing.indexOf('Each also needs its test'));
  return [...table.matchAll(/^\| (?!To add)([^|]+) \| (.+) \|$/gm)].map(([, what = '', change = '']) => ({ what, names: namesIn(change) }));
}

const sources = globSync(['server/**/*.ts', 'test/support/**/*.ts', 'web/console/**/*.{ts,tsx}', 'migrations/*.sql'], { cwd: root });
const sourceText = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');

/** Why a name of a row is wrong; null if it isn't. A file without a folder is in one that the row names. */
function findFault(name: string, names: readonly string[]): string | null {
  const folders = ['', ...names.filter((each) => each.endsWith('/'))];
  const isIn = (path: string) => folders.some((folder) => existsSync(join(root, folder, path)));
  if (name.startsWith('/')) return null; // A URL.
  if (name.startsWith('node ')) return isIn(name.split(' ').at(-1) ?? '') ? null : 'names no file';
  if (/[<…]/.test(name)) return isIn(name.slice(0, name.search(/[^/]*[<…]/))) ? null : 'is in no folder';
  if (/\/|\.(ts|tsx|json|md|sql|txt)$/.test(name)) {
    const isBeside =
      globSync(
        folders.filter(Boolean).map((folder) => `${folder}**/${name}`),
        { cwd: root },
      ).length > 0;
    return isIn(name) || isBeside || sources.some((path) => path.endsWith(`/${name}`)) ? null : 'does not exist';
  }
  return new RegExp(`\\b${name.replace(/\W+$/, '').replace(/^\W+/, '')}\\b`).test(sourceText) ? null : 'is in no source';
}

describe('"Where to add things" of CONTRIBUTING.md', () => {
  const rows = listRows();

  test('names only files, folders and identifiers that exist', () => {
    assert.ok(rows.length > 15);
    const faults = rows.flatMap(({ what, names }) => names.map((name) => ({ what, name, fault: findFault(name, names) })));
    assert.ok(faults.length > 60);
    assert.deepEqual(
      faults.filter(({ fault }) => fault !== null),
      [],
    );
  });
});

describe("CONTRIBUTING.md's example", () => {
  let copy: string;
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'tributary-contributing-'));
    // As root the database runs under another account, which must be able to enter.
    chmodSync(copy, 0o755);
    cpSync(root, copy, { recursive: true, filter: (path) => !notCopied.has(relative(root, path)) });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  const run = async (program: string, ...args: string[]) => {
    const { TRIBUTARY_TEST_TEMPLATE: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const outcome = await promisify(execFile)(program, args, { cwd: copy, env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    assert.ok(!(outcome instanceof Error), `${program} ${args.join(' ')}\n${outcome.stdout}${outcome.stderr}`);
    return outcome.stdout;
  };

  test('generates the files that the text lists, passes the type check and its test, and the API returns the new field', async () => {
    assert.equal(edits.length, 6);
    for (const edit of edits) apply(copy, edit);
    const generated = await run(process.execPath, 'scripts/generate.ts', '--list');
    assert.deepEqual(listGenerated(), generated.trim().split('\n').sort());
    const [output] = await Promise.all([
      run(process.execPath, 'scripts/test.ts', 'server/partners/groups/groups.test.ts'),
      run('node_modules/.bin/tsc', '-p', '.'),
    ]);
    assert.match(output, /✔ a group has a color, which can be cleared/);
    const document = JSON.parse(readFileSync(join(copy, 'openapi.json'), 'utf8'));
    assert.equal(document.components.schemas.Group.example.color, '#d4af37');
  });
});

/** The files that CONTRIBUTING.md says are generated and committed. */
function listGenerated(): string[] {
  const [, list = ''] = /`npm run generate` writes ([\s\S]*?)\. Commit them/.exec(contributing) ?? [];
  return namesIn(list).sort();
}

function apply(folder: string, { file, anchor, code }: Edit): void {
  const path = join(folder, file);
  if (anchor === null) {
    assert.ok(!existsSync(path), `${file} exists already`);
    writeFileSync(path, `${code}\n`);
    return;
  }
  const lines = readFileSync(path, 'utf8').split('\n');
  const index = lines.findIndex((line) => line.trim() === anchor);
  assert.ok(index >= 0, `${file} has no line ${anchor}`);
  const indent = /^ */.exec(lines[index] ?? '')?.[0] ?? '';
  const added = code.split('\n').map((line) => (line === '' ? line : indent + line));
  writeFileSync(path, [...lines.slice(0, index + 1), ...added, ...lines.slice(index + 1)].join('\n'));
}
