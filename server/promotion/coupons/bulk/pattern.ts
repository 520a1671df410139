// Codes for many affiliates by a pattern such as `{firstName}20`. Pure.
import { z } from 'zod';
import { toSlug } from '../../../platform/lib/slug.ts';
import { toCodeKey } from '../code.ts';

const message = 'must contain {firstName}, {lastName} or {referralCode}, and otherwise letters A–Z, numbers, - and _';
const form = /^(?:[A-Za-z0-9_-]|\{(?:firstName|lastName|referralCode)\})+$/;

/** A pattern without a placeholder would give every affiliate the same code. */
export const couponPattern = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => text.length <= 64 && form.test(text) && text.includes('{'), { error: message })
  .meta({ json: { type: 'string', maxLength: 64 } });

type Affiliate = { firstName: string; lastName: string; referralCode: string };

const maxBase = 56;

/** The code of an affiliate; from the second try on with a number. A name without ASCII letters is replaced by the referral code. */
export function toPatternCode(pattern: string, affiliate: Affiliate, attempt: number): string {
  const code = pattern.replace(/\{(firstName|lastName|referralCode)\}/g, (_, field: keyof Affiliate) => toLetters(affiliate, field));
  const base = code.slice(0, maxBase);
  return attempt === 1 && base.length >= 2 ? base : `${base}${attempt}`;
}

function toLetters(affiliate: Affiliate, field: keyof Affiliate): string {
  const letters = toSlug(affiliate[field]).replaceAll('-', '').toUpperCase();
  return letters === '' ? affiliate.referralCode : letters;
}

export type Promoter = Affiliate & { id: string };
export type Planned = { affiliate: Promoter; code: string };

/** How many codes are tried for one affiliate. */
export const maxAttempts = 200;

/**
 * A code per affiliate that none of the others has. `findTaken` finds codes of the program; it is asked in
 * rounds, until every code is free.
 */
export async function planCodes(
  pattern: string,
  affiliates: readonly Promoter[],
  findTaken: (codeKeys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Planned[]> {
  const planned: Planned[] = [];
  const used = new Set<string>();
  let open = affiliates.map((affiliate) => ({ affiliate, attempt: 1 }));
  while (open.length > 0) {
    const tries = open.map((each) => ({ ...each, code: toPatternCode(pattern, each.affiliate, each.attempt) }));
    const taken = await findTaken([...new Set(tries.map(({ code }) => toCodeKey(code)))]);
    open = [];
    for (const { affiliate, attempt, code } of tries) {
      const key = toCodeKey(code);
      if (!used.has(key) && !taken.has(key)) {
        used.add(key);
        planned.push({ affiliate, code });
      } else if (attempt < maxAttempts) open.push({ affiliate, attempt: attempt + 1 });
    }
  }
  return planned;
}
