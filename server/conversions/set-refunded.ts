import { sql } from 'kysely';
import type { Tx } from '../context.ts';

type Refunded = { conversionId: string; refundedCents: number };

/** Keeps what of an order was refunded in all. The books must be open. */
export async function setRefunded(tx: Tx, programId: string, { conversionId, refundedCents }: Refunded): Promise<void> {
  await sql`update conversions set refunded_cents = ${refundedCents} where program_id = ${programId} and id = ${conversionId}`.execute(
    tx.db,
  );
}
