// Checks the structure that ARCHITECTURE.md describes: imports, which folder writes a table, sizes, names and leftovers.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { describe, test } from 'node:test';
import { importsOf } from '../scripts/web/imports.ts';
import { assertNoCycles } from './support/structure/cycles.ts';
import { functionsOf } from './support/structure/functions.ts';
import { writers } from './support/structure/table-writers.ts';

/** Groups and their folders in the order of their dependencies, as the table in ARCHITECTURE.md lists them. */
const groups = rowsOf(/^\| `(\w+)` \| ((?:`[\w-]+` ?)+)\|/gm);

/** `group/folder` in order: a folder imports itself and what is above it. */
const order = groups.flatMap(({ name, folders }) => folders.map((folder) => `${name}/${folder}`));

/** Folders of web/ in order, as the table of the console in ARCHITECTURE.md lists them. */
const webOrder = rowsOf(/^\| `(web\/(?:\w+\/)?)` \| ((?:`[\w-]+` ?)+)\|/gm).flatMap(({ name, folders }) =>
  folders.map((folder) => `${name}${folder}`),
);

/** The apps of web/: neither imports the other. */
const apps = ['web/console', 'web/portal'];

/** Files at the top of server/ that every folder may import. */
const importableFromAnywhere = ['server/context.ts', 'server/config.ts'];

/** Files in which a given time passes (`elapse`): slow providers, retries of clients, kills at random moments, measurements. */
const mayElapse = [
  'server/messaging/webhooks/dispatch/dispatch.test.ts',
  'server/paying/payouts/send/unknown-outcome.test.ts',
  'server/platform/freeze/freeze.test.ts',
  'test/crash/crash.test.ts',
  'test/kill/exports.test.ts',
  'test/kill/outbox.test.ts',
  'test/kill/payouts.test.ts',
  'test/support/crash/writers.ts',
  'test/support/payday/schedule-worker.ts',
  'test/support/payout-worker.ts',
  'test/support/rails/faults.ts',
  'test/support/time/wait.ts',
];

const files = globSync(['server/**/*.ts', 'scripts/**/*.{ts,mjs}', 'test/**/*.ts', 'bench/**/*.ts', 'web/**/*.{ts,tsx}', 'sdk/*.ts'])
  .filter((path) => !path.endsWith('.gen.ts'))
  .map((path) => ({ path: normalize(path), text: readFileSync(path, 'utf8') }));
const sources = files.filter(({ path }) => path.startsWith('server/') && !path.endsWith('.test.ts'));
const webFiles = files.filter(({ path }) => path.startsWith('web/'));
const sdkSources = files.filter(({ path }) => path.startsWith('sdk/') && !path.endsWith('.test.ts'));
const webSources = webFiles.filter(({ path }) => !path.endsWith('.test.ts'));

function rowsOf(pattern: RegExp): { name: string; folders: string[] }[] {
  return [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(pattern)].map(([, name = '', folders = '']) => ({
    name,
    folders: [...folders.matchAll(/`([\w-]+)`/g)].map(([, folder = '']) => folder),
  }));
}

/** `group/folder` of a file below server/, or null for the files at its top. */
function folderOf(path: string): string | null {
  return /^server\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? null;
}

