// Where an affiliate is paid. It is encrypted before it reaches the database, decrypted only to pay, and never returned
// (Contract §2.1): the API shows the payout method, and from when it is used.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { Destination } from '../../connections/rails/rail.ts';
import type { Context, Tx } from '../../context.ts';
import type { PayoutDetails } from '../../platform/db/schema.gen.ts';
import { currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import { PayoutMethod } from './destination.ts';

/** Without a field for an account identifier, none can be returned. */
export const PayoutDetailsShape = z
  .object({
    affiliateId: uuidOut,
    method: PayoutMethod.nullable().describe('Null if no payout details are set.'),
    payoutCurrency: currencyOut.nullable().describe('The other currency in which the affiliate is paid; null: that of the program.'),
    effectiveAt: timestampOut.nullable().describe('Payouts are on hold until this time.'),
    createdAt: timestampOut.nullable(),
    updatedAt: timestampOut.nullable(),
  })
  .meta({
    id: 'PayoutDetails',
    example: {
      affiliateId: '01980a4e-9c2f-7d41-8b3a-5e6f7a8b9c0d',
      method: 'paypal',
      payoutCurrency: null,
      effectiveAt: '2026-11-23T10:00:00.000Z',
      createdAt: '2026-11-02T09:30:00.000Z',
      updatedAt: '2026-11-20T10:00:00.000Z',
    },
  });

export type PayoutDetailsRow = Selectable<PayoutDetails>;

type Row = { method: string; payoutCurrency: string | null; usableFrom: Date; createdAt: Date; updatedAt: Date };

export function toPayoutDetails(affiliateId: string, row: Row | undefined): z.input<typeof PayoutDetailsShape> {
  if (!row) return { affiliateId, method: null, payoutCurrency: null, effectiveAt: null, createdAt: null, updatedAt: null };
  return {
    affiliateId,
    method: PayoutMethod.parse(row.method),
    payoutCurrency: row.payoutCurrency,
    effectiveAt: row.usableFrom.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The owner that a destination is encrypted for. A payout's copy keeps this owner. */
export function payoutDetailsOwner(affiliateId: string): string {
  return `payout_details:${affiliateId}`;
}

export function encryptDestination(vault: Vault, destination: Destination, affiliateId: string): Buffer {
  return vault.encrypt(JSON.stringify(destination), payoutDetailsOwner(affiliateId));
}

/** Decrypts a destination of this affiliate, from the payout details or a payout's copy. Throws if it belongs to another. */
export function decryptDestination(vault: Vault, encrypted: Buffer, affiliateId: string): Destination {
  return Destination.parse(JSON.parse(vault.decrypt(encrypted, payoutDetailsOwner(affiliateId))));
}

/** The affiliate's row, or undefined. To change it, lock the affiliate first. */
export async function findPayoutDetails(ctx: Pick<Context, 'db'> | Tx, programId: string, affiliateId: string) {
  const details = ctx.db.selectFrom('payoutDetails').selectAll().where('programId', '=', programId);
  return details.where('affiliateId', '=', affiliateId).executeTakeFirst();
}

/** The decrypted destinations of the affiliates that have one. Only for exports by the command line. */
export async function readDestinations(
  ctx: Pick<Context, 'db' | 'vault'>,
  programId: string,
  affiliateIds: readonly string[],
): Promise<Map<string, Destination>> {
  if (affiliateIds.length === 0) return new Map();
  const details = ctx.db.selectFrom('payoutDetails').select(['affiliateId', 'encryptedDestination']).where('programId', '=', programId);
  const rows = await details.where('affiliateId', 'in', affiliateIds).execute();
  return new Map(
    rows.map(({ affiliateId, encryptedDestination }) => [affiliateId, decryptDestination(ctx.vault, encryptedDestination, affiliateId)]),
  );
}
