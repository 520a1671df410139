import type { Destination } from '../../../connections/rails/rail.ts';

/** A payout in a payment file. */
export type FilePayment = {
  id: string;
  affiliateId: string;
  amountCents: number;
  currency: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Null if the affiliate has no payout details, which manual payments don't need. */
  destination: Destination | null;
};

/** The account that pays, from the provider's settings. */
export type Payer = { name: string; iban: string | null; bic: string | null };

export type FileFormat = {
  /** Whether the format can represent this payment. */
  supports(payment: FilePayment): boolean;
  write(payments: readonly FilePayment[], batch: { payer: Payer; batchId: string; createdAt: Date }): string;
  mediaType: string;
  extension: string;
};

/** The reference on the payee's statement, derived from the payout's id. */
export function toReference({ id }: Pick<FilePayment, 'id'>): string {
  return id.replaceAll('-', '').slice(-30);
}