/** The folder of a file below web/ as ARCHITECTURE.md lists it: those of an app are listed one by one. */
function webFolderOf(path: string): string {
  return /^web\/(?:(?:console|portal)\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? dirname(path);
}

/** The imports of a file, without those that load a screen: the table of contents names screens, and screens read it. */
function webImportsOf(source: { path: string; text: string }) {
  const isContents = apps.some((app) => [`${app}/screens.ts`, `${app}/settings-screens.ts`].includes(source.path));
  return importsOf(source).filter(({ isDynamic }) => !isContents || !isDynamic);
}

describe('the tree', () => {
  test('is read', () => {
    assert.ok(sources.length > 60);
    assert.ok(sources.flatMap(importsOf).length > 200);
  });

  test('has the groups and folders that ARCHITECTURE.md lists', () => {
    const found = new Set(sources.flatMap(({ path }) => folderOf(path) ?? []));
    assert.deepEqual([...found].sort(), [...order].sort());
    assert.ok(groups.length >= 10);
  });

  test('has no import cycles', () => {
    assertNoCycles(new Map(sources.map((source) => [source.path, importsOf(source).map(({ target }) => target)])));
  });

  test('dependencies point one way', () => {
    for (const source of sources) {
      const from = folderOf(source.path);
      if (from === null) continue;
      assert.ok(order.includes(from), `${from} has no place in the order`);
      for (const { target, isType } of importsOf(source)) {
        const to = folderOf(target);
        if (to === null)
          assert.ok(isType || importableFromAnywhere.includes(target) || from === 'operations/cli', `${source.path} imports ${target}`);
        else if (!isType)
          assert.ok(order.indexOf(to) <= order.indexOf(from), `${source.path} imports ${target}, which comes later in the order`);
      }
    }
  });

  test('not even types are imported against the order', () => {
    const exceptions = sources.flatMap((source) =>
      importsOf(source)
        .filter(
          ({ target, isType }) =>
            isType && order.indexOf(folderOf(target) ?? '') > order.indexOf(folderOf(source.path) ?? 'operations/cli'),
        )
        .map(({ target }) => `${source.path} → ${target}`),
    );
    assert.deepEqual(exceptions, []);
  });

  test('a table has one writing folder', () => {
    const statement =
      /(?:insertInto|updateTable|deleteFrom|insertRows)\((?:\s*tx,\s*)?'(\w+)'[,)]|(?:insert into|update|delete from) ([a-z_]+)/g;
    const written = sources.flatMap(({ path, text }) =>
      [...text.matchAll(statement)]
        .map(([, typed, raw = '']) => typed ?? raw.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
        .filter((table) => table in writers)
        .map((table) => ({ path, table })),
    );
    assert.ok(written.length > 25);
    for (const { path, table } of written) {
      assert.ok(writers[table]?.includes(folderOf(path) ?? ''), `${path} writes ${table}`);
    }
  });

  test('a folder holds at most 15 files, a file at most 300 lines', () => {
    const sizes = new Map<string, number>();
    for (const { path, text } of files) {
      // Tables of contents have an entry for every endpoint, and for every screen.
      const isContents = path === 'server/api.ts' || path === 'web/console/screens.ts';
      if (!isContents) assert.ok(text.split('\n').length <= 300, `${path} has ${text.split('\n').length} lines`);
      if (!path.endsWith('.test.ts')) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
    }
    for (const [folder, count] of sizes) assert.ok(count <= 15, `${folder} holds ${count} files`);
  });

  test('a function has at most 60 lines, a component at most 80: handlers, callbacks and tests too', () => {
    const measured = files.flatMap(({ path, text }) => functionsOf(path, text));
    assert.ok(measured.filter(({ name }) => name === 'handle').length > 250);
    const tooLong = measured.filter(({ lines, isComponent }) => lines > (isComponent ? 80 : 60));
    assert.deepEqual(tooLong, []);
  });

  test('no bucket words, no default exports, no leftovers', () => {
    for (const { path, text } of files) {
      if (path === 'test/tidy.test.ts') continue;
      assert.ok(!/(^|[/-])(utils?|helpers?|services?|managers?|common|misc)([/.-]|$)/.test(path), path);
      assert.ok(!/^export default/m.test(text), `${path} has a default export`);
      assert.ok(
        !/\b(TODO|FIXME|XXX)\b|\.only\(|test\.todo|\.skip\(|@ts-ignore|@ts-expect-error| as any\b/.test(text),
        `${path} has a leftover`,
      );
    }
  });

  test('a test waits for what happens: time passes in one place only', () => {
    const inTests = files.filter(({ path }) => path.startsWith('test/') || path.endsWith('.test.ts'));
    // The client of the fuzz test stops waiting for a response after a timeout.
    const mayWait = ['test/support/time/wait.ts', 'test/support/fuzz/raw.ts', 'test/tidy.test.ts'];
    const waits = /(?<!\.)\bsetTimeout\b|\bwaitForTimeout\b/;
    const found = inTests.filter(({ path, text }) => waits.test(text) && !mayWait.includes(path)).map(({ path }) => path);
    assert.deepEqual(found, []);
    const withElapse = inTests.filter(({ text }) => /\belapse\(/.test(text)).map(({ path }) => path);
    assert.deepEqual(withElapse.sort(), mayElapse);
  });

  test('tests read few settings: one makes random tests longer, one repeats a run', () => {
    const known = ['TEST_LENGTH', 'TEST_SEED', 'TRIBUTARY_TEST_TEMPLATE', 'SCREENSHOTS', 'BROWSER', 'FREEZE', 'PACKAGES_FILE', 'TMPDIR'];
    const inTests = files.filter(({ path }) => path.startsWith('test/') || path.endsWith('.test.ts'));
    const read = inTests.flatMap(({ path, text }) => {
      if (path === 'test/tidy.test.ts' || path === 'scripts/env-file.test.ts') return [];
      return [...text.matchAll(/process\.env\.(\w+)/g)].map(([, name = '']) => ({ path, name }));
    });
    assert.ok(read.length > 10);
    assert.deepEqual(
      read.filter(({ name }) => !known.includes(name)),
      [],
    );
  });

  test('no object literal is spread into another: misspelt fields in it are not reported', () => {
    const spread = /\.\.\.\{|\.\.\.\(.*(&&|\?|:)\s*\{/;
    const found = files.flatMap(({ path, text }) =>
      path === 'test/tidy.test.ts'
        ? []
        : text.split('\n').flatMap((line, index) => (spread.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    assert.deepEqual(found, []);
  });

  test('the web apps know the server only by generated types', () => {
    assert.ok(webFiles.length > 10);
    for (const source of webFiles) {
      for (const { target } of importsOf(source)) assert.ok(target.startsWith('web/'), `${source.path} imports ${target}`);
    }
    const imported = sources.flatMap((source) => importsOf(source).filter(({ target }) => target.startsWith('web/')));
    assert.deepEqual(imported, []);
  });

  test('the client imports only its own files, and nothing of the product imports the client', () => {
    assert.ok(sdkSources.length > 5);
    for (const { path, text } of sdkSources) {
      const imported = [...text.matchAll(/(?:from |import\()'([^']+)'/g)].map(([, name = '']) => name);
      for (const name of imported) assert.match(name, /^\.\/[\w.-]+\.ts$/, `${path} imports ${name}`);
    }
    const imported = [...sources, ...webFiles].flatMap((source) => importsOf(source).filter(({ target }) => target.startsWith('sdk/')));
    assert.deepEqual(imported, []);
  });

  test('web/ has the folders that ARCHITECTURE.md lists', () => {
    const found = new Set(webSources.map(({ path }) => webFolderOf(path)));
    assert.deepEqual([...found].filter((folder) => !apps.includes(folder)).sort(), [...webOrder].sort());
  });

  test('web/ has no import cycles, not even of types', () => {
    assertNoCycles(new Map(webSources.map((source) => [source.path, webImportsOf(source).map(({ target }) => target)])));
  });

  test('in web/, dependencies point one way and no app imports the other', () => {
    const wrong = webSources.flatMap((source) => {
      const from = webFolderOf(source.path);
      const app = apps.find((each) => source.path.startsWith(`${each}/`));
      return webImportsOf(source).flatMap(({ target }) => {
        const to = webFolderOf(target);
        const isOtherApp = apps.some((each) => each !== app && target.startsWith(`${each}/`));
        const isLower = to !== app && webOrder.indexOf(to) <= webOrder.indexOf(from);
        const isAllowed = from === app || target === `${app}/screens.ts` || isLower;
        return isAllowed && !isOtherApp ? [] : [`${source.path} → ${target}`];
      });
    });
    assert.deepEqual(wrong, []);
  });

  test('components come from web/ui, the only folder that imports the component library', () => {
    for (const { path, text } of webFiles) {
      if (!path.startsWith('web/ui/')) assert.ok(!/from '@mantine\//.test(text), `${path} imports the component library`);
    }
  });

  test('the web apps send requests in one place', () => {
    const senders = webFiles.filter(({ text }) => /\bfetch\(|XMLHttpRequest|sendBeacon/.test(text)).map(({ path }) => path);
    assert.deepEqual(senders, ['web/api/call.ts', 'web/api/upload.ts']);
  });

  test('an actor is created where its API key is looked up, and passed on from there', () => {
    const found = sources.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (/kind: 'api_key'(?! \||;)/.test(line) ? [path] : [])),
    );
    // The second one is the example of all schemas.
    assert.deepEqual(found.sort(), ['server/accounts/programs/api-key.ts', 'server/platform/http/declaration/actor-shape.ts']);
  });

  test('the domain takes time, chance and surroundings as parameters', () => {
    const banned = /\bDate\.now\(|new Date\(\)|Math\.random\(|process\.env|\bfetch\(|\bnow\(\)\s*[,)`]/;
    const free = ['operations/cli', 'platform/lib', 'platform/db'];
    for (const { path, text } of sources) {
      const folder = folderOf(path);
      if (folder === null || free.includes(folder)) continue;
      const line = text.split('\n').find((candidate) => banned.test(candidate.replaceAll('clock.now()', '').replace(/now: \(\)/, '')));
      assert.equal(line, undefined, `${path}: ${line}`);
    }
  });

  test('accounts and the audit log read the system clock, which no program can advance', () => {
    const folders = ['accounts/identity', 'accounts/preferences', 'accounts/programs', 'platform/audit'];
    const found = sources.filter(({ path, text }) => folders.includes(folderOf(path) ?? '') && /\bclock\.now\(\)/.test(text));
    assert.deepEqual(
      found.map(({ path }) => path),
      [],
    );
  });

  test('every file that holds a rule says so at its top', () => {
    for (const { path, text } of sources) {
      if (text.split('\n').length > 60) assert.ok(text.startsWith('//'), `${path} opens without a word`);
    }
  });
});
