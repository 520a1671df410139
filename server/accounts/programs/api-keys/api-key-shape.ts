// API keys as members see them: everything but the key, of which only a hash is stored.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import type { ApiKeys } from '../../../platform/db/schema.gen.ts';
import { countOut, line, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { idSlot } from '../../../platform/http/declaration/id-slot.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { Invalid, InvalidState } from '../../../platform/lib/errors.ts';

export const KeyScope = z.enum(['read', 'write']);
export const KeyStatus = z.enum(['active', 'expired', 'revoked']).meta({ id: 'ApiKeyStatus' });

export const KeyShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    prefix: z.string().describe('The first characters of the key, which identify it.'),
    lastFour: z.string(),
    scopes: z.array(KeyScope),
    status: KeyStatus,
    rateLimitPerMinute: countOut.nullable().describe('Requests per minute for this key; null for the default of the installation.'),
    createdBy: z
      .object({ id: uuidOut, name: z.string() })
      .nullable()
      .describe('The member to whom the key belongs; null for a key of the command line.'),
    replacedById: uuidOut.nullable().describe('The key that replaced this one when it was rotated.'),
    lastUsedAt: timestampOut.nullable().describe('Updated at most once a minute.'),
    expiresAt: timestampOut.nullable(),
    revokedAt: timestampOut.nullable().describe('When the key was revoked.'),
    createdAt: timestampOut,
  })
  .meta({
    id: 'ApiKeyDetails',
    example: {
      id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14',
      name: 'Web store',
      prefix: 'trb_live_9Kd2',
      lastFour: 'x7Qm',
      scopes: ['read', 'write'],
      status: 'active',
      rateLimitPerMinute: null,
      createdBy: { id: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f', name: 'Dana Calder' },
      replacedById: null,
      lastUsedAt: '2026-11-20T16:40:00.000Z',
      expiresAt: null,
      revokedAt: null,
      createdAt: '2026-03-02T09:12:44.000Z',
    },
  });

export const KeyWithSecret = KeyShape.extend({ key: z.string().describe('The API key. It is never shown again.') }).meta({
  id: 'CreatedApiKey',
  example: {
    id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14',
    name: 'Web store',
    prefix: 'trb_live_9Kd2',
    lastFour: 'x7Qm',
    scopes: ['read', 'write'],
    status: 'active',
    rateLimitPerMinute: null,
    createdBy: { id: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f', name: 'Dana Calder' },
    replacedById: null,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    createdAt: '2026-03-02T09:12:44.000Z',
    key: 'trb_live_9Kd2…x7Qm',
  },
});

export const keySlot = idSlot('apiKeys', 'The id of the API key.');
export const keyName = line(100).describe('What the key is used for.');

export const keyNotActive = {
  status: 400,
  code: 'api_key_not_active',
  when: 'The key was revoked, has expired, or was already replaced.',
} as const;

type KeyRow = Selectable<ApiKeys>;

/** Whether a key is accepted at a time, and if not, why. */
export function statusOf({ revokedAt, expiresAt }: Pick<KeyRow, 'revokedAt' | 'expiresAt'>, now: Date): z.output<typeof KeyStatus> {
  if (revokedAt && revokedAt <= now) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}

export function toKey(row: KeyRow, { now, createdBy }: { now: Date; createdBy: string | null }): z.input<typeof KeyShape> {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.lastFour,
    scopes: row.scopes.map((scope) => KeyScope.parse(scope)),
    status: statusOf(row, now),
    rateLimitPerMinute: row.rateLimitPerMinute,
    createdBy: row.userId === null ? null : { id: row.userId, name: createdBy ?? '' },
    replacedById: row.replacedById,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A key of the program, with the name of its member. The path was checked before. */
export async function readKey(ctx: Pick<Context, 'db' | 'clock'>, programId: string, id: string): Promise<z.input<typeof KeyShape>> {
  const keys = ctx.db.selectFrom('apiKeys').selectAll().where('programId', '=', programId);
  const key = await keys.where('id', '=', id).executeTakeFirstOrThrow();
  const names = await findMemberNames(ctx, [key]);
  return toKey(key, { now: systemTime(ctx), createdBy: names.get(key.userId ?? '') ?? null });
}

/** The names of the users to whom these keys belong, by id. */
export async function findMemberNames(ctx: Pick<Context, 'db'>, keys: readonly Pick<KeyRow, 'userId'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(keys.flatMap(({ userId }) => userId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.selectFrom('users').select(['id', 'name', 'email']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name, email }) => [id, name || email]));
}

/** Locks a key against other changes. Throws InvalidState unless it is accepted and was not replaced. */
export async function lockActiveKey(tx: Tx, programId: string, id: string): Promise<KeyRow> {
  const keys = tx.db.selectFrom('apiKeys').selectAll().where('programId', '=', programId);
  const key = await keys.where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
  const status = statusOf(key, systemTime(tx));
  if (status !== 'active')
    throw new InvalidState('api_key_not_active', `This API key ${status === 'expired' ? 'has expired' : 'was revoked'}.`);
  if (key.replacedById !== null) throw new InvalidState('api_key_not_active', 'This API key was already replaced.');
  return key;
}

/** Rejects a time that has passed. */
export function requireFuture(tx: Tx, expiresAt: Date | null): void {
  if (expiresAt && expiresAt <= systemTime(tx)) throw new Invalid([{ path: ['expiresAt'], message: 'must be in the future' }]);
}

/** Rejects a rate limit above that of the installation: only its operator may raise it, with the command line. */
export function requireRateLimit(tx: Tx, perMinute: number | null): void {
  const most = tx.config.apiRateLimit;
  if (perMinute === null || most === 0 || perMinute <= most) return;
  throw new Invalid([{ path: ['rateLimitPerMinute'], message: `must be a whole number from 1 to ${most}` }]);
}
