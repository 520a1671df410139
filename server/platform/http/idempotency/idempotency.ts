// Durable idempotency for every writing endpoint. The key's row is inserted first in the request's own
// transaction, so the second of two equal requests waits for the first to commit and then replays
// its answer. Only successes are kept: a refusal rolls back, and trying again decides anew.
// Never 409 or 422 here (decisions §1): clients would read both as success.
import { createHash } from 'node:crypto';
import type { Tx } from '../../../context.ts';
import { Invalid } from '../../lib/errors.ts';
import type { Principal } from '../declaration/endpoint.ts';

export type Answer = { status: number; body: string };
export type IdempotencyKey = { operation: string; key: string; requestHash: Buffer };

const keyForm = /^[\x21-\x7e]{1,255}$/;

/** Reads the header. Throws Invalid (400) when it is not 1–255 visible ASCII characters. */
export function readIdempotencyKey(header: unknown, request: { operation: string; url: string; body: Buffer }): IdempotencyKey | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !keyForm.test(header)) {
    throw new Invalid([{ path: ['Idempotency-Key'], message: 'must be 1 to 255 visible ASCII characters' }]);
  }
  const requestHash = createHash('sha256').update(request.url).update('\n').update(request.body).digest();
  return { operation: request.operation, key: header, requestHash };
}

/**
 * Takes the key for this transaction, or returns the answer that was given under it. Throws Invalid
 * when it was used for another request. A first request that takes too long surfaces as a lock
 * timeout: 503 with Retry-After.
 */
export async function claim(tx: Tx, { programId }: Principal, { operation, key, requestHash }: IdempotencyKey): Promise<Answer | null> {
  const inserted = await tx.db
    .insertInto('idempotencyKeys')
    .values({ programId, operation, key, requestHash, createdAt: tx.clock.now() })
    .onConflict((conflict) => conflict.columns(['programId', 'operation', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted) return null;
  const first = await tx.db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'status', 'body'])
    .where('programId', '=', programId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (!first.requestHash.equals(requestHash) || first.status === null || first.body === null) {
    throw new Invalid([{ path: ['Idempotency-Key'], message: 'was already used for a different request' }]);
  }
  return { status: first.status, body: first.body };
}

/** Keeps the answer with the key; commits with what the request did. */
export async function keepAnswer(tx: Tx, { programId }: Principal, { operation, key }: IdempotencyKey, answer: Answer): Promise<void> {
  await tx.db
    .updateTable('idempotencyKeys')
    .set(answer)
    .where('programId', '=', programId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
}

/** Gives the key back after a refusal that commits, so that another try decides anew. */
export async function release(tx: Tx, { programId }: Principal, { operation, key }: IdempotencyKey): Promise<void> {
  await tx.db
    .deleteFrom('idempotencyKeys')
    .where('programId', '=', programId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
}
