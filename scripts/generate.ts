// Writes what follows from the sources: table types from the migrated database, openapi.json from the
// endpoints, .env.example and the README's table from the settings. `--check` writes nothing and fails when one is stale.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../server/db/connect.ts';
import { routesPage } from './routes.ts';
import { schemaSql } from './schema-sql.ts';
import { openTestDatabase } from './test-database.ts';

const root = new URL('../', import.meta.url).pathname;

/** The table types and the readable schema, both read from a migrated database. */
async function fromSchema(): Promise<Record<string, string>> {
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
    return { 'server/db/schema.gen.ts': await readFile(out, 'utf8'), 'migrations/schema.sql': await schemaSql(pool) };
  } finally {
    await pool.end();
    await migrated.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Only loaded once the table types exist. */
async function documents(): Promise<Record<string, string>> {
  const { apiDocument } = await import('../server/api-document.ts');
  const { api } = await import('../server/api.ts');
  const { envExample, settingsTable } = await import('../server/config.ts');
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const marks = /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/;
  return {
    'openapi.json': `${JSON.stringify(apiDocument(), null, 2)}\n`,
    'docs/routes.md': routesPage(api, await readFile(join(root, 'server/api.ts'), 'utf8')),
    '.env.example': envExample(),
    'README.md': readme.replace(marks, (_, start: string, end: string) => `${start}${settingsTable()}${end}`),
  };
}

async function put(path: string, text: string, check: boolean): Promise<boolean> {
  const present = await readFile(join(root, path), 'utf8').catch(() => '');
  if (present === text) return true;
  if (check) console.error(`${path} is stale: run \`npm run generate\`.`);
  else await writeFile(join(root, path), text);
  return !check;
}

const check = process.argv.includes('--check');
let fresh = true;
for (const [path, text] of Object.entries(await fromSchema())) fresh = (await put(path, text, check)) && fresh;
for (const [path, text] of Object.entries(await documents())) fresh = (await put(path, text, check)) && fresh;
process.exitCode = fresh ? 0 : 1;
