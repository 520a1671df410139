// Imports an export of a program into another installation, in one transaction: all of it or nothing. The program keeps its
// id and those of everything in it, so that links, reports and the hash chain of the ledger stay what they are. Like a
// restore, it writes the rows of all tables as they are, and so does not use the folders that otherwise write them.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import { createOrganization } from '../../../accounts/programs/create.ts';
import type { Context, Tx } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import type { EncryptedColumn } from '../../../platform/secrets/encrypted-columns.ts';
import type { Vault } from '../../../platform/secrets/vault.ts';
import { finishImport, startImport } from '../write/imported-records.ts';
import { readLastMigration, readLedgerEnd } from './export-program.ts';
import { Manifest, manifestFile, toFile } from './manifest.ts';
import { reencryptLine } from './secrets.ts';
import { listProgramTables, type ProgramTable, replaced, sharedNames, userColumns } from './tables.ts';

type Options = {
  folder: string;
  encryptedColumns: readonly EncryptedColumn[];
  /** The vault with the key of the export. */
  transfer: Vault;
  actor: Actor;
  /** Only checks whether the export can be imported, and that its files are complete. */
  isDryRun?: boolean;
  onProgress?: (done: number, total: number) => void;
};

/** `hasChanged` is false if the program had been imported before. `differences`: affiliates whose balance is not that of the export. */
export type ProgramImport = { manifest: Manifest; hasChanged: boolean; balances: number; differences: string[] };

const source = 'tributary';

/** Imports the export. Throws Invalid for a folder that can't be imported. */
export async function importProgram(ctx: Context, options: Options): Promise<ProgramImport> {
  const manifest = await readManifest(options.folder);
  const { id: programId, name } = manifest.program;
  const migration = await readLastMigration(ctx.db);
  if (migration !== manifest.migration)
    throw new Invalid(
      [],
      `The export was written by Tributary ${manifest.version} (${manifest.migration}), this is ${migration}. Upgrade the older one.`,
    );
  const exists = await ctx.db.selectFrom('programs').select('id').where('id', '=', programId).executeTakeFirst();
  const imported = ctx.db.selectFrom('imports').select('source').where('programId', '=', programId).where('source', '=', source);
  if (exists && !(await imported.executeTakeFirst()))
    throw new Invalid([], `The program ${name} (${programId}) already exists in this installation.`);
  if (!exists) await requireFiles(options.folder, manifest);
  if (!exists && options.isDryRun) return { manifest, hasChanged: false, balances: 0, differences: [] };
  if (!exists) await transact(ctx, (tx) => writeProgram(tx, manifest, options));
  return { manifest, hasChanged: !exists, ...(await compareBalances(ctx, manifest, options.folder)) };
}

