// Rotates the keys that encrypt stored secrets, in steps, so that nothing is encrypted with a key that a running server
// lacks: add → restart → rotate → restart → rotate --drop-old. See docs/operations.md.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { keysOfProcesses } from '../../check-secret-keys.ts';
import type { Service } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import { encryptedColumns } from '../../encrypted.ts';
import { secretAddress } from '../../messaging/emails/send.ts';
import { countByKey, reencryptColumn } from '../../platform/secrets/encrypted-columns.ts';
import { type KeyEntry, keyFile, readKeyFile, writeKeyFile } from '../../platform/secrets/key-file.ts';
import { createVault } from '../../platform/secrets/vault.ts';
import { json, say, step } from './print.ts';
import { Refused, withService } from './run.ts';

export function secretsCommands(cli: Command): void {
  const secrets = cli.command('secrets').description('keys that encrypt payout details, tax forms and provider secrets');
  secrets.command('add').description('add a key that only decrypts; restart every server afterwards').action(add);
  secrets
    .command('rotate')
    .description('encrypt everything with the newest key')
    .option('--drop-old', 'afterwards, remove the other keys from the key file')
    .option('--force', 'rotate even if a running process lacks the newest key')
    .action(rotate);
  secrets.command('list').description('list the keys, and how many values each has encrypted').option('--json', 'print JSON').action(list);
}

async function add(): Promise<void> {
  const config = readConfig(process.env);
  const fresh = randomBytes(32);
  if (config.secretKeys.length > 0) {
    say(`  A new key, shown only once:\n\n    ${fresh.toString('base64')}\n`);
    say('  1. Append it to SECRET_KEYS and restart every server. All servers can now decrypt with it.');
    say('  2. Move it to the front and restart every server again. It now encrypts. Then run `secrets rotate`.');
    return;
  }
  await alone('secrets add', async ({ ctx }) => {
    const entries = readKeyFile(config.dataDir);
    if (newestOf(entries) !== entries[0])
      throw new Refused('A new key is already pending. Restart every server, then run `secrets rotate`.');
    writeKeyFile(config.dataDir, [...entries, { key: fresh, addedAt: ctx.clock.now().toISOString() }]);
  });
  say(`  Added to ${keyFile(config.dataDir)}. It decrypts, and does not encrypt yet.`);
  say('  Restart every server to load it. Then run `secrets rotate`.');
}

type Options = { dropOld?: boolean; force?: boolean };

async function rotate({ dropOld = false, force = false }: Options): Promise<void> {
  const config = readConfig(process.env);
  const isFile = config.secretKeys.length === 0;
  if (dropOld && !isFile)
    throw new Refused('The keys are in SECRET_KEYS: remove old keys there once `secrets rotate` reports that they are unused.');
  if (isFile) await putNewestFirst(config, force);
  // Opened again, so that this process encrypts with the newest key.
  await alone('secrets rotate', async ({ ctx }) => {
    const failed = await reencryptAll(ctx);
    if (failed > 0) process.exitCode = 1;
    if (dropOld) await dropOthers(ctx, config, force);
    else await reportUnusedKeys(ctx, isFile);
  });
}

/** Makes the newest key the encrypting one, once every running process can decrypt with it. */
async function putNewestFirst(config: Config, force: boolean): Promise<void> {
  await alone('secrets rotate', async ({ ctx }) => {
    const entries = readKeyFile(config.dataDir);
    const newest = newestOf(entries);
    if (!newest || newest === entries[0]) return;
    const name = nameOf(newest);
    const behind = (await keysOfProcesses(ctx)).filter((keys) => !keys.includes(name));
    if (behind.length > 0 && !force) throw new Refused('A running process lacks the newest key. Restart every server, then try again.');
    writeKeyFile(config.dataDir, [newest, ...entries.filter((entry) => entry !== newest)]);
    step('Key', `${name} now encrypts`);
  });
}

async function reencryptAll(ctx: Context): Promise<number> {
  let all = 0;
  for (const column of encryptedColumns) {
    const { reencrypted, failed } = await reencryptColumn(ctx, column);
    const rest = failed > 0 ? `, ${failed} can't be decrypted with the available keys` : '';
    step(`${column.table}`, ` ${reencrypted} encrypted again${rest}`, failed === 0);
    all += failed;
  }
  return all;
}

