// Where an affiliate wants to be paid. It is sealed before it reaches the database, opened only to pay, and never
// returned (Contract §2.1): what the API shows is the way, and from when it is used.
import { z } from 'zod';
import type { Destination, Method } from '../../connections/rails/rail.ts';
import type { Context, Tx } from '../../context.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import { PayoutMethod } from './destination.ts';

/** No field for an identifier, so none can leave. */
export const PayoutDetailsShape = z
  .object({
    affiliateId: uuidOut,
    method: PayoutMethod.nullable().describe('Null when none are set.'),
    usableFrom: timestampOut.nullable().describe('Nothing is paid there before.'),
    createdAt: timestampOut.nullable(),
    updatedAt: timestampOut.nullable(),
  })
  .meta({ id: 'PayoutDetails' });

type Row = { affiliateId: string; method: string; usableFrom: Date; createdAt: Date; updatedAt: Date };

export function toPayoutDetails(affiliateId: string, row: Row | undefined): z.input<typeof PayoutDetailsShape> {
  return {
    affiliateId,
    method: row ? PayoutMethod.parse(row.method) : null,
    usableFrom: row?.usableFrom.toISOString() ?? null,
    createdAt: row?.createdAt.toISOString() ?? null,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}

/** To whom a sealed destination belongs. A payout's copy keeps this owner: it is opened by the same name. */
export function payoutDetailsOwner(affiliateId: string): string {
  return `payout_details:${affiliateId}`;
}

export function sealDestination(vault: Vault, destination: Destination, affiliateId: string): Buffer {
  return vault.encrypt(JSON.stringify(destination), payoutDetailsOwner(affiliateId));
}

/** Opens what was sealed for this affiliate, here or in the copy of a payout. Throws when it doesn't open. */
export function openDestination(vault: Vault, sealed: Buffer, affiliateId: string): Destination {
  return JSON.parse(vault.decrypt(sealed, payoutDetailsOwner(affiliateId))) as Destination;
}

/** The affiliate's row, or undefined. Whoever means to change it holds the affiliate's lock. */
export async function findPayoutDetails(ctx: Pick<Context, 'db'> | Tx, programId: string, affiliateId: string) {
  const details = ctx.db.selectFrom('payoutDetails').selectAll().where('programId', '=', programId);
  return details.where('affiliateId', '=', affiliateId).executeTakeFirst();
}

type Found = { method: Method; destination: Destination; sealed: Buffer; fingerprint: string; usableFrom: Date };

/** The destinations of those that have one, opened: for exports by the command line alone. */
export async function readDestinations(
  ctx: Pick<Context, 'db' | 'vault'>,
  programId: string,
  affiliateIds: readonly string[],
): Promise<Map<string, Found>> {
  if (affiliateIds.length === 0) return new Map();
  const details = ctx.db.selectFrom('payoutDetails').selectAll().where('programId', '=', programId);
  const rows = await details.where('affiliateId', 'in', affiliateIds).execute();
  return new Map(
    rows.map(({ affiliateId, sealed, fingerprint, usableFrom }) => {
      const destination = openDestination(ctx.vault, sealed, affiliateId);
      return [affiliateId, { method: destination.method, destination, sealed, fingerprint, usableFrom }];
    }),
  );
}