/** Throws Invalid for a folder without a manifest of this format. */
async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => null);
  if (text === null) throw new Invalid([], `${folder} has no ${manifestFile}: it is not an export of a program.`);
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success) throw new Invalid([], `${join(folder, manifestFile)} is not a manifest that this version can read.`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function writeProgram(tx: Tx, manifest: Manifest, options: Options): Promise<void> {
  const { id: programId, name } = manifest.program;
  const organizationId = await createOrganization(tx, name);
  const tables = new Map((await listProgramTables(tx)).map((table) => [table.name, table]));
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const users = new Map<string, string>();
  for (const part of manifest.tables) {
    const insert = chooseInsert(tx, { name: part.name, table: tables.get(part.name), organizationId, users });
    await readTable(part.name, tx.vault, options, async (lines) => {
      await insert(lines);
      done += lines.length;
      options.onProgress?.(done, total);
    });
  }
  for (const { name: table, selfReferences } of tables.values())
    if (selfReferences.length > 0) await readTable(table, tx.vault, options, (lines) => linkRows(tx, tables.get(table), lines));
  await requireLedger(tx, manifest);
  await startImport(tx, { programId, source });
  await finishImport(tx, { programId, source });
  await recordChange(tx, {
    programId,
    actor: options.actor,
    action: 'history.imported',
    subjectId: programId,
    after: { source, rows: total },
  });
}

const maxChunkBytes = 1_000_000;

/** Compares every file with its checksum. Throws Invalid for one that was changed or is missing. */
async function requireFiles(folder: string, { tables }: Manifest): Promise<void> {
  for (const { name, sha256 } of tables) {
    const hash = createHash('sha256');
    const file = createReadStream(join(folder, toFile(name)));
    try {
      for await (const chunk of file) hash.update(chunk);
    } catch {
      throw new Invalid([], `The export lacks ${toFile(name)}.`);
    }
    if (hash.digest('hex') !== sha256) throw new Invalid([], `${toFile(name)} is not as it was exported.`);
  }
}

/** Reads the lines of a file in chunks. */
async function readTable(name: string, vault: Vault, options: Options, use: (lines: string[]) => Promise<void>): Promise<void> {
  const { folder, encryptedColumns, transfer } = options;
  const columns = encryptedColumns.filter(({ table }) => table === name);
  let [lines, bytes]: [string[], number] = [[], 0];
  for await (const line of readLines(join(folder, toFile(name)))) {
    lines.push(reencryptLine(line, columns, { from: transfer, to: vault }));
    bytes += line.length;
    if (bytes < maxChunkBytes) continue;
    await use(lines);
    [lines, bytes] = [[], 0];
  }
  if (lines.length > 0) await use(lines);
}

/** Only a line feed ends a line: JSON can contain other separators. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}

type Target = { name: string; table: ProgramTable | undefined; organizationId: string; users: Map<string, string> };

function chooseInsert(tx: Tx, target: Target): (lines: string[]) => Promise<void> {
  if (target.name === 'programs') return (lines) => insertProgram(tx, target, lines);
  if (target.name === 'users') return (lines) => insertUsers(tx, target, lines);
  const { table } = target;
  if (!table) throw new Invalid([], `The export has the table ${target.name}, which this version doesn't have.`);
  return (lines) => insertLines(tx, table, target.users, lines);
}

const quote = (name: string) => `"${name}"`;

async function run(tx: Tx, text: string, values: unknown[]): Promise<void> {
  await tx.db.executeQuery(CompiledQuery.raw(text, values));
}

async function insertProgram(tx: Tx, { organizationId }: Target, lines: readonly string[]): Promise<void> {
  const [line = '{}'] = lines;
  const program = JSON.parse(line) as { id: string; slug: string };
  const taken = await tx.db.selectFrom('programs').select('id').where('slug', '=', program.slug).executeTakeFirst();
  const slug = taken ? `${program.slug}-${program.id.slice(-6)}` : program.slug;
  const row = JSON.stringify({ ...program, organization_id: organizationId, slug });
  await run(tx, `insert into ${quote('programs')} select * from json_populate_record(null::programs, $1::json)`, [row]);
}

/** Users are who has the email address: one of this installation, or a new one, who signs in by proving that it is theirs. */
async function insertUsers(tx: Tx, { users }: Target, lines: readonly string[]): Promise<void> {
  const rows = `[${lines.join(',')}]`;
  const columns = 'id, email, email_key, name, locale, status, created_at';
  await run(
    tx,
    `insert into ${quote('users')} (${columns}) select ${columns} from json_populate_recordset(null::users, $1::json) on conflict do nothing`,
    [rows],
  );
  const { rows: found } = await sql<{ given: string; id: string }>`
    select given.id as given, users.id from json_populate_recordset(null::users, ${rows}::json) as given
    join users on users.email_key = given.email_key`.execute(tx.db);
  for (const { given, id } of found) users.set(given, id);
}

/** Columns that refer to rows of the same table are set afterwards (`linkRows`). */
async function insertLines(tx: Tx, table: ProgramTable, users: ReadonlyMap<string, string>, lines: readonly string[]): Promise<void> {
  const { name, columns, selfReferences } = table;
  const own = columns.filter((column) => !selfReferences.includes(column));
  const values = own.map((column) => (userColumns[name] === column ? toUser : (replaced[name]?.[column] ?? `row.${quote(column)}`)));
  const person = name === 'person_programs' ? own.indexOf('person') : -1;
  if (person >= 0)
    values[person] =
      "case when row.kind = 'account' then coalesce((select u.id from named as u where u.given = row.person), row.person) else row.person end";
  const conflict = sharedNames.has(name) ? ' on conflict do nothing' : '';
  const text = `with named as (select * from unnest($2::text[], $3::text[]) as named (given, id))
    insert into ${quote(name)} (${own.map(quote).join(', ')})
    select ${values.join(', ')} from json_populate_recordset(null::${quote(name)}, $1::json) as row${conflict}`;
  try {
    await run(tx, text, [`[${lines.join(',')}]`, [...users.keys()], [...users.values()]]);
  } catch (error) {
    throw toReason(error, name);
  }
}

const toUser = 'coalesce((select u.id::uuid from named as u where u.given = row.user_id::text), row.user_id)';

/** A referral code or an address that another program of this installation has. */
function toReason(error: unknown, table: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505' || !('detail' in error)) return error;
  return new Invalid([], `Another program of this installation already has a row of ${table}: ${String(error.detail)}`);
}

async function linkRows(tx: Tx, table: ProgramTable | undefined, lines: readonly string[]): Promise<void> {
  if (!table) return;
  const { name, selfReferences } = table;
  const changes = selfReferences.map((column) => `${quote(column)} = row.${quote(column)}`).join(', ');
  const isLinked = selfReferences.map((column) => `row.${quote(column)} is not null`).join(' or ');
  const text = `update ${quote(name)} as stored set ${changes} from json_populate_recordset(null::${quote(name)}, $1::json) as row
    where stored.program_id = row.program_id and stored.id = row.id and (${isLinked})`;
  await run(tx, text, [`[${lines.join(',')}]`]);
}

async function requireLedger(tx: Tx, { program, ledger }: Manifest): Promise<void> {
  const stored = await readLedgerEnd(tx.db, program.id);
  if (stored.entries !== ledger.entries || stored.hash !== ledger.hash) throw new Invalid([], 'The ledger of the export is not complete.');
}

type Balance = { affiliate_id: string; pending_cents: number; available_cents: number; in_transit_cents: number; paid_cents: number };
const accounts = ['pending', 'available', 'in_transit', 'paid'] as const;

/** Compares the balances of the export with the sums of the imported ledger entries. */
async function compareBalances(
  ctx: Pick<Context, 'db'>,
  { program }: Manifest,
  folder: string,
): Promise<Pick<ProgramImport, 'balances' | 'differences'>> {
  const sum = (account: string) =>
    sql`coalesce(sum(case when credit = ${account} then cents when debit = ${account} then -cents else 0 end), 0)::bigint`;
  const { rows } = await sql<{ affiliateId: string; pending: number; available: number; inTransit: number; paid: number }>`
    select affiliate_id, ${sql.join(accounts.map((account) => sql`${sum(account)} as ${sql.ref(account)}`))}
    from ledger_entries where program_id = ${program.id} group by affiliate_id`.execute(ctx.db);
  const sums = new Map(rows.map((row) => [row.affiliateId, [row.pending, row.available, row.inTransit, row.paid].join(' ')]));
  const text = await readFile(join(folder, toFile('ledger_balances')), 'utf8');
  const exported = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Balance);
  const differences = exported.filter(
    (one) => (sums.get(one.affiliate_id) ?? '0 0 0 0') !== accounts.map((account) => one[`${account}_cents`]).join(' '),
  );
  return { balances: exported.length * accounts.length, differences: differences.map((one) => one.affiliate_id) };
}