async function dropOthers(ctx: Context, { dataDir }: Config, force: boolean): Promise<void> {
  const [first, ...others] = readKeyFile(dataDir);
  if (!first || others.length === 0) return say('  There is only one key. Nothing was removed.');
  const name = nameOf(first);
  const behind = (await keysOfProcesses(ctx)).filter(([current]) => current !== name);
  if (behind.length > 0 && !force)
    throw new Refused('A running process still encrypts with an old key. Restart every server, then try again.');
  const counts = await countAll(ctx);
  const needed = others.map(nameOf).filter((other) => (counts.get(other) ?? 0) > 0);
  if (needed.length > 0) throw new Refused(`Values are still encrypted with ${needed.join(', ')}. Nothing was removed.`);
  const waiting = await waitingMails(ctx);
  if (waiting > 0)
    throw new Refused(`${waiting} queued emails have encrypted addresses. Nothing was removed. Try again when they have been sent.`);
  writeKeyFile(dataDir, [first]);
  say(`  Removed ${others.map(nameOf).join(', ')}. Earlier backups need these keys: keep a copy as long as you keep the backups.`);
}

async function reportUnusedKeys(ctx: Context, isFile: boolean): Promise<void> {
  const counts = await countAll(ctx);
  const [first = '', ...others] = ctx.vault.keyNames;
  const idle = others.filter((name) => (counts.get(name) ?? 0) === 0);
  say(`  Every value that can be decrypted is now encrypted with ${first}.`);
  if (others.length === 0) return;
  if (idle.length > 0 && !isFile)
    say(`  Once every server runs with ${first} as its first key, remove from SECRET_KEYS: ${idle.join(', ')}.`);
  if (isFile)
    say('  Running servers encrypt with the key that was first when they started. Restart them, then run `secrets rotate --drop-old`.');
}

async function list({ json: asJson }: { json?: boolean }): Promise<void> {
  await withService('secrets list', async ({ ctx }) => {
    const counts = await countAll(ctx);
    const names = [...ctx.vault.keyNames, ...[...counts.keys()].filter((name) => !ctx.vault.keyNames.includes(name))];
    const keys = names.map((name, index) => ({
      name,
      state: index === 0 ? 'encrypts' : ctx.vault.keyNames.includes(name) ? 'decrypts' : 'missing',
      values: counts.get(name) ?? 0,
    }));
    if (asJson) return json(keys);
    for (const { name, state, values } of keys) say(`  ${name}  ${state.padEnd(8)} ${values} values`);
  });
}

/** How many values each key has encrypted, in all columns. */
export async function countAll(ctx: Pick<Context, 'db'>): Promise<Map<string, number>> {
  const all = new Map<string, number>();
  for (const column of encryptedColumns)
    for (const [name, count] of await countByKey(ctx, column)) all.set(name, (all.get(name) ?? 0) + count);
  return all;
}

async function waitingMails(ctx: Context): Promise<number> {
  const mails = ctx.db.selectFrom('emails').select((row) => row.fn.countAll<number>().as('count'));
  return (await mails.where('toAddress', '=', secretAddress).where('status', '=', 'queued').executeTakeFirstOrThrow()).count;
}

/** One such command at a time: two would overwrite each other's key file. */
async function alone(name: string, act: (service: Service) => Promise<void>): Promise<void> {
  await withService(name, (service) =>
    service.ctx.db.connection().execute(async (db) => {
      const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(hashtext('tributary secrets')) as free`.execute(db);
      if (!rows[0]?.free) throw new Refused('Another `secrets` command is running.');
      try {
        await act(service);
      } finally {
        await sql`select pg_advisory_unlock(hashtext('tributary secrets'))`.execute(db);
      }
    }),
  );
}

function newestOf(entries: readonly KeyEntry[]): KeyEntry | undefined {
  return entries.toSorted((a, b) => (a.addedAt < b.addedAt ? 1 : -1))[0];
}

function nameOf({ key }: KeyEntry): string {
  return createVault([key]).keyNames[0] ?? '';
}
