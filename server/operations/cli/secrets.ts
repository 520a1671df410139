// Rotates the keys that encrypt stored secrets, in steps, so that nothing is encrypted with a key that a running server
// lacks: add → restart → rotate → restart → rotate --drop-old. `replace` does whichever steps are possible. See
// docs/operations.md.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { listProcessKeys } from '../../check-secret-keys.ts';
import type { Service } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import { encryptedColumns } from '../../encrypted.ts';
import { secretAddress } from '../../messaging/emails/send.ts';
import { type ProgramFailure, ProgramsFailed } from '../../platform/queue/each-program.ts';
import { countByKey, reencryptColumn } from '../../platform/secrets/encrypted-columns.ts';
import { findKeyFile, type KeyEntry, keyFile, writeKeyFile } from '../../platform/secrets/key-file.ts';
import { createVault } from '../../platform/secrets/vault.ts';
import { CommandError } from './command-error.ts';
import { formatCount, printJson, printLine, printStep, printTable } from './print.ts';
import { withService } from './run.ts';

export function secretsCommands(cli: Command): void {
  const secrets = cli.command('secrets');
  secrets
    .command('replace')
    .description('Replace the key in the key file; repeat it after each restart that it asks for')
    .action(replaceKey);
  secrets.command('add').description('Add a key that only decrypts; then restart every server').action(addKey);
  secrets
    .command('rotate')
    .description('Encrypt everything with the newest key')
    .option('--drop-old', 'Afterwards, remove the other keys from the key file')
    .option('--force', 'Rotate even if a running process lacks the newest key')
    .action(rotateKeys);
  secrets
    .command('list')
    .description('List the keys, and the number of values encrypted with each key')
    .option('--json', 'Print JSON')
    .action(listKeys);
}

/**
 * Adds a key, encrypts everything with it and removes the others, as far as running servers allow. The key file shows which
 * steps are done, so the command continues wherever an earlier run ended or was killed.
 */
async function replaceKey(): Promise<void> {
  const config = readConfig(process.env);
  if (config.secretKeys.length > 0)
    throw new CommandError('The keys are in SECRET_KEYS, which only you can change: run `secrets add` and follow its steps.');
  if (findKeyFile(config.dataDir).length <= 1) {
    await addKeyToFile(config);
    printStep('Key', 'a new key was added, which decrypts');
  }
  const isLoaded = await areProcessesReady((keys, newest) => keys.includes(newest), config);
  if (!isLoaded) return printLine('  Restart every server and worker to load the new key. Then run `secrets replace` again.');
  await promoteNewestKey(config, false);
  let isReadable = true;
  await withLockedService('secrets replace', async ({ ctx }) => {
    isReadable = (await reencryptAll(ctx)) === 0;
  });
  if (!isReadable) throw new CommandError("Some values can't be decrypted: restore their key. No key was removed.");
  const isUsed = await areProcessesReady(([encrypting], newest) => encrypting === newest, config);
  if (!isUsed) return printLine('  Restart every server and worker, which encrypt with the old key. Then run `secrets replace` again.');
  await withLockedService('secrets replace', async ({ ctx }) => {
    await removeOldKeys(ctx, config, false);
  });
}

/** Whether the condition is true of every process on this database. */
async function areProcessesReady(isReady: (keys: string[], newest: string) => boolean, { dataDir }: Config): Promise<boolean> {
  let areReady = false;
  await withLockedService('secrets replace', async ({ ctx }) => {
    const newest = findNewest(findKeyFile(dataDir));
    areReady = newest !== undefined && (await listProcessKeys(ctx)).every((keys) => isReady(keys, nameOf(newest)));
  });
  return areReady;
}

async function addKey(): Promise<void> {
  const config = readConfig(process.env);
  if (config.secretKeys.length > 0) {
    printLine(`  A new key, shown only once:\n\n    ${randomBytes(32).toString('base64')}\n`);
    printLine('  1. Append it to SECRET_KEYS and restart every server. All servers can then decrypt with the new key.');
    printLine('  2. Move it to the front and restart every server again. All servers then encrypt with the new key.');
    printLine('  3. Run `secrets rotate`.');
    return;
  }
  await addKeyToFile(config);
  printLine(`  Added a key to ${keyFile(config.dataDir)}. The key can decrypt, but does not encrypt yet.`);
  printLine('  Restart every server to load it. Then run `secrets rotate`.');
}

async function addKeyToFile({ dataDir }: Config): Promise<void> {
  await withLockedService('secrets add', async ({ ctx }) => {
    const entries = findKeyFile(dataDir);
    if (findNewest(entries) !== entries[0])
      throw new CommandError('A new key is already pending. Restart every server, then run `secrets rotate`.');
    writeKeyFile(dataDir, [...entries, { key: randomBytes(32), addedAt: ctx.clock.now().toISOString() }]);
  });
}

type RotateOptions = { dropOld?: boolean; force?: boolean };

async function rotateKeys({ dropOld = false, force = false }: RotateOptions): Promise<void> {
  const config = readConfig(process.env);
  const isFile = config.secretKeys.length === 0;
  if (dropOld && !isFile)
    throw new CommandError('The keys are in SECRET_KEYS: remove old keys there once `secrets rotate` reports that they are unused.');
  if (isFile) await promoteNewestKey(config, force);
  // Opened again, so that this process encrypts with the newest key.
  await withLockedService('secrets rotate', async ({ ctx }) => {
    const unreadable = await reencryptAll(ctx);
    if (unreadable > 0) process.exitCode = 1;
    if (dropOld) await removeOldKeys(ctx, config, force);
    else await reportUnusedKeys(ctx, isFile);
  });
}

