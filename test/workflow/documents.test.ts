// Documents name commands, addresses, variables, files and screens. Each of them exists.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { settings } from '../../server/config.ts';
import { checkAddresses, listAddresses, type Route } from '../support/documents/addresses.ts';
import { checkCommands, checkCompose } from '../support/documents/commands.ts';
import { checkFiles, checkNames, checkRow, findBrokenLinks } from '../support/documents/files.ts';
import { type Code, documents, findFaults, parseDocument, tracked } from '../support/documents/read.ts';
import { findUndeclaredVariables, findUnknownVariables } from '../support/documents/variables.ts';
import { openTestService, type TestService } from '../support/harness.ts';
import { listScreens } from '../support/screens/table-of-contents.ts';

describe('what documents name exists', () => {
  let service: TestService;
  let routes: Route[];
  before(async () => {
    service = await openTestService();
    routes = await listAddresses(service.app);
  });
  after(() => service?.close());

  test('every command, with the options shown', () => {
    assert.deepEqual([...findFaults(checkCommands), ...checkCompose()], []);
  });

  test('every address, with the method shown', () => {
    assert.ok(routes.length > 200, `${routes.length} routes`);
    assert.deepEqual(
      findFaults((code) => checkAddresses(code, routes)),
      [],
    );
  });

  test('every environment variable; and every setting is documented', () => {
    const unknown = documents.flatMap((document) => findUnknownVariables(document).map((name) => `${document.path}: ${name}`));
    const listed = ['README.md', '.env.example'].flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      return Object.keys(settings).flatMap((name) => (new RegExp(`\\b${name}\\b`).test(text) ? [] : [`${path} lacks ${name}`]));
    });
    assert.deepEqual([...unknown, ...findUndeclaredVariables(), ...listed], []);
  });

  test('every file, folder and link', () => {
    assert.deepEqual([...findFaults(checkFiles), ...documents.flatMap(findBrokenLinks)], []);
  });

  test('every name of the code', () => {
    assert.deepEqual(findFaults(checkNames), []);
  });

  test('every file that a row of a table names, in one of the folders that the row names', () => {
    const rows = documents.flatMap(({ path, text }) => [...text.matchAll(/^\|.*\|$/gm)].map(([row]) => ({ path, row })));
    assert.ok(rows.length > 60, `${rows.length} rows`);
    assert.deepEqual(
      rows.flatMap(({ path, row }) => checkRow(row).map((fault) => `${path}: ${fault}`)),
      [],
    );
  });

  test('every screen of the settings', async () => {
    const titles = new Set(await readScreenTitles());
    const named = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/Settings → ([A-Z][a-z]+(?: [a-z]+)?)/g)].map(([, title = '']) => ({ path, title })),
    );
    assert.ok(named.length > 0);
    const missing = named.filter(({ title }) => !titles.has(title) && !titles.has(title.split(' ')[0] ?? ''));
    assert.deepEqual(missing, []);
  });

  test('every file that the container image runs is in it', () => {
    assert.deepEqual(findFilesMissingInImage(), []);
  });

  test('an error in a document is found', () => {
    const planted = parseDocument(
      'PLANTED.md',
      'Run `bin/tributary key creat` or `npm run tests`, with `--nothing`.\n```sh\nbin/tributary user create --mail x\nnpm run bench -- nothing --rows 5\n```\n' +
        '`POST /v1/me`, `/v1/programs/:programId/affiliate`, `…/payouts/send`, `/app/nothing`, `/portal/PROGRAM/nothing`, `/console/PROGRAM/nothing`\n' +
        '`NO_SUCH_SETTING=1`, `server/nothing.ts`, `ledger/nothing.ts`, [a link](docs/nothing.md)\n' +
        '| a thing | `refundNothing()`, `payouts.nothingAt`, `post.ts` in `server/earning/ledger/`, `calculate.ts` |\n',
    );
    const check = (each: (code: Code) => string[]) => findFaults(each, [planted]).map((fault) => fault.replace('PLANTED.md:', ''));
    assert.deepEqual(check(checkCommands), [
      '3: bin/tributary user create --mail x: has no option --mail',
      '3: bin/tributary user create --mail x: lacks --email',
      '3: bin/tributary user create --mail x: lacks --name',
      '3: bin/tributary user create --mail x: lacks --role',
      '3: npm run bench -- nothing --rows 5: there is no benchmark nothing',
      '1: bin/tributary key creat: has no command "creat"',
      '1: npm run tests: package.json has no such script',
      '1: --nothing: no command has this option',
    ]);
    assert.deepEqual(
      check((code) => checkAddresses(code, routes)),
      [
        '6: /v1/me has no POST',
        '6: /v1/programs/:programId/affiliate does not exist',
        '6: …/payouts/send does not exist',
        '6: /app/nothing does not exist',
        '6: /portal/PROGRAM/nothing does not exist',
        '6: /console/PROGRAM/nothing does not exist',
      ],
    );
    assert.deepEqual(
      check((code) => checkFiles(code, planted)),
      ['7: server/nothing.ts does not exist', '7: ledger/nothing.ts does not exist'],
    );
    assert.deepEqual(check(checkNames), ['8: refundNothing() is in no source', '8: payouts.nothingAt is in no source']);
    assert.deepEqual(planted.text.split('\n').flatMap(checkRow), ['calculate.ts is in none of the folders of its row']);
    assert.deepEqual(
      [...findUnknownVariables(planted), ...findBrokenLinks(planted)],
      ['NO_SUCH_SETTING', 'PLANTED.md: docs/nothing.md does not exist'],
    );
  });
});

/** The English titles of the console's screens. */
async function readScreenTitles(): Promise<string[]> {
  return (await listScreens()).map(({ title }) => {
    const [namespace = '', key = ''] = title.split(':');
    const texts = JSON.parse(readFileSync(`web/locales/en/${namespace}.json`, 'utf8')) as Record<string, string>;
    return texts[key] ?? '';
  });
}

/** The modules that the image's command and its build load, and that the Dockerfile does not copy. */
function findFilesMissingInImage(): string[] {
  const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, list = '']) => list.split(' '));
  const isCopied = (path: string) => copied.some((each) => path === each || path.startsWith(`${each}/`));
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, 'utf8');
    const imported = [...text.matchAll(/(?:from|import\(?) ?'(\.[^']+\.(?:ts|mjs))'/g)].map(([, name = '']) =>
      new URL(name, `file:///${path}`).pathname.slice(1),
    );
    const extended = [...text.matchAll(/"extends": "(\.[^"]+)"/g)].map(([, name = '']) =>
      new URL(name, `file:///${path}`).pathname.slice(1),
    );
    // What a launcher starts or preloads is named by its path.
    const started = [...text.matchAll(/checkout, ((?:'[\w.-]+'(?:, )?)+)\)/g)].map(([, parts = '']) =>
      parts.replaceAll("', '", '/').replaceAll("'", ''),
    );
    for (const each of [...imported, ...extended, ...started]) if (tracked.includes(each)) visit(each);
  };
  for (const entry of ['scripts/launch.mjs', 'scripts/web/prebuild.ts', 'web/tsconfig.json']) visit(entry);
  assert.ok(seen.has('server/operations/cli/main.ts') && seen.size > 300, `${seen.size} modules`);
  return [...seen].filter((path) => !isCopied(path));
}
