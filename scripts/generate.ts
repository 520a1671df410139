// Generates files from the sources: table types from the migrated database, openapi.json from the endpoints, .env.example
// and the README's table from the settings, the README's table of payout providers, the index of the decisions. `--check`
// writes nothing and fails if a file is stale; `--list` prints the paths.
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiDocument } from '../server/operations/cli/api/document.ts';
import { connect } from '../server/platform/db/connect.ts';
import { readMigrations } from '../server/platform/db/migrate.ts';
import { commandList } from './documents/command-list.ts';
import { consoleScreens } from './documents/console-screens.ts';
import { roleMatrix } from './documents/roles.ts';
import { routesPage } from './documents/routes.ts';
import { schemaSql } from './documents/schema-sql.ts';
import { writeSdkApi } from './documents/sdk-api.ts';
import { writeWebApi } from './documents/web-api.ts';
import { webTypes } from './documents/web-types.ts';
import { type LockedPackage, licensesPage } from './release/licenses.ts';
import { openTestDatabase } from './test-database.ts';

const root = new URL('../', import.meta.url).pathname;

/** The table types and the readable schema, both read from a migrated database. */
async function generateSchemaFiles(): Promise<Record<string, string>> {
  const migrated = await openTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'tributary-types-'));
  const pool = connect(migrated.connection);
  try {
    const { host, port, user, database } = migrated.connection;
    const out = join(folder, 'schema.gen.ts');
    execFileSync(join(root, 'node_modules/.bin/kysely-codegen'), [
      '--dialect=postgres',
      `--url=postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`,
      '--camel-case',
      '--type-mapping={"int8":"number"}',
      `--out-file=${out}`,
      '--exclude-pattern=pgboss.*',
      '--log-level=error',
    ]);
    return {
      'server/platform/db/schema.gen.ts': await readFile(out, 'utf8'),
      'migrations/schema.sql': await schemaSql(pool),
      'migrations/hashes.txt': await addHashes(),
    };
  } finally {
    await pool.end();
    await migrated.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The hashes of the migrations in the order of their names: those of new files are added, and a line that exists is kept. */
async function addHashes(): Promise<string> {
  const present = await readFile(join(root, 'migrations/hashes.txt'), 'utf8').catch(() => '');
  const kept = present.split('\n').filter((line) => line !== '');
  const added = (await readMigrations()).filter(({ name }) => !present.includes(name)).map(({ name, hash }) => `${hash}  ${name}`);
  const nameOf = (line: string) => line.split('  ')[1] ?? '';
  const lines = [...kept, ...added].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return lines.map((line) => `${line}\n`).join('');
}

/** Loads the service, which needs the table types. */
async function generateDocuments(): Promise<Record<string, string>> {
  const { apiDocument, appDocument } = await import('../server/api-document.ts');
  const { api } = await import('../server/api.ts');
  const { envExample, settingsTable } = await import('../server/config.ts');
  const { payoutProvidersTable } = await import('./documents/payout-providers.ts');
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const { permissions } = await import('../server/platform/http/declaration/permissions.ts');
  const { roles, rolesWith } = await import('../server/accounts/identity/roles.ts');
  const grants = { roles, rolesWith: Object.fromEntries(permissions.map((name) => [name, rolesWith([name])])) };
  const documents = { api: apiDocument(), app: appDocument() };
  return {
    'docs/decisions/README.md': await buildDecisionIndex(),
    'openapi.json': `${JSON.stringify(documents.api, null, 2)}\n`,
    'openapi-app.json': `${JSON.stringify(documents.app, null, 2)}\n`,
    'docs/cli.md': fillMarks(
      await readFile(join(root, 'docs/cli.md'), 'utf8'),
      'commands',
      commandList(documents.api as unknown as ApiDocument),
    ),
    'docs/licenses.md': licensesPage(await readLockedPackages()),
    'docs/routes.md': routesPage(api, await readFile(join(root, 'server/api.ts'), 'utf8')),
    'server/operations/cli/console/screens.gen.ts': consoleScreens(root),
    'test/roles.txt': roleMatrix(api),
    '.env.example': envExample(),
    'README.md': fillMarks(fillMarks(readme, 'settings', settingsTable()), 'payout providers', payoutProvidersTable()),
    ...webTypes(root, grants),
  };
}

async function readLockedPackages(): Promise<Record<string, LockedPackage>> {
  return JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
}

/** Replaces what is between `<!-- name -->` and `<!-- /name -->`. */
function fillMarks(document: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [first, last] = [document.indexOf(start), document.indexOf(end)];
  if (first < 0 || last < first) throw new Error(`The document lacks the marks of "${name}".`);
  return `${document.slice(0, first + start.length)}${text}${document.slice(last)}`;
}

/** The titles of all decisions, by number. */
async function buildDecisionIndex(): Promise<string> {
  const names = globSync('[0-9]*.md', { cwd: join(root, 'docs/decisions') }).sort();
  const rows = names.map(async (name) => {
    const [, number, title] = /^# (\d{3}) (.*)$/m.exec(await readFile(join(root, 'docs/decisions', name), 'utf8')) ?? [];
    if (!number || !title) throw new Error(`docs/decisions/${name} does not start with "# NNN Title".`);
    return `| ${number} | [${title}](${name}) |\n`;
  });
  const head =
    '# Decisions\n\nDecisions that are hard to reverse and that no code shows, with reasons and rejected alternatives. Read in half an hour.\nNumbers are permanent; what became a rule is in [docs/behaviour](../behaviour/). Generated by `npm run generate`.\n\n| | Decision |\n|---|---|\n';
  return head + (await Promise.all(rows)).join('');
}

async function writeIfChanged(path: string, text: string, check: boolean): Promise<boolean> {
  const present = await readFile(join(root, path), 'utf8').catch(() => '');
  if (present === text) return true;
  if (check) console.error(`${path} is stale: run \`npm run generate\`.`);
  else await writeFile(join(root, path), text);
  return !check;
}

const check = process.argv.includes('--check');
let fresh = true;
for (const generate of [generateSchemaFiles, generateDocuments]) {
  for (const [path, text] of Object.entries(await generate())) {
    fresh = (await writeIfChanged(path, text, check)) && fresh;
    if (process.argv.includes('--list')) console.log(path);
  }
}
if (!check) {
  await writeWebApi(root);
  await writeSdkApi(root);
}
process.exitCode = fresh ? 0 : 1;
