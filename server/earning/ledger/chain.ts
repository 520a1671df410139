// The hash chain over a program's entries. Each hash covers the one before it, so a changed amount, a missing entry or
// two swapped entries invalidate every later hash.
import { createHash } from 'node:crypto';

/** The fields that a hash covers. */
export type ChainedEntry = {
  seq: number;
  id: string;
  kind: string;
  ref: string;
  affiliateId: string;
  commissionId: string | null;
  debit: string;
  credit: string;
  cents: number;
  currency: string;
  createdAt: Date;
};

/** The hash before the first entry. */
export const genesis = Buffer.alloc(32);

/** sha256(previous hash ‖ the entry's fields as JSON, in one fixed order). */
export function hashEntry(previous: Buffer, entry: ChainedEntry): Buffer {
  const { seq, id, kind, ref, affiliateId, commissionId, debit, credit, cents, currency, createdAt } = entry;
  const text = JSON.stringify([seq, id, kind, ref, affiliateId, commissionId, debit, credit, cents, currency, createdAt.toISOString()]);
  return createHash('sha256').update(previous).update(text).digest();
}
