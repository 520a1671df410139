// Idempotency of writing endpoints. The key's row is inserted first in the request's transaction, so that the second of
// two equal requests waits for the first to commit and then returns its response. Only successful responses are stored:
// an error rolls back, and a retry is processed again. Never 409 or 422, which clients treat as success.
import { createHash } from 'node:crypto';
import type { Context, Tx } from '../../../context.ts';
import { systemTime } from '../../lib/clock.ts';
import { Invalid } from '../../lib/errors.ts';
import type { Principal } from '../declaration/endpoint.ts';

/** `mediaType` and `fileName` are those of a file. */
export type StoredResponse = { status: number; body: string; mediaType: string | null; fileName: string | null };
export type IdempotencyKey = { operation: string; key: string; requestHash: Buffer };

const keyForm = /^[\x21-\x7e]{1,255}$/;

/** `caller` is set for operations that return a secret: to another caller, the request with the same key is another one. */
type KeyedRequest = { operation: string; url: string; body: Buffer; caller: string | null };

/** Reads the header. Throws Invalid (400) if it is not 1–255 visible ASCII characters. */
export function readIdempotencyKey(header: unknown, request: KeyedRequest): IdempotencyKey | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !keyForm.test(header)) {
    throw new Invalid([{ path: ['Idempotency-Key'], message: 'must be 1 to 255 visible ASCII characters' }]);
  }
  const hash = createHash('sha256').update(request.url).update('\n').update(request.body);
  const requestHash = (request.caller === null ? hash : hash.update('\n').update(request.caller)).digest();
  return { operation: request.operation, key: header, requestHash };
}

/**
 * Claims the key for this transaction, or returns the stored response of an earlier request. Throws Invalid if the key
 * was used for a different request. If the first request takes too long, the lock times out: 503 with Retry-After.
 */
export async function claimKey(
  tx: Tx,
  { programId }: Principal,
  { operation, key, requestHash }: IdempotencyKey,
): Promise<StoredResponse | null> {
  const inserted = await tx.db
    .insertInto('idempotencyKeys')
    .values({ programId, operation, key, requestHash, createdAt: systemTime(tx) })
    .onConflict((conflict) => conflict.columns(['programId', 'operation', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted) return null;
  const first = await tx.db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'status', 'body', 'mediaType', 'fileName'])
    .where('programId', '=', programId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (!first.requestHash.equals(requestHash) || first.status === null || first.body === null) {
    throw new Invalid([{ path: ['Idempotency-Key'], message: 'was already used for a different request' }]);
  }
  return { status: first.status, body: first.body, mediaType: first.mediaType, fileName: first.fileName };
}

type KeyOfProgram = { programId: string } & Pick<IdempotencyKey, 'operation' | 'key'>;

/** Whether a request with this key has succeeded before. */
export async function hasStoredResponse({ db }: Pick<Context, 'db'>, { programId, operation, key }: KeyOfProgram): Promise<boolean> {
  const keys = db.selectFrom('idempotencyKeys').select('status').where('programId', '=', programId);
  const stored = await keys.where('operation', '=', operation).where('key', '=', key).executeTakeFirst();
  return stored !== undefined && stored.status !== null;
}

/** Stores the response with the key, in the transaction of the request. */
export async function storeResponse(
  tx: Tx,
  { programId }: Principal,
  { operation, key }: IdempotencyKey,
  response: StoredResponse,
): Promise<void> {
  await tx.db
    .updateTable('idempotencyKeys')
    .set(response)
    .where('programId', '=', programId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
}

/** Releases the key after an error that commits, so that a retry is processed again. */
export async function releaseKey(tx: Tx, { programId }: Principal, { operation, key }: IdempotencyKey): Promise<void> {
  await tx.db
    .deleteFrom('idempotencyKeys')
    .where('programId', '=', programId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
}
