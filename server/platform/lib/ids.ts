// Ids are generated here and not by the database, so that rows can refer to each other before they are written.
import { customAlphabet } from 'nanoid';
import { uuidv7 } from 'uuidv7';

export type Ids = {
  /** A UUID v7: ordered by time, even within one millisecond. */
  uuid(): string;
  /** 8 unambiguous characters: no 0, O, 1, I or L. */
  referralCode(): string;
};

const referralCode = customAlphabet('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 8);

export const randomIds: Ids = { uuid: uuidv7, referralCode };

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The canonical form of a UUID (36 characters, lower case), or null. PostgreSQL accepts other forms too, and two ids
 * would then mean the same row.
 */
export function canonicalUuid(text: string): string | null {
  return uuidForm.test(text) ? text.toLowerCase() : null;
}
