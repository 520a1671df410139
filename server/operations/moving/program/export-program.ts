// Writes everything of a program into a folder: a file of JSON lines for each table, of one snapshot, and a manifest.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql, type Transaction } from 'kysely';
import type { Context } from '../../../context.ts';
import type { DB } from '../../../platform/db/schema.gen.ts';
import { NotFound } from '../../../platform/lib/errors.ts';
import type { EncryptedColumn } from '../../../platform/secrets/encrypted-columns.ts';
import type { Vault } from '../../../platform/secrets/vault.ts';
import { type Manifest, manifestFile, toFile } from './manifest.ts';
import { reencryptLine } from './secrets.ts';
import { conditions, listProgramTables, type ProgramTable, userColumns } from './tables.ts';

type Options = {
  programId: string;
  /** A folder that doesn't exist. */
  folder: string;
  version: string;
  encryptedColumns: readonly EncryptedColumn[];
  /** The vault with the key of the export. */
  transfer: Vault;
};

const rowsPerPage = 500;

/** Writes the export. Throws NotFound for an unknown program, EEXIST if the folder exists. */
export async function exportProgram(ctx: Context, options: Options): Promise<Manifest> {
  const { programId, folder } = options;
  await mkdir(folder, { mode: 0o700 });
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      await sql`set local timezone = 'UTC'`.execute(db);
      const program = await db.selectFrom('programs').select(['id', 'name', 'currency']).where('id', '=', programId).executeTakeFirst();
      if (!program) throw new NotFound();
      const tables: Manifest['tables'] = [];
      const write = async (name: string, query: string) => void tables.push(await writeTable(ctx, db, { name, query }, options));
      await write('programs', 'select * from programs where id = $1');
      const listed = await listProgramTables({ db });
      await write('users', selectUsers());
      for (const table of listed) await write(table.name, selectRows(table));
      const manifest: Manifest = {
        format: 'tributary-program',
        formatVersion: 1,
        version: options.version,
        exportedAt: ctx.clock.now(),
        migration: await readLastMigration(db),
        program,
        ledger: await readLedgerEnd(db, programId),
        tables,
      };
      await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
      return manifest;
    });
}

const quote = (name: string) => `"${name}"`;

function selectRows({ name, key }: ProgramTable): string {
  const condition = conditions[name] ? ` and ${conditions[name]}` : '';
  return `select * from ${quote(name)} where program_id = $1${condition} order by ${key.map(quote).join(', ')}`;
}

/** Only the users that exported rows name, and of them only what identifies them. */
function selectUsers(): string {
  const named = Object.entries(userColumns).map(([table, column]) => `select ${column} from ${table} where program_id = $1`);
  return `select id, email, email_key, name, locale, status, created_at from users where id in (${named.join(' union ')}) order by id`;
}

type Query = { name: string; query: string };

async function writeTable(
  ctx: Context,
  db: Transaction<DB>,
  { name, query }: Query,
  options: Options,
): Promise<Manifest['tables'][number]> {
  const hash = createHash('sha256');
  const columns = options.encryptedColumns.filter(({ table }) => table === name);
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const page of readPages(db, query, options.programId)) {
      const text = page.map((line) => `${reencryptLine(line, columns, { from: ctx.vault, to: options.transfer })}\n`).join('');
      hash.update(text);
      rows += page.length;
      yield text;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(options.folder, toFile(name)), { mode: 0o600, flags: 'wx' }));
  return { name, rows, sha256: hash.digest('hex') };
}

/** The rows as JSON, page by page. The text of numbers is that of the database, so nothing is rounded. */
async function* readPages(db: Transaction<DB>, query: string, programId: string): AsyncGenerator<string[]> {
  const bound = query.replaceAll('$1', `'${programId}'::uuid`);
  await sql`declare exported no scroll cursor for ${sql.raw(`select row_to_json(row)::text as line from (${bound}) as row`)}`.execute(db);
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.raw(String(rowsPerPage))} from exported`.execute(db);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < rowsPerPage) break;
  }
  await sql`close exported`.execute(db);
}

/** The name of the last migration. */
export async function readLastMigration(db: Context['db']): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name desc limit 1`.execute(db);
  return rows[0]?.name ?? '';
}

/** The end of the program's ledger. */
export async function readLedgerEnd(db: Context['db'], programId: string): Promise<Manifest['ledger']> {
  const head = await db.selectFrom('ledgerHeads').select(['seq', 'hash']).where('programId', '=', programId).executeTakeFirst();
  return { entries: head?.seq ?? 0, hash: (head?.hash ?? Buffer.alloc(0)).toString('hex') };
}
