// A system that programs move from: which files it exports, and what their rows mean.
import type { AmountForm } from '../files/parse-cell.ts';
import type { Row } from '../files/row.ts';
import type { AffiliateRecord, CustomerRecord, OrderRecord, PastRecord, PayoutRecord, Place } from '../records.ts';

export type FileKind = {
  /** Such as `commissions`. */
  name: string;
  /** Columns without which a file is not this export; each with the names it can have. */
  required: readonly (readonly string[])[];
  /** What a row means. Throws RowFault. */
  read(row: Row): PastRecord[];
};

export type Source = {
  name: string;
  title: string;
  /** How its files write amounts, except in columns whose name ends with "cents". */
  amounts: AmountForm;
  files: readonly FileKind[];
};

/** Where a record comes from. */
export function placeOf({ file, row }: Row): Place {
  return { file, row };
}

type Fields<Entry extends Place> = Omit<Entry, 'kind' | keyof Place>;
type AffiliateFields = Omit<Fields<AffiliateRecord>, 'upline' | 'balances'> & Partial<AffiliateRecord>;

/** An affiliate, with the names in their links; empty ones are left out. */
export function toAffiliate(row: Row, fields: AffiliateFields, slugs: readonly string[] = []): PastRecord[] {
  const links = slugs.filter((slug) => slug !== '').map((slug) => ({ ...placeOf(row), kind: 'link' as const, affiliate: fields.id, slug }));
  return [{ upline: null, balances: {}, ...fields, ...placeOf(row), kind: 'affiliate' }, ...links];
}

/** A customer of an affiliate. Empty texts are null. */
export function toCustomer(row: Row, { id, email, ...fields }: Fields<CustomerRecord>): CustomerRecord {
  return { ...placeOf(row), kind: 'customer', id, email: email || null, ...fields };
}

/** The sale that a commission contains. */
export function toSale(row: Row, fields: Omit<Fields<OrderRecord>, 'isImplied'>): OrderRecord {
  return { ...placeOf(row), kind: 'order', ...fields, isImplied: true };
}

/** The customer of an order, by the texts of the file; null if both are empty. */
export function toBuyer(externalId: string, email: string): OrderRecord['customer'] {
  return externalId === '' && email === '' ? null : { externalId: externalId || null, email: email || null };
}

/** A payout that was sent. Without a reference, it is known by its id. */
export function toPayout(row: Row, { reference, ...fields }: Fields<PayoutRecord>): PayoutRecord {
  return { ...placeOf(row), kind: 'payout', ...fields, reference: reference || fields.id };
}

/** First and last name of a full name, which is split before its last word. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? words.pop() : '';
  return { firstName: words.join(' '), lastName: last ?? '' };
}
