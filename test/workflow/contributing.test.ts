// Performs the worked example of CONTRIBUTING.md, exactly as it is written, in a copy of the checkout.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
      run('node_modules/.bin/tsc', '-p', '.', '--singleThreaded'),
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
