// Coupon codes: their format, and generating one from the name of the affiliate.
import { z } from 'zod';
import type { Tx } from '../../context.ts';
import { toSlug } from '../../platform/lib/slug.ts';
import { foldCase } from '../../platform/lib/text.ts';

export const couponCode = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => /^[A-Za-z0-9_-]{2,64}$/.test(text), { error: 'must be 2 to 64 letters A–Z, numbers, - and _' })
  .meta({ json: { type: 'string', pattern: '^[A-Za-z0-9_-]{2,64}$' } });

/** The form in which codes are compared: unique in the program, ignoring case. */
export function toCodeKey(code: string): string {
  return foldCase(code.trim());
}

type Affiliate = { firstName: string; lastName: string; referralCode: string };

/**
 * Codes to try until one is free: ADA20 for Ada and 20 percent, then with a random suffix. A first name without ASCII
 * letters is replaced by the last name, then by the referral code.
 */
export function* generateCodes(tx: Pick<Tx, 'ids'>, affiliate: Affiliate, discountRate: number | null): Generator<string> {
  const names = [affiliate.firstName, affiliate.lastName, affiliate.referralCode];
  const base = names.map((name) => toSlug(name).replaceAll('-', '')).find((text) => text.length >= 2) ?? 'code';
  const code = `${base.slice(0, 20).toUpperCase()}${Math.floor(discountRate ?? 0) || 10}`;
  yield code;
  for (let length = 2; length <= 8; length += 1) yield code + tx.ids.referralCode().slice(0, length);
}
