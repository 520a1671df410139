// Creates, lists, updates, rotates and revokes the API keys of a program.
import type { Command } from 'commander';
import { createKey as createApiKey } from '../../../accounts/programs/api-keys/create.ts';
import { revokeKey } from '../../../accounts/programs/api-keys/revoke.ts';
import { defaultOverlapHours, maxOverlapHours, rotateKey } from '../../../accounts/programs/api-keys/rotate.ts';
import { changeKey } from '../../../accounts/programs/api-keys/update.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { line } from '../../../platform/http/declaration/fields.ts';
import { parseField, parseTime, parseUuid, parseWholeNumber } from '../arguments.ts';
import { UsageError } from '../command-error.ts';
import { formatTime, printField, printJson, printLine, printTable } from '../print.ts';
import { commandActor, withService } from '../run.ts';

type CreateOptions = { program: string; scopes: string; name: string; expires?: string; rateLimit?: string; json?: boolean };

const maxRateLimit = 9_999_999;

export function keyCommands(cli: Command): void {
  const key = cli.command('key');
  key
    .command('create')
    .description('Create an API key')
    .requiredOption('--program <id>', 'Program of the key (required)')
    .requiredOption('--scopes <scopes>', 'read, write, or read,write (required)')
    .option('--name <name>', 'What the key is used for', 'API key')
    .option('--expires <time>', 'When the key expires (ISO 8601); default: never')
    .option('--rate-limit <number>', 'Requests per minute; default: API_RATE_LIMIT')
    .option('--json', 'Print {"apiKey", "keyId"}')
    .action(createKey);
  key
    .command('list')
    .description('List the API keys of a program')
    .requiredOption('--program <id>', 'The program (required)')
    .option('--json', 'Print JSON')
    .action(listKeys);
  key
    .command('update')
    .description('Change the rate limit of an API key')
    .argument('<keyId>', 'The key, from `key list`')
    .requiredOption('--rate-limit <number>', 'Requests per minute, or `default` for API_RATE_LIMIT (required)')
    .option('--json', 'Print JSON')
    .action(updateKey);
  key
    .command('rotate')
    .description('Replace an API key; the previous one works until the overlap ends')
    .argument('<keyId>', 'The key, from `key list`')
    .option('--overlap-hours <number>', `How long the previous key still works, 0 to ${maxOverlapHours}`, String(defaultOverlapHours))
    .option('--json', 'Print {"apiKey", "keyId"}')
    .action(rotate);
  key
    .command('revoke')
    .description('Revoke an API key immediately')
    .argument('<keyId>', 'The key, from `key list`')
    .option('--json', 'Print JSON')
    .action(revoke);
}

async function createKey({ program, scopes, name, expires, rateLimit, json }: CreateOptions): Promise<void> {
  const fresh = {
    programId: parseUuid(program, '--program'),
    name: parseField(line(100), name, '--name'),
    scopes: parseScopes(scopes),
    expiresAt: expires === undefined ? null : parseTime(expires, '--expires'),
    rateLimitPerMinute: rateLimit === undefined ? null : parseWholeNumber(rateLimit, '--rate-limit', maxRateLimit),
    actor: commandActor(),
  };
  await withService('key create', async ({ ctx }) => {
    const { keyId, apiKey } = await transact(ctx, (tx) => createApiKey(tx, fresh));
    if (json) return printJson({ apiKey, keyId });
    printField('API key', apiKey);
    printField('Key id', keyId);
    printLine('  The API key is shown only once. Store it with your other secrets.');
  });
}

function parseScopes(text: string): ('read' | 'write')[] {
  const scopes = text.split(',').map((scope) => {
    if (scope !== 'read' && scope !== 'write') throw new UsageError(`--scopes must be read, write, or read,write, not "${text}".`);
    return scope;
  });
  return [...new Set(scopes)];
}

async function listKeys({ program, json }: { program: string; json?: boolean }): Promise<void> {
  const programId = parseUuid(program, '--program');
  await withService('key list', async ({ ctx }) => {
    const keys = await ctx.db
      .selectFrom('apiKeys')
      .select(['id', 'name', 'prefix', 'lastFour', 'scopes', 'rateLimitPerMinute', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'])
      .where('programId', '=', programId)
      .orderBy('createdAt')
      .execute();
    if (json) return printJson(keys);
    if (keys.length === 0) return printLine('  No API keys.');
    printTable(
      ['KEY ID', 'NAME', 'KEY', 'SCOPES', 'RATE LIMIT', 'LAST USED', 'STATUS'],
      keys.map((row) => [
        row.id,
        row.name,
        `${row.prefix}…${row.lastFour}`,
        row.scopes.join(','),
        formatRateLimit(row.rateLimitPerMinute),
        formatTime(row.lastUsedAt),
        describeStatus(row, ctx.clock.now()),
      ]),
    );
  });
}

function formatRateLimit(perMinute: number | null): string {
  return perMinute === null ? 'default' : `${perMinute}/min`;
}

function describeStatus({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }, now: Date): string {
  if (revokedAt) return `revoked ${formatTime(revokedAt)}`;
  if (expiresAt && expiresAt <= now) return `expired ${formatTime(expiresAt)}`;
  return expiresAt ? `active until ${formatTime(expiresAt)}` : 'active';
}

async function updateKey(keyId: string, { rateLimit, json }: { rateLimit: string; json?: boolean }): Promise<void> {
  const id = parseUuid(keyId, 'The key id');
  const rateLimitPerMinute = rateLimit === 'default' ? null : parseWholeNumber(rateLimit, '--rate-limit', maxRateLimit);
  await withService('key update', async ({ ctx }) => {
    const programId = await findProgramOf(ctx, id);
    await transact(ctx, (tx) => changeKey(tx, { programId, keyId: id, given: { rateLimitPerMinute }, actor: commandActor() }));
    if (json) return printJson({ keyId: id, programId, rateLimitPerMinute });
    printField('Rate limit', rateLimitPerMinute === null ? 'default (API_RATE_LIMIT)' : `${rateLimitPerMinute} requests per minute`);
  });
}

async function rotate(keyId: string, { overlapHours, json }: { overlapHours: string; json?: boolean }): Promise<void> {
  const id = parseUuid(keyId, 'The key id');
  const hours = overlapHours === '0' ? 0 : parseWholeNumber(overlapHours, '--overlap-hours', maxOverlapHours);
  await withService('key rotate', async ({ ctx }) => {
    const programId = await findProgramOf(ctx, id);
    const rotation = { programId, id, actor: commandActor(), overlapHours: hours };
    const { keyId: newId, apiKey } = await transact(ctx, (tx) => rotateKey(tx, rotation));
    if (json) return printJson({ apiKey, keyId: newId });
    printField('API key', apiKey);
    printField('Key id', newId);
    printLine(`  The previous key works for ${hours} more hours. The new one is shown only once.`);
  });
}

async function revoke(keyId: string, { json }: { json?: boolean }): Promise<void> {
  const id = parseUuid(keyId, 'The key id');
  await withService('key revoke', async ({ ctx }) => {
    const programId = await findProgramOf(ctx, id);
    await transact(ctx, (tx) => revokeKey(tx, { programId, keyId: id, actor: commandActor() }));
    if (json) printJson({ keyId: id, programId });
    else printLine('  Revoked. Requests with this key are now rejected (401).');
  });
}

async function findProgramOf({ db }: Context, keyId: string): Promise<string> {
  const key = await db.selectFrom('apiKeyHashes').select('programId').where('keyId', '=', keyId).executeTakeFirst();
  if (!key) throw new UsageError('No API key has this id. See `key list`.');
  return key.programId;
}
