// Ids are made here, never by the database, so that every PostgreSQL behaves alike and rows can be
// related before they are written.
import { customAlphabet } from 'nanoid';
import { uuidv7 } from 'uuidv7';

export type Ids = {
  /** uuid v7: ordered by time, also within one millisecond. */
  uuid(): string;
  /** 8 characters a person can read aloud: no 0 O 1 I L. */
  referralCode(): string;
};

const referralCode = customAlphabet('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 8);

export const randomIds: Ids = { uuid: uuidv7, referralCode };

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The one spelling of a uuid (36 characters, lower case), or null. PostgreSQL would take other
 * spellings too, and then two names would mean one row.
 */
export function canonicalUuid(text: string): string | null {
  return uuidForm.test(text) ? text.toLowerCase() : null;
}
