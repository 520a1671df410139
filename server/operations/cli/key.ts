// Creates, lists and revokes the API keys of a program.
import type { Command } from 'commander';
import { issueKey } from '../../accounts/programs/issue-key.ts';
import { revokeKey } from '../../accounts/programs/revoke-key.ts';
import { transact } from '../../platform/db/transact.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';
import { fact, json, moment, say, table } from './print.ts';
import { operator, Refused, requireField, withService } from './run.ts';

type Creation = { program: string; scopes: string; name: string; expires?: string; rateLimit?: string; json?: boolean };

export function keyCommands(cli: Command): void {
  const key = cli.command('key').description('API keys of a program');
  key
    .command('create')
    .description('create a key')
    .requiredOption('--program <id>', 'the program')
    .requiredOption('--scopes <scopes>', 'read, write, or read,write')
    .option('--name <name>', 'what the key is for', 'API key')
    .option('--expires <time>', 'ISO 8601 time at which the key expires')
    .option('--rate-limit <number>', 'requests a minute for this key, instead of API_RATE_LIMIT')
    .option('--json', 'print {"apiKey"}')
    .action(create);
  key.command('list').description('list keys').requiredOption('--program <id>', 'the program').option('--json', 'print JSON').action(list);
  key
    .command('revoke')
    .description('revoke a key immediately')
    .argument('<keyId>', 'id of the key, from `key list`')
    .option('--json', 'print JSON')
    .action(revoke);
}

/** An id given on the command line. */
export function requireUuid(text: string, what: string): string {
  const id = canonicalUuid(text);
  if (!id) throw new Refused(`${what} must be a UUID, not "${text}".`);
  return id;
}

async function create({ program, scopes, name, expires, rateLimit, json: asJson }: Creation): Promise<void> {
  const programId = requireUuid(program, '--program');
  const wanted = scopes.split(',').map((scope) => {
    if (scope !== 'read' && scope !== 'write') throw new Refused(`--scopes must be read, write, or read,write, not "${scopes}".`);
    return scope;
  });
  const expiresAt = expires === undefined ? null : new Date(expires);
  if (expiresAt && Number.isNaN(expiresAt.getTime())) throw new Refused(`--expires must be an ISO 8601 time, not "${expires}".`);
  const rateLimitPerMinute = rateLimit === undefined ? null : requireRate(rateLimit);
  const keyName = requireField(line(100), name, '--name');
  await withService('key create', async ({ ctx }) => {
    const { keyId, apiKey } = await transact(ctx, (tx) =>
      issueKey(tx, { programId, name: keyName, scopes: [...new Set(wanted)], expiresAt, rateLimitPerMinute, actor: operator() }),
    );
    if (asJson) return json({ apiKey, keyId });
    fact('API key', apiKey);
    fact('Key id', keyId);
    say('  The API key is shown only once. Store it with your other secrets.');
  });
}

function requireRate(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Refused(`--rate-limit must be a whole number from 1 to 9999999, not "${text}".`);
  return Number(text);
}

async function list({ program, json: asJson }: { program: string; json?: boolean }): Promise<void> {
  const programId = requireUuid(program, '--program');
  await withService('key list', async ({ ctx }) => {
    const keys = await ctx.db
      .selectFrom('apiKeys')
      .select(['id', 'name', 'prefix', 'lastFour', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'])
      .where('programId', '=', programId)
      .orderBy('createdAt')
      .execute();
    if (asJson) return json(keys);
    table(
      ['KEY ID', 'NAME', 'KEY', 'SCOPES', 'LAST USED', 'STATE'],
      keys.map((row) => [
        row.id,
        row.name,
        `${row.prefix}…${row.lastFour}`,
        row.scopes.join(','),
        moment(row.lastUsedAt),
        stateOf(row, ctx.clock.now()),
      ]),
    );
  });
}

function stateOf({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }, now: Date): string {
  if (revokedAt) return `revoked ${moment(revokedAt)}`;
  if (expiresAt && expiresAt <= now) return `expired ${moment(expiresAt)}`;
  return expiresAt ? `until ${moment(expiresAt)}` : 'valid';
}

async function revoke(keyId: string, { json: asJson }: { json?: boolean }): Promise<void> {
  const id = requireUuid(keyId, 'The key id');
  await withService('key revoke', async ({ ctx }) => {
    const revoked = await transact(ctx, (tx) => revokeKey(tx, id, operator()));
    if (asJson) json(revoked);
    else say('  Revoked. Requests with this key now receive 401.');
  });
}
