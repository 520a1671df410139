// API keys: `trb_live_` or `trb_test_`, 32 random bytes in base62, and six characters of CRC32, by which secret
// scanners and this file detect a mistyped key without a query. Only the SHA-256 of the key is stored; 256 random bits
// need no salt. A register names the program and the id of a key, which never change, so that they are read once; everything
// else about the key is a row of its program, and cached for less than a second, so that a request costs no query for it and
// a revocation takes effect within a second in every process. Writes check their key again in their transaction.
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { toNodeOf } from '../../platform/db/program-connections.ts';
import type { ApiKeys } from '../../platform/db/schema.gen.ts';
import { readTogether } from '../../platform/db/statements/pipeline.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import { transact } from '../../platform/db/transact.ts';
import type { KeyPrincipal } from '../../platform/http/declaration/principal.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import type { Origin } from '../../platform/lib/origin.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^(trb_(?:live|test)_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Generates a key for a program in this mode. */
export function generateKey(mode: 'live' | 'test', random: (size: number) => Buffer = randomBytes): string {
  const body = `trb_${mode}_${base62(BigInt(`0x${random(32).toString('hex')}`), 43)}`;
  return body + checksum(body);
}

export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Whether the text has the form and checksum of a key. */
export function isKeyForm(text: string): boolean {
  const [, body, sum] = form.exec(text) ?? [];
  return body !== undefined && checksum(body) === sum;
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}

const freshMs = 900;
const maxCached = 10_000;
const maxNetworks = 200;

type StoredKey = NonNullable<Awaited<ReturnType<typeof readKey>>>;

/** By the hash of the key. Unknown keys are not cached. */
const cache = new Map<string, { row: StoredKey; until: number }>();

type Registered = { programId: string; keyId: string };

/** The rows of the register that were read, by the hash of the key. They never change. */
const registered = new Map<string, Registered>();

/**
 * The API key in an Authorization header: `Bearer <key>`, or only the key. Null for a missing, malformed, unknown,
 * revoked or expired key. Records the time of use once a minute, and the first use from each network in the audit log; a
 * request does not fail if that fails.
 */
export async function findKey(ctx: Context, authorization: string): Promise<KeyPrincipal | null> {
  const key = authorization.replace(/^bearer +/i, '').trim();
  if (!isKeyForm(key)) return null;
  const keyHash = hashKey(key);
  const row = await findStored(ctx, keyHash);
  const now = systemTime(ctx);
  if (!row || (row.revokedAt && row.revokedAt <= now) || (row.expiresAt && row.expiresAt <= now)) return null;
  const { id, programId, currency, scopes, rateLimitPerMinute, networks } = row;
  const principal = { kind: 'api_key' as const, id, programId, currency, scopes, rateLimitPerMinute };
  const isUseDue = !row.lastUsedAt || now.getTime() - row.lastUsedAt.getTime() > 60_000;
  const newOrigin = ctx.origin && !networks.includes(ctx.origin.network) ? ctx.origin : null;
  if (!isUseDue && !newOrigin) return principal;
  const warn = (what: string) => (error: unknown) => ctx.log.warn({ err: error, keyId: id }, `${what} of an API key was not recorded`);
  if (isUseDue) await recordUse(ctx, principal, now).catch(warn('the use'));
  if (newOrigin) await recordNetwork(ctx, principal, newOrigin).catch(warn('a new network'));
  cache.delete(keyHash.toString('base64'));
  return principal;
}

async function findStored(ctx: Context, keyHash: Buffer): Promise<StoredKey | null> {
  const name = keyHash.toString('base64');
  const cached = cache.get(name);
  if (cached && performance.now() < cached.until) return cached.row;
  const readAt = performance.now();
  const known = registered.get(name) ?? (await findRegistered(ctx, keyHash));
  const row = known && (await readKey(ctx, known));
  cache.delete(name);
  if (!row) return null;
  if (registered.size >= maxCached) registered.clear();
  registered.set(name, known);
  if (cache.size >= maxCached) cache.clear();
  cache.set(name, { row, until: readAt + freshMs });
  return row;
}

type KeyRow = Pick<
  Selectable<ApiKeys>,
  'id' | 'programId' | 'scopes' | 'rateLimitPerMinute' | 'revokedAt' | 'expiresAt' | 'lastUsedAt' | 'networks'
>;

async function findRegistered({ db }: Context, keyHash: Buffer): Promise<Registered | undefined> {
  const { rows } = await plainSql<Registered>`select program_id, key_id from api_key_hashes where key_hash = ${keyHash}`.execute(db);
  return rows[0];
}

async function readKey(ctx: Context, { programId, keyId }: Registered) {
  const [keys, programs] = await readTogether(toNodeOf(ctx, programId), (db) =>
    Promise.all([
      plainSql<KeyRow>`
        select id, program_id, scopes, rate_limit_per_minute, revoked_at, expires_at, last_used_at, networks
        from api_keys where program_id = ${programId} and id = ${keyId}`.execute(db),
      plainSql<{ currency: string }>`select currency from programs where id = ${programId} and delete_after is null`.execute(db),
    ]),
  );
  const [[key], [program]] = [keys.rows, programs.rows];
  return key && program && { ...key, ...program };
}

/** Skipped while a write with this key locks its row, rather than waiting for it. */
async function recordUse(ctx: Context, { programId, id }: KeyPrincipal, now: Date): Promise<void> {
  const db = toNodeOf(ctx, programId);
  const keys = db.selectFrom('apiKeys').select('id').where('programId', '=', programId).where('id', '=', id);
  const free = keys.forNoKeyUpdate().skipLocked();
  await db.updateTable('apiKeys').set({ lastUsedAt: now }).where('programId', '=', programId).where('id', 'in', free).execute();
}

/** Adds the network to those of the key, whose list has the last ones. Concurrent requests record it once. */
async function recordNetwork(ctx: Context, key: KeyPrincipal, { network }: Origin): Promise<void> {
  const { programId, id } = key;
  await transact({ ...ctx, db: toNodeOf(ctx, programId) }, async ({ db, ...tx }) => {
    const keys = db.selectFrom('apiKeys').select('networks').where('programId', '=', programId).where('id', '=', id);
    const { networks } = await keys.forNoKeyUpdate().executeTakeFirstOrThrow();
    if (networks.includes(network)) return;
    const last = [...networks, network].slice(-maxNetworks);
    await db.updateTable('apiKeys').set({ networks: last }).where('programId', '=', programId).where('id', '=', id).execute();
    await recordChange({ ...tx, db }, { programId, actor: key, action: 'api_key.used_from_new_network', subjectId: id });
  });
}
