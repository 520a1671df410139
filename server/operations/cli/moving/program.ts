// `export program` and `import program`: everything of a program, for another installation.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { encryptedColumns } from '../../../encrypted.ts';
import { Invalid, NotFound } from '../../../platform/lib/errors.ts';
import { createVault, type Vault } from '../../../platform/secrets/vault.ts';
import { exportProgram } from '../../moving/program/export-program.ts';
import { importProgram } from '../../moving/program/import-program.ts';
import { parseUuid } from '../arguments.ts';
import { readVersion } from '../backup.ts';
import { CommandError } from '../command-error.ts';
import { printField, printJson, printLine } from '../print.ts';
import { commandActor, withService } from '../run.ts';

export type ProgramOptions = { program?: string; out?: string; key?: string; json?: boolean; dryRun?: boolean };

const format = (count: number) => count.toLocaleString('en');
const toKeyFile = (folder: string, key: string | undefined) => key ?? `${folder.replace(/\/+$/, '')}.key`;

/** Writes the folder `--out`, and the key that its secrets are encrypted with into a separate file. */
export async function exportWhole({ program = '', out, key, json }: ProgramOptions): Promise<void> {
  const programId = parseUuid(program, '--program');
  if (out === undefined) throw new CommandError('Pass the folder to write with --out.');
  const keyFile = toKeyFile(out, key);
  const secret = randomBytes(32);
  await withService('export', async ({ ctx }) => {
    const options = { programId, folder: out, version: await readVersion(), encryptedColumns, transfer: createVault([secret]) };
    const manifest = await exportProgram(ctx, options).catch(describe);
    await writeFile(keyFile, `${secret.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    if (json) return printJson({ folder: out, keyFile, manifest });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    printField('Program', manifest.program.name);
    printField('Folder', `${out} (${format(rows)} rows of ${format(manifest.tables.length)} tables)`);
    printField('Key', `${keyFile}: needed for the import. Keep it apart from the folder.`);
  });
}

/** Imports a folder that `export program` wrote. */
export async function importWhole(folder: string, { key, json, dryRun: isDryRun = false }: ProgramOptions): Promise<void> {
  const transfer = await readKey(toKeyFile(folder, key));
  await withService('import', async ({ ctx }) => {
    const result = await importProgram(ctx, { folder, encryptedColumns, transfer, actor: commandActor(), isDryRun }).catch(describe);
    const { manifest, hasChanged, balances, differences } = result;
    if (differences.length > 0) process.exitCode = 1;
    if (json) return printJson(result);
    printField('Program', `${manifest.program.name} (${manifest.program.id})`);
    printField('Ledger', `${format(manifest.ledger.entries)} entries, ending in ${manifest.ledger.hash.slice(0, 16) || 'none'}`);
    if (isDryRun) return printField('Import', 'Its files are complete. Nothing has changed');
    printField('Balances', `${format(balances - differences.length)} of ${format(balances)} are equal to the export`);
    if (!hasChanged) printField('Import', 'Nothing has changed');
    else printLine('  Its payouts are locked until they are reconciled, and its webhooks are paused.');
  });
}

async function readKey(path: string): Promise<Vault> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) throw new CommandError(`${path} does not exist. Pass the key of the export with --key.`);
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== 32) throw new CommandError(`${path} is not the key of an export.`);
  return createVault([bytes]);
}

function describe(error: unknown): never {
  if (error instanceof NotFound) throw new CommandError('The program was not found.');
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST' && 'path' in error)
    throw new CommandError(`${error.path} already exists. Choose a new folder.`);
  throw error instanceof Invalid ? new CommandError(error.message) : error;
}
