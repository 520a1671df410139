// The hash chain over a program's entries: each hash covers the one before it, so a changed cent, a
// missing entry or two that were swapped break every hash after them.
import { createHash } from 'node:crypto';

/** What a hash covers. */
export type Link = {
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
export function hashOf(previous: Buffer, link: Link): Buffer {
  const { seq, id, kind, ref, affiliateId, commissionId, debit, credit, cents, currency, createdAt } = link;
  const text = JSON.stringify([seq, id, kind, ref, affiliateId, commissionId, debit, credit, cents, currency, createdAt.toISOString()]);
  return createHash('sha256').update(previous).update(text).digest();
}
