// Which affiliate an order of a shop belongs to: what the shop's own fields carry along. A hint that can't be one
// is dropped, so that a stray note never costs an order.
import { z } from 'zod';
import { externalIdentifier } from '../../../platform/http/declaration/external-identifier.ts';
import { canonicalUuid } from '../../../platform/lib/ids.ts';

export type Hints = {
  clickId?: string;
  referralCode?: string;
  affiliateId?: string;
  couponCode?: string;
  /** The shop's own ids of coupons, where it doesn't say their codes. */
  couponIds?: string[];
};

const names: Record<string, 'clickId' | 'referralCode' | 'affiliateId' | 'couponCode'> = {
  ...{ clickid: 'clickId', trbclick: 'clickId', trbclickid: 'clickId' },
  ...{ ref: 'referralCode', referralcode: 'referralCode', trbref: 'referralCode' },
  ...{ affiliateid: 'affiliateId', trbaffiliateid: 'affiliateId' },
  ...{ couponcode: 'couponCode', promocode: 'couponCode' },
};

const short = externalIdentifier(100);

/** Hints among named values: notes of a cart, metadata, fields of an order. The first of a kind counts. */
export function hintsAmong(pairs: readonly (readonly [name: string, value: unknown])[]): Hints {
  const hints: Hints = {};
  for (const [name, value] of pairs) {
    const kind = names[name.toLowerCase().replace(/[^a-z]/g, '')];
    const text = short.safeParse(value);
    if (!kind || !text.success || hints[kind] !== undefined) continue;
    if (kind !== 'affiliateId' || canonicalUuid(text.data) !== null) hints[kind] = text.data;
  }
  return hints;
}

/** Hints in the address of the page where a visitor came in. */
export function hintsInAddress(address: unknown): Hints {
  const url = typeof address === 'string' ? URL.parse(address, 'https://shop.invalid') : null;
  if (!url) return {};
  return hintsAmong([...url.searchParams].filter(([name]) => name === 'trb_click' || name === 'ref'));
}

/** One free field, into which a shop puts a click id or a referral code. */
export function hintInField(value: unknown): Hints {
  const text = short.safeParse(value);
  if (!text.success) return {};
  return canonicalUuid(text.data) === null ? { referralCode: text.data } : { clickId: text.data };
}

/** The coupon codes of an order; the first counts. */
export function hintInCodes(codes: readonly unknown[]): Hints {
  const [couponCode] = codes.flatMap((code) => short.safeParse(code).data ?? []);
  return couponCode === undefined ? {} : { couponCode };
}

/** Several sources as one; of two the earlier counts. */
export function hintsOf(...sources: readonly Hints[]): Hints {
  return Object.assign({}, ...sources.toReversed()) as Hints;
}

/** Hints as they were kept. */
export const KeptHints = z.object({
  ...{ clickId: z.string().optional(), referralCode: z.string().optional(), affiliateId: z.string().optional() },
  ...{ couponCode: z.string().optional(), couponIds: z.array(z.string()).optional() },
});
