// What a file of payments is made of.
import type { Destination } from '../../../connections/rails/rail.ts';

export type Payable = {
  id: string;
  affiliateId: string;
  amountCents: number;
  currency: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Null where nobody asked for one: a person pays, and knows. */
  destination: Destination | null;
};

/** Who pays, as the provider's settings say. */
export type Payer = { name: string; iban: string | null; bic: string | null };

export type FileOf = {
  /** Null: this payment can't go into this file. */
  fits(payable: Payable): boolean;
  write(payables: readonly Payable[], about: { payer: Payer; batchId: string; at: Date }): string;
  mediaType: string;
  extension: string;
};

/** What a receiver finds on the statement, and what leads back to the payout. */
export function referenceOf({ id }: Pick<Payable, 'id'>): string {
  return id.replaceAll('-', '').slice(-30);
}
