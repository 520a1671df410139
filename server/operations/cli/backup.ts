// `backup` and `restore`: the whole database in one file, of the embedded database and of any other.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { type Config, readConfig } from '../../config.ts';
import { encryptedColumns } from '../../encrypted.ts';
import { openLog } from '../../open-database.ts';
import { connect } from '../../platform/db/connect.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { describeKeySource, findSecretKeys } from '../../platform/secrets/key-file.ts';
import { createVault } from '../../platform/secrets/vault.ts';
import { jobs } from '../../schedule.ts';
import { DamagedBackup } from '../backup/file-format.ts';
import type { Header, Summary } from '../backup/manifest.ts';
import { UnsuitableTarget, withTarget } from '../backup/open-target.ts';
import { checkBackup } from '../backup/read-backup.ts';
import { oldEmailHours, type Restored, restoreBackup, UnsuitableBackup } from '../backup/restore-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { CommandError } from './command-error.ts';
import { formatCount, formatTime, printField, printJson, printLine, printStep, printWarning } from './print.ts';
import { withService } from './run.ts';

export function backupCommands(cli: Command): void {
  cli
    .command('backup')
    .argument('<path>', 'The file to create, or a folder for a file named after the time')
    .option('--json', 'Print JSON')
    .action(backup);
  cli
    .command('restore')
    .argument('<file>', 'A file that `backup` wrote')
    .option('--check', 'Only compare the file with its checksums')
    .option('--replace', 'Delete everything in the database first')
    .option('--without-keys', 'Restore even if secret keys are missing, without which no server starts')
    .option('--json', 'Print JSON')
    .action(restore);
}

async function backup(path: string, { json }: { json?: boolean }): Promise<void> {
  const file = await chooseFile(path, systemClock.now());
  const started = performance.now();
  await withService('backup', async ({ connection, ctx: { config } }) => {
    const pool = connect({ ...connection, query_timeout: 0, max: 1, pipeline: false });
    const client = await pool.connect();
    try {
      const summary = await writeBackup(client, { path: file, version: await readVersion(), encryptedColumns });
      const { size } = await stat(file);
      if (json) return printJson({ file, size, ...summary });
      printStep('Backup', `${describeContent(summary)} in ${seconds(started)} s`);
      printField('File', `${file} (${formatBytes(size)})`);
      printField('Snapshot', formatTime(summary.header.takenAt));
      printKeysToKeep(config, summary.header);
    } finally {
      client.release(true);
      await pool.end();
    }
  }).catch(describeFileError(file));
}

/** The version of this Tributary. */
export async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** A file named after the time, if the path is a folder. */
async function chooseFile(path: string, at: Date): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found && !found.isDirectory()) throw alreadyExists(path);
  return found ? join(path, `tributary-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.backup`) : path;
}

function describeFileError(file: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? alreadyExists(file) : error;
  };
}

function alreadyExists(file: string): CommandError {
  return new CommandError(`${file} already exists. It was not overwritten.`);
}

function printKeysToKeep({ secretKeys, dataDir }: Config, header: Header): void {
  if (header.secretKeys.length === 0) {
    printLine('\n  The backup contains personal data: store it like the database itself.');
    return;
  }
  const source = describeKeySource({ secretKeys, dataDir });
  printLine(`\n  The backup contains personal data, and secrets that are encrypted with ${header.secretKeys.join(', ')}.`);
  printLine(`  The keys are not in it. Keep a copy of ${source} in another place: without the keys, payout details,`);
  printLine('  tax forms and the secrets of providers in this backup are unreadable.');
}

type RestoreOptions = { check?: boolean; replace?: boolean; withoutKeys?: boolean; json?: boolean };

async function restore(file: string, { check = false, replace = false, withoutKeys = false, json }: RestoreOptions): Promise<void> {
  const started = performance.now();
  const config = readConfig(process.env);
  try {
    if (check) return await printCheck(file, { config, json });
    const options = { config, log: openLog(config), jobs, replace };
    const checkHeader = (header: Header): void => {
      if (!withoutKeys) requireKeys(config, header);
    };
    const restored = await withTarget(options, (target) => restoreBackup(file, { ...target, now: systemClock.now(), checkHeader }));
    if (json) return printJson({ file, ...restored, missingKeys: findMissingKeys(config, restored.header) });
    printStep('Restored', `${describeContent(restored)} in ${seconds(started)} s`);
    printNextSteps(config, restored);
  } catch (error) {
    if ([DamagedBackup, UnsuitableBackup, UnsuitableTarget].some((kind) => error instanceof kind) && error instanceof Error)
      throw new CommandError(`${error.message}${error instanceof DamagedBackup ? ' Nothing was restored.' : ''}`);
    throw error;
  }
}

async function printCheck(file: string, { config, json }: { config: Config; json: boolean | undefined }): Promise<void> {
  const summary = await checkBackup(file);
  const missing = findMissingKeys(config, summary.header);
  if (json) return printJson({ file, ...summary, missingKeys: missing });
  printStep('Backup', `${describeContent(summary)}; all checksums match`);
  printField('Snapshot', `${formatTime(summary.header.takenAt)}, Tributary ${summary.header.version}`);
  if (missing.length > 0) printStep('Keys', describeMissing(config, missing), false);
  else printStep('Keys', 'all that the backup needs are in place');
}

function requireKeys(config: Config, header: Header): void {
  const missing = findMissingKeys(config, header);
  if (missing.length === 0) return;
  throw new CommandError(
    `${describeMissing(config, missing)} Put the key there first. Nothing was restored. To restore the data anyway, pass --without-keys.`,
  );
}

function describeMissing(config: Config, missing: readonly string[]): string {
  return `The backup needs the secret key ${missing.join(', ')}, which is not in ${describeKeySource(config)}.`;
}

function printNextSteps(config: Config, { header, jobs: queued, failedEmails, migrated }: Restored): void {
  printField('Snapshot', `${formatTime(header.takenAt)}, Tributary ${header.version}`);
  if (migrated.length > 0) printField('Schema', `${formatCount(migrated.length, 'newer migration')} applied`);
  printField('Jobs', `${queued} queued again`);
  if (failedEmails > 0) printField('Emails', `${failedEmails} waiting for more than ${oldEmailHours} hours: marked as failed, not sent`);
  const missing = findMissingKeys(config, header);
  if (missing.length > 0) {
    printWarning('');
    printWarning(describeMissing(config, missing));
    printWarning('Put the key there before you start a server.');
  }
  printLine('\n  Next:');
  printLine('  1. Run `bin/tributary verify`, then start the servers. Everyone signs in again.');
  printLine('  2. Payouts of every program are locked, because payments may be missing from the backup:');
  printLine('     reconcile them in the console or with POST …/payouts/reconcile.');
  printLine(`  3. Revoke API keys again that were revoked after ${formatTime(header.takenAt)}.`);
}

/** The names of keys that the backup needs and this installation doesn't have. */
function findMissingKeys({ secretKeys, dataDir }: Config, header: Header): string[] {
  const names = (findSecretKeys({ secretKeys, dataDir }) ?? []).map((key) => createVault([key]).keyNames[0]);
  return header.secretKeys.filter((name) => !names.includes(name));
}

function describeContent({ tables }: Summary): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows.toLocaleString('en')} rows of ${formatCount(tables.length, 'table')}`;
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(1);
}

function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