/** Makes the newest key the encrypting one, once every running process can decrypt with it. */
async function promoteNewestKey(config: Config, force: boolean): Promise<void> {
  await withLockedService('secrets rotate', async ({ ctx }) => {
    const entries = findKeyFile(config.dataDir);
    const newest = findNewest(entries);
    if (!newest || newest === entries[0]) return;
    const name = nameOf(newest);
    const behind = (await listProcessKeys(ctx)).filter((keys) => !keys.includes(name));
    if (behind.length > 0 && !force)
      throw new CommandError('A running process lacks the newest key. Restart every server, then run this command again.');
    writeKeyFile(config.dataDir, [newest, ...entries.filter((entry) => entry !== newest)]);
    printStep('Key', `${name} now encrypts`);
  });
}

/**
 * Returns the number of values that none of the available keys can decrypt. Throws a `CommandError` at the end if programs could
 * not be read or written.
 */
async function reencryptAll(ctx: Context): Promise<number> {
  let total = 0;
  const failures: ProgramFailure[] = [];
  for (const column of encryptedColumns) {
    const { reencrypted, failed, failures: ofColumn } = await reencryptColumn(ctx, column);
    failures.push(...ofColumn.filter(({ programId }) => !failures.some((known) => known.programId === programId)));
    const warning = failed > 0 ? `, ${failed} can't be decrypted with the available keys` : '';
    printStep(column.table, ` ${formatCount(reencrypted, 'value')} re-encrypted${warning}`, failed === 0);
    total += failed;
  }
  if (failures.length > 0) throw new CommandError(`${new ProgramsFailed(failures).message}. No key was removed. Run this command again.`);
  return total;
}

async function removeOldKeys(ctx: Context, { dataDir }: Config, force: boolean): Promise<void> {
  const [first, ...others] = findKeyFile(dataDir);
  if (!first || others.length === 0) return printLine('  There is only one key. Nothing was removed.');
  const name = nameOf(first);
  const behind = (await listProcessKeys(ctx)).filter(([encrypting]) => encrypting !== name);
  if (behind.length > 0 && !force)
    throw new CommandError('A running process still encrypts with an old key. Restart every server, then run this command again.');
  const counts = await countEncryptedValues(ctx);
  const needed = others.map(nameOf).filter((other) => (counts.get(other) ?? 0) > 0);
  if (needed.length > 0) throw new CommandError(`Values are still encrypted with ${needed.join(', ')}. Nothing was removed.`);
  const queued = await countQueuedSecretEmails(ctx);
  if (queued > 0)
    throw new CommandError(
      `${formatCount(queued, 'queued email')} with an encrypted address must be sent first. Nothing was removed. Try again later.`,
    );
  writeKeyFile(dataDir, [first]);
  printLine(
    `  Removed ${others.map(nameOf).join(', ')}. Earlier backups need these keys: keep a copy for as long as you keep the backups.`,
  );
}

async function reportUnusedKeys(ctx: Context, isFile: boolean): Promise<void> {
  const counts = await countEncryptedValues(ctx);
  const [first = '', ...others] = ctx.vault.keyNames;
  const unused = others.filter((name) => (counts.get(name) ?? 0) === 0);
  printLine(`  Every value that can be decrypted is now encrypted with ${first}.`);
  if (others.length === 0) return;
  if (unused.length > 0 && !isFile)
    printLine(`  Once every server runs with ${first} as its first key, remove from SECRET_KEYS: ${unused.join(', ')}.`);
  if (isFile)
    printLine(
      '  Running servers encrypt with the key that was first when they started. Restart them, then run `secrets rotate --drop-old`.',
    );
}

async function listKeys({ json }: { json?: boolean }): Promise<void> {
  await withService('secrets list', async ({ ctx }) => {
    const counts = await countEncryptedValues(ctx);
    const names = [...ctx.vault.keyNames, ...[...counts.keys()].filter((name) => !ctx.vault.keyNames.includes(name))];
    const keys = names.map((name, index) => ({
      name,
      state: index === 0 ? 'encrypts' : ctx.vault.keyNames.includes(name) ? 'decrypts' : 'missing',
      values: counts.get(name) ?? 0,
    }));
    if (json) return printJson(keys);
    printTable(
      ['KEY', 'STATE', 'VALUES'],
      keys.map(({ name, state, values }) => [name, state, String(values)]),
    );
  });
}

/** How many values each key has encrypted, in all columns. */
export async function countEncryptedValues(ctx: Pick<Context, 'db'>): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const column of encryptedColumns)
    for (const [name, count] of await countByKey(ctx, column)) totals.set(name, (totals.get(name) ?? 0) + count);
  return totals;
}

async function countQueuedSecretEmails(ctx: Context): Promise<number> {
  const emails = ctx.db.selectFrom('emails').select((row) => row.fn.countAll<number>().as('count'));
  return (await emails.where('toAddress', '=', secretAddress).where('status', '=', 'queued').executeTakeFirstOrThrow()).count;
}

/** Runs one such command at a time: two would overwrite each other's key file. */
async function withLockedService(name: string, act: (service: Service) => Promise<void>): Promise<void> {
  await withService(name, (service) =>
    service.ctx.db.connection().execute(async (db) => {
      const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_lock(hashtext('tributary secrets')) as "isFree"`.execute(db);
      if (!rows[0]?.isFree) throw new CommandError('Another `secrets` command is running.');
      try {
        await act(service);
      } finally {
        await sql`select pg_advisory_unlock(hashtext('tributary secrets'))`.execute(db);
      }
    }),
  );
}

function findNewest(entries: readonly KeyEntry[]): KeyEntry | undefined {
  return entries.toSorted((a, b) => (a.addedAt < b.addedAt ? 1 : -1))[0];
}

function nameOf({ key }: KeyEntry): string {
  return createVault([key]).keyNames[0] ?? '';
}
