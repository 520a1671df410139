// Codes of coupons: what one may be, and making one from the name of its affiliate.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { foldCase } from '../../platform/lib/text.ts';

export const couponCode = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => /^[A-Za-z0-9_-]{2,64}$/.test(text), { error: 'must be 2 to 64 letters A–Z, numbers, - and _' })
  .meta({ json: { type: 'string', pattern: '^[A-Za-z0-9_-]{2,64}$' } });

/** The form in which codes are compared: unique in the program without regard to case. */
export function codeKey(code: string): string {
  return foldCase(code.trim());
}

type Person = { firstName: string; lastName: string; referralCode: string };

/**
 * Codes to try until one is free: ADA20 for Ada and 20 percent, then with an ending that can't be
 * guessed. A name without ASCII letters gives way to the last name, then to the referral code.
 */
export function* codesFor(tx: Pick<Tx, 'ids'>, person: Person, discountRate: number | null): Generator<string> {
  const names = [person.firstName, person.lastName, person.referralCode];
  const word = names.map((name) => toSlug(name).replaceAll('-', '')).find((text) => text.length >= 2) ?? 'code';
  const code = `${word.slice(0, 20).toUpperCase()}${Math.floor(discountRate ?? 0) || 10}`;
  yield code;
  for (let length = 2; length <= 8; length += 1) yield code + tx.ids.referralCode().slice(0, length);
}
