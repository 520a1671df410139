// The build at start: once per state of the sources, outside of this process, wherever there is room for it.
import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { calculateFingerprint } from './fingerprint.ts';
import { prepareWeb } from './prepare.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

describe('the build of the web apps', () => {
  let checkout: string;
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  before(() => {
    checkout = mkdtempSync(join(tmpdir(), 'tributary-web-test-'));
    for (const path of ['scripts/web', 'openapi.json', 'openapi-app.json', 'package-lock.json', 'package.json', 'tsconfig.json'])
      cpSync(join(root, path), join(checkout, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    // Pages that need no component: what is tested here is the build, not the apps.
    mkdirSync(join(checkout, 'web', 'locales'), { recursive: true });
    const page = (script: string) => `<html lang="en"><body><script type="module" src="/${script}"></script></body></html>`;
    writeFileSync(join(checkout, 'web', 'console.html'), page('main.ts'));
    writeFileSync(join(checkout, 'web', 'portal.html'), page('other.ts'));
    writeFileSync(join(checkout, 'web', 'other.ts'), 'document.title = "portal";');
    writeFileSync(join(checkout, 'web', 'main.ts'), `document.title = ${JSON.stringify('x'.repeat(2000))};`);
  });
  after(() => rmSync(checkout, { recursive: true, force: true }));

  test('runs once for each state of the sources, and serves compressed files', async () => {
    const first = await prepareWeb({ checkout, log }).settled;
    assert.equal(first.kind, 'ready');
    const [path, file] = [...first.files.assets].find(([name]) => name.includes('console')) ?? [];
    assert.match(path ?? '', /^\/assets\/console-[\w-]+\.js$/);
    assert.ok(file?.brotli && file.gzip && file.brotli.length < file.bytes.length);
    const folder = join(checkout, '.tributary', 'web');
    assert.deepEqual(readdirSync(folder), [await calculateFingerprint(checkout)]);
    const second = prepareWeb({ checkout, log });
    assert.equal((await second.settled).kind, 'ready');
    assert.equal(readdirSync(folder).length, 1);
    writeFileSync(join(checkout, 'web', 'main.ts'), 'document.title = "changed";');
    assert.equal((await prepareWeb({ checkout, log }).settled).kind, 'ready');
    assert.equal(readdirSync(folder).length, 2);
  });

  test('two processes that build at the same time get the same result', async () => {
    writeFileSync(join(checkout, 'web', 'main.ts'), 'document.title = "both";');
    const both = await Promise.all([prepareWeb({ checkout, log }).settled, prepareWeb({ checkout, log }).settled]);
    assert.deepEqual(
      both.map(({ kind }) => kind),
      ['ready', 'ready'],
    );
    const folder = join(checkout, '.tributary', 'web');
    assert.ok(
      readdirSync(folder).every((name) => /^[0-9a-f]{16}$/.test(name)),
      'a draft is left behind',
    );
  });

  test('a build is kept while others are being written beside it', async () => {
    writeFileSync(join(checkout, 'web', 'main.ts'), 'document.title = "beside";');
    const folder = join(checkout, '.tributary', 'web');
    const fingerprint = await calculateFingerprint(checkout);
    const drafts = ['1', '2', '3'].map((pid) => join(folder, `${fingerprint}.${pid}`));
    for (const draft of drafts) mkdirSync(draft);
    const later = new Date(Date.now() + 60_000);
    for (const draft of drafts) utimesSync(draft, later, later);
    assert.equal((await prepareWeb({ checkout, log }).settled).kind, 'ready');
    assert.ok(drafts.every((draft) => existsSync(draft)));
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const draft of drafts) utimesSync(draft, longAgo, longAgo);
    writeFileSync(join(checkout, 'web', 'main.ts'), 'document.title = "after";');
    assert.equal((await prepareWeb({ checkout, log }).settled).kind, 'ready');
    assert.ok(
      drafts.every((draft) => !existsSync(draft)),
      'drafts of killed builds',
    );
  });

  test('a folder that cannot be written to is replaced by the temporary folder', async () => {
    writeFileSync(join(checkout, 'web', 'main.ts'), 'document.title = "elsewhere";');
    const file = join(checkout, 'not-a-folder');
    writeFileSync(file, '');
    chmodSync(file, 0o400);
    const outcome = await prepareWeb({ checkout, log, folder: join(file, 'web') }).settled;
    assert.equal(outcome.kind, 'ready');
  });

  test('a failed build states its reason and is logged', async () => {
    writeFileSync(join(checkout, 'web', 'main.ts'), "import './missing.ts';");
    const outcome = await prepareWeb({ checkout, log }).settled;
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.reason, /missing\.ts/);
    assert.ok(!outcome.reason.includes(checkout), 'the reason names a folder of this machine');
    assert.match(lines.join(''), /could not be built/);
  });
});
